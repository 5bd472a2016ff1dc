import { toPointer } from '../../path/field-path.ts'
import { isJsonObject, pickFields, type JsonObject, type ValuePath } from '../../json.ts'
import { positionAt, type Position } from '../../source.ts'
import { checkFile, checkRequest } from '../check/check-request.ts'
import { checkContent } from '../check/check-steps.ts'
import { placeInside, type ContextPlace, type LoadContext } from '../load-context.ts'
import { readMilliseconds } from '../../text/units.ts'
import { planJudgement, placeParser } from './plan-judgement.ts'
import { planRetry, readCondition } from './plan-retry.ts'
import { asWritten, listBranches, listParts, pathOf } from './plan.ts'
import type {
  SkipPlan,
  StepPhase,
  StepPlan,
  DialogueItem,
  StreamPlan,
  SuitePlan,
  TriggerPlan,
} from './plan.ts'
import { makeStepId } from './step-id.ts'
import { unwrapExpression } from '../../interpolation/explain-bad-condition.ts'
import { hasTemplate } from '../../interpolation/template.ts'
import type { MockInput } from '../schema/schema-flow.ts'
import type { StepInput, SuiteInput } from '../schema/schema.ts'
import { findNode } from '../source-tree.ts'
import type { Mock } from '../../mock/mock.ts'
import { parseAssertions } from '../../assertion/parse/parse-assertions.ts'
import { parseCaptures } from '../../capture/capture.ts'
import { movePlace } from '../../path/parse-place.ts'
import { refuseBase64 } from '../../text/refuse-base64.ts'
import { MOST_AT_ONCE } from '../schema/schema-exchange.ts'

/** Plans the steps of a suite as far as they are valid, and reports the rest. */
export function planSteps(
  { timeout, retry: written, setup, steps, teardown }: Partial<SuiteInput>,
  context: LoadContext,
): Pick<SuitePlan, 'setup' | 'steps' | 'teardown'> {
  const retry = planRetry(written, { context, path: ['retry'] })
  const planList = (phase: StepPhase, list: readonly StepInput[] = []): StepPlan[] =>
    list.map((step, index) => {
      const plan = planStep(step as JsonObject, { phase, number: index + 1 }, context)
      // A timeout with a template is only known when the step runs, so each request fills it in.
      if (plan.request && hasTemplate(timeout)) plan.request = { timeout: timeout as string, ...plan.request }
      return { ...plan, retry: plan.retry ?? retry }
    })
  return {
    setup: planList('setup', setup),
    steps: planList('step', steps),
    teardown: planList('teardown', teardown),
  }
}

function planStep(
  value: JsonObject,
  { phase, number }: Pick<StepPlan, 'phase' | 'number'>,
  context: LoadContext,
): StepPlan {
  const path = pathOf({ phase, number })
  const place: ContextPlace = { context, path }
  const judgement = planJudgement(value, place)
  const input = value as Partial<StepInput>
  const exchange = planExchange(input, place)
  const { name = '' } = input
  const captures = listParts({ ...judgement, ...exchange }).flatMap((part) => part.captures)
  const set = listBranches(judgement.scenarios).flatMap((branch) => Object.keys(branch.variables))
  checkContent(value, path, context)
  return {
    ...pickFields(input, asWritten),
    phase,
    number,
    name,
    id: input.step_id ?? makeStepId(number, name, phase),
    at: context.locate([...path, 'name']),
    lines: findLines(path, context),
    pointer: toPointer(path),
    ...judgement,
    provides: [...new Set([...captures.map((capture) => capture.name), ...set])],
    continueOnFailure: input.continue_on_failure === true,
    delay: hasTemplate(input.delay_ms) ? (input.delay_ms as string) : (readMilliseconds(input.delay_ms) ?? 0),
    tags: input.tags ?? [],
    advance: readMilliseconds(input.advance) ?? 0,
    only: input.only === true,
    mocks: planMocks(input.mocks, placeInside(place, 'mocks')),
    bodyAs: input.body_as,
    ...exchange,
    defaultAuth: context.defaultAuth.has(toPointer([...path, 'request'])),
    retry: planRetry(input.retry, placeInside(place, 'retry')),
    ...planSkip(input.skip, placeInside(place, 'skip')),
    reads: [],
    needs: [],
    externalReads: [],
  }
}

function findLines(path: ValuePath, { tree, source, lines }: LoadContext): [first: number, last: number] {
  const [start, stop] = findNode(tree, path).range
  const end = start + source.text.slice(start, stop).trimEnd().length
  return [positionAt(lines, start)[0], positionAt(lines, Math.max(start, end - 1))[0]]
}

/** Plans the `skip` of a step or suite. A condition that is one `{{…}}` is interpolated in the run; any other is JavaScript. */
export function planSkip(skip: StepInput['skip'], place: ContextPlace): SkipPlan {
  if (typeof skip === 'object')
    return { ...planSkip(skip.when, placeInside(place, 'when')), skipReason: skip.reason }
  if (typeof skip !== 'string') return { skip }
  const isWhole = hasTemplate(skip) && unwrapExpression(skip) !== skip.trim()
  const condition = isWhole ? skip : readCondition(skip, place)
  return { skip: condition, skipAt: place.context.locate(place.path) }
}

/** Plans the mocks of a suite or step, with their positions. */
export function planMocks(mocks: readonly MockInput[] = [], { context, path }: ContextPlace): Mock[] {
  return mocks.map((mock, index) => {
    const place = [...path, index]
    const { respond } = mock
    const planned = { ...mock, at: context.locate(place), pointer: toPointer(place) }
    if (!respond || respond === 'passthrough') return { ...planned, respond }
    checkFile(respond.file, { context, path: [...place, 'respond', 'file'] })
    const exclusive = ['body', 'file', ...('error' in respond ? ['status', 'headers'] : [])]
    const [one, other] = ['error', ...exclusive].filter((key) => key in respond)
    if (other !== undefined)
      context.reportKey([...place, 'respond', other], {
        message: `A response with \`${one}\` has no \`${other}\`.`,
        hint: 'Keep one of them.',
      })
    return { ...planned, respond: { ...respond, delay_ms: readMilliseconds(respond.delay_ms) } }
  })
}

/** Plans what a step does besides or instead of an ordinary request. The request of a WebSocket is its handshake. */
function planExchange(
  { stream, burst, websocket }: Partial<StepInput>,
  place: ContextPlace,
): Pick<StepPlan, 'stream' | 'burst' | 'request' | 'websocket'> {
  if (!websocket)
    return {
      stream: stream && planStream(stream, placeInside(place, 'stream')),
      burst: burst && { ...burst, concurrent: burst.concurrent ?? Math.min(burst.times, MOST_AT_ONCE) },
    }
  const { protocols = [], exchange = [], ...request } = websocket
  const items = exchange.flatMap((item, index) =>
    planItem(item as JsonObject, placeInside(place, 'websocket', 'exchange', index)),
  )
  return { request, websocket: { protocols, exchange: items } }
}

function planStream({ until, ...stream }: NonNullable<StepInput['stream']>, place: ContextPlace): StreamPlan {
  const condition = until === undefined ? until : readCondition(until, placeInside(place, 'until'))
  const { events, within, trigger } = stream
  return {
    at: place.context.locate(place.path),
    until: condition,
    events,
    within: readMilliseconds(within),
    trigger: trigger && planTrigger(trigger, placeInside(place, 'trigger')),
  }
}

function planTrigger(request: TriggerPlan['request'], place: ContextPlace): TriggerPlan {
  const { context, path } = place
  checkRequest(request as JsonObject, place)
  const pointer = toPointer(path)
  return { request, pointer, at: context.locate(path), defaultAuth: context.defaultAuth.has(pointer) }
}

/** Plans one turn of a WebSocket; none if the schema has rejected it. */
function planItem(item: JsonObject, place: ContextPlace): DialogueItem[] {
  const { path, context } = place
  const { send, type, close, trigger } = item
  const at = context.locate([...path, Object.keys(item)[0] ?? ''])
  if (typeof close === 'number') return [{ kind: 'close', code: close, at }]
  if (isJsonObject(trigger)) {
    const request = trigger as TriggerPlan['request']
    return [{ kind: 'trigger', ...planTrigger(request, placeInside(place, 'trigger')) }]
  }
  if (send === undefined) return item['expect'] === undefined ? [] : [planExpectation(item, { ...place, at })]
  const isBinary = type === 'binary'
  const problem = isBinary && !hasTemplate(send) ? refuseBase64(send) : undefined
  if (problem !== undefined)
    context.report([...path, 'send'], {
      message: `${problem}.`,
      hint: 'Write a binary message as base64: `{ send: AAEC/w==, type: binary }`.',
    })
  return [
    { kind: 'send', value: send, pointer: toPointer([...path, 'send']), at, ...(isBinary && { isBinary }) },
  ]
}

function planExpectation(item: JsonObject, { at, ...place }: ContextPlace & { at: Position }): DialogueItem {
  const { expect = null, type, within, capture } = item
  const { path, context } = place
  // The check is written without its target, `message`.
  const inExpect = placeParser(placeInside(place, 'expect'), 'message')
  const expected = movePlace(inExpect, (below) => below.slice(1))
  const checks = parseAssertions({ message: expect }, expected)
  const [first] = checks
  const isNone = first?.operator === 'exists' && first.expected === false && first.path.length === 0
  if (isNone && (checks.length > 1 || within === undefined || Object.keys(item).length > 2))
    context.report([...path, 'expect'], {
      message: 'A check that no message comes needs `within`, and nothing can be captured.',
      hint: 'Write `{ expect: { exists: false }, within: 500ms }`, and nothing else.',
    })
  const ofCapture = placeParser(placeInside(place, 'capture'), 'message')
  return {
    kind: 'expect',
    name: `exchange[${path.at(-1)}]`,
    checks,
    isNone,
    captures: isJsonObject(capture) ? parseCaptures(capture, ofCapture) : [],
    type:
      type === 'binary' || type === 'text'
        ? { wanted: type, at: context.locate([...path, 'type']) }
        : undefined,
    within: readMilliseconds(within as string | number | undefined),
    at,
  }
}
