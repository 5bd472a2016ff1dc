import { parseAssertions } from '../../assertion/parse/parse-assertions.ts'
import { parseCaptures } from '../../capture/capture.ts'
import type { ParsePlace } from '../../errors.ts'
import { hasTemplate } from '../../interpolation/template.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'
import { refuseBase64 } from '../../text/refuse-base64.ts'
import { readMilliseconds } from '../../text/units.ts'
import type { LoadContext } from '../load-context.ts'
import { MOST_AT_ONCE } from '../schema/schema-exchange.ts'
import type { StepInput } from '../schema/schema.ts'
import { toPointer, type ValuePath } from '../source-tree.ts'
import type { BurstPlan, DialogueItem, StepPlan, StreamPlan } from './plan.ts'
import { placeParser } from './plan-judgement.ts'
import { readCondition } from './plan-retry.ts'

/** Plans what a step sends beside, or in the place of, an ordinary request; of a WebSocket the request is its handshake. */
export function planExchange(
  { stream, burst, websocket }: Partial<StepInput>,
  path: ValuePath,
  context: LoadContext,
): Pick<StepPlan, 'stream' | 'burst' | 'request' | 'websocket'> {
  if (!websocket)
    return {
      stream: stream && planStream(stream, [...path, 'stream'], context),
      burst: burst && planBurst(burst, [...path, 'burst'], context),
    }
  const { url, headers, protocols = [], exchange = [] } = websocket
  const items = exchange.flatMap((item, index) =>
    planItem(item as JsonObject, { path: [...path, 'websocket', 'exchange', index], index, context }),
  )
  return { request: { url, headers }, websocket: { protocols, exchange: items } }
}

function planBurst(
  { times, concurrent = Math.min(times, MOST_AT_ONCE) }: NonNullable<StepInput['burst']>,
  path: ValuePath,
  context: LoadContext,
): BurstPlan {
  if (concurrent > times)
    context.report([...path, 'concurrent'], {
      message: `\`concurrent\` is ${concurrent}, but only ${times} requests are sent.`,
      hint: 'Raise `times`, or leave `concurrent` out: then all are sent at once.',
    })
  return { times, concurrent }
}

function planStream(
  { until, events, within }: NonNullable<StepInput['stream']>,
  path: ValuePath,
  context: LoadContext,
): StreamPlan {
  const condition = until === undefined ? until : readCondition(until, [...path, 'until'], context)
  return { at: context.locate(path), until: condition, events, within: readMilliseconds(within) }
}

type ItemPlace = { path: ValuePath; index: number; context: LoadContext }

/** Plans one turn of a WebSocket; nothing for one that the schema has refused. */
function planItem(item: JsonObject, place: ItemPlace): DialogueItem[] {
  const { path, context } = place
  const { send, type, close } = item
  const at = context.locate([...path, Object.keys(item)[0] ?? ''])
  if (typeof close === 'number') return [{ kind: 'close', code: close, at }]
  if (send === undefined) return item['expect'] === undefined ? [] : [planExpectation(item, place)]
  const isBinary = type === 'binary'
  const problem = isBinary && !hasTemplate(send) ? refuseBase64(send) : undefined
  if (problem !== undefined)
    context.report([...path, 'send'], {
      message: `${problem}.`,
      hint: 'A binary message is written as base64: `{ send: AAEC/w==, type: binary }`.',
    })
  return [
    { kind: 'send', value: send, pointer: toPointer([...path, 'send']), at, ...(isBinary && { isBinary }) },
  ]
}

function planExpectation(item: JsonObject, { path, index, context }: ItemPlace): DialogueItem {
  const { expect = null, type, within, capture } = item
  const place = placeParser([...path, 'expect'], context)
  // The check is written without its target.
  const expected: ParsePlace = {
    locate: (below) => place.locate(below.slice(1)),
    report: (below, problem, part) => place.report(below.slice(1), problem, part),
    findEmpty: (below) => place.findEmpty(below.slice(1)),
  }
  const checks = parseAssertions({ message: expect }, expected, 'message')
  const [first] = checks
  const isNone = first?.operator === 'exists' && first.expected === false && first.path.length === 0
  if (isNone && (checks.length > 1 || within === undefined || Object.keys(item).length > 2))
    context.report([...path, 'expect'], {
      message: 'That no message comes has to be asked for some time, and of no message nothing can be read.',
      hint: 'Write `{ expect: { exists: false }, within: 500ms }`, and nothing else.',
    })
  const ofCapture = placeParser([...path, 'capture'], context)
  return {
    kind: 'expect',
    name: `exchange[${index}]`,
    checks,
    isNone,
    captures: isJsonObject(capture) ? parseCaptures(capture, ofCapture, 'message') : [],
    type:
      type === 'binary' || type === 'text'
        ? { wanted: type, at: context.locate([...path, 'type']) }
        : undefined,
    within: readMilliseconds(within as string | number | undefined),
    at: context.locate([...path, Object.keys(item)[0] as string]),
  }
}
