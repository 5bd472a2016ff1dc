import { parseAssertions } from '../../assertion/parse/parse-assertions.ts'
import { parseCaptures } from '../../capture/capture.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'
import type { ParsePlace } from '../../errors.ts'
import { refuseBase64 } from '../../text/refuse-base64.ts'
import { readMilliseconds } from '../../text/units.ts'
import type { LoadContext } from '../load-context.ts'
import { hasTemplate } from '../../interpolation/template.ts'
import type { StepInput } from '../schema/schema.ts'
import { toPointer, type ValuePath } from '../source-tree.ts'
import type { DialogueItem, StepPlan } from './plan.ts'
import { placeParser } from './plan-judgement.ts'

/** What a step with a `websocket` has: its handshake as a request, its dialogue, and the names that gives to later steps. */
export function planWebsocket(
  written: StepInput['websocket'],
  path: ValuePath,
  context: LoadContext,
): { plan: Pick<StepPlan, 'request' | 'websocket'>; gives: string[] } {
  if (!written) return { plan: {}, gives: [] }
  const { url, headers, protocols = [], exchange = [] } = written
  const items = exchange.flatMap((item, index) =>
    planItem(item as JsonObject, { path: [...path, 'exchange', index], index, context }),
  )
  return {
    plan: {
      request: { url, ...(headers !== undefined && { headers }) },
      websocket: { protocols, exchange: items },
    },
    gives: items.flatMap((item) => (item.kind === 'expect' ? item.captures.map(({ name }) => name) : [])),
  }
}

type ItemPlace = { path: ValuePath; index: number; context: LoadContext }

function planItem(item: JsonObject, { path, index, context }: ItemPlace): DialogueItem[] {
  const { send, type, expect, within, capture, close } = item
  const [key = ''] = Object.keys(item)
  const at = context.locate([...path, key])
  const isBinary = type === 'binary'
  if (send !== undefined) {
    const problem = isBinary && !hasTemplate(send) ? refuseBase64(send) : undefined
    if (problem !== undefined)
      context.report([...path, 'send'], {
        message: `${problem}.`,
        hint: 'A binary message is written as base64: `{ send: AAEC/w==, type: binary }`.',
      })
    const pointer = toPointer([...path, 'send'])
    return [{ kind: 'send', value: send, pointer, at, ...(isBinary && { isBinary }) }]
  }
  if (typeof close === 'number') return [{ kind: 'close', code: close, at }]
  if (expect === undefined) return []
  const place = placeParser([...path, 'expect'], context)
  // The check is written without its target.
  const expected: ParsePlace = {
    locate: (below) => place.locate(below.slice(1)),
    report: (below, problem, part) => place.report(below.slice(1), problem, part),
    findEmpty: (below) => place.findEmpty(below.slice(1)),
  }
  const checks = parseAssertions({ message: expect }, expected, 'message')
  const [first, ...others] = checks
  const isNone = first?.operator === 'exists' && first.expected === false && first.path.length === 0
  if (isNone && (others.length > 0 || within === undefined || Object.keys(item).length > 2))
    context.report([...path, 'expect'], {
      message: 'That no message comes has to be asked for some time, and of no message nothing can be read.',
      hint: 'Write `{ expect: { exists: false }, within: 500ms }`, and nothing else.',
    })
  return [
    {
      kind: 'expect',
      name: `exchange[${index}]`,
      checks,
      ...(isNone && { isNone }),
      captures: isJsonObject(capture)
        ? parseCaptures(capture, placeParser([...path, 'capture'], context), 'message')
        : [],
      ...((type === 'binary' || type === 'text') && {
        type: { wanted: type, at: context.locate([...path, 'type']) },
      }),
      ...(within !== undefined && { within: readMilliseconds(within as string | number) }),
      at,
    },
  ]
}
