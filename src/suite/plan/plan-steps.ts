import { isJsonObject, type JsonObject } from '../../json.ts'
import { positionAt, type Position } from '../../source.ts'
import { checkContent } from '../check/check-steps.ts'
import type { LoadContext } from '../load-context.ts'
import { parseDuration, readMilliseconds } from '../../text/units.ts'
import { planExchange } from './plan-exchange.ts'
import { planJudgement } from './plan-judgement.ts'
import { planRetry, readCondition } from './plan-retry.ts'
import type { SkipPlan, StepPhase, StepPlan } from './plan.ts'
import { makeStepId } from './step-id.ts'
import { hasTemplate } from '../../interpolation/template.ts'
import type { MockInput, StepInput, SuiteInput } from '../schema/schema.ts'
import { findNode, toPointer, type ValuePath } from '../source-tree.ts'
import type { Mock } from '../../mock/mock.ts'

const LIST_OF = { setup: 'setup', step: 'steps', teardown: 'teardown' } as const

/** Plans the steps of one list of a suite, as far as they can be read; what cannot is reported. */
export function planSteps(phase: StepPhase, suite: Partial<SuiteInput>, context: LoadContext): StepPlan[] {
  const { timeout, [LIST_OF[phase]]: list = [] } = suite
  const retry = planRetry(suite.retry, ['retry'], context)
  return list.flatMap((step: unknown, index) => {
    if (!isJsonObject(step)) return []
    const plan = planStep(step, { phase, index, context, path: [LIST_OF[phase], index] })
    if (plan.request && typeof timeout === 'string' && hasTemplate(timeout))
      plan.request = { timeout, ...plan.request }
    return [{ ...(retry && { retry }), ...plan }]
  })
}

type StepPlace = { phase: StepPhase; index: number; context: LoadContext; path: ValuePath }

function planStep(value: JsonObject, place: StepPlace): StepPlan {
  const { context, path, phase, index } = place
  const judgement = planJudgement(value, path, context)
  const input = value as Partial<StepInput>
  const exchange = planExchange(input, path, context)
  const { name = '' } = input
  checkContent(value, path, context)
  const retry = planRetry(input.retry, [...path, 'retry'], context)
  return {
    phase,
    number: index + 1,
    id: input.step_id ?? makeStepId(index + 1, name, phase),
    name,
    at: context.locate([...path, 'name']),
    lines: findLines(path, context),
    pointer: toPointer(path),
    ...judgement,
    gives: [...judgement.gives, ...listHeard(exchange)],
    continueOnFailure: input.continue_on_failure === true,
    delay: hasTemplate(input.delay_ms) ? (input.delay_ms as string) : (readMilliseconds(input.delay_ms) ?? 0),
    tags: input.tags ?? [],
    ...(input.todo === true && { todo: true }),
    ...(input.variables && { variables: input.variables }),
    advance: input.advance === undefined ? 0 : parseDuration(input.advance),
    only: input.only === true,
    ...(input.debug === true && { debug: true }),
    mocks: planMocks(input.mocks, [...path, 'mocks'], context),
    ...(input.request && { request: input.request }),
    ...(input.body_as !== undefined && { bodyAs: input.body_as }),
    ...(input.save !== undefined && { save: input.save }),
    ...exchange,
    ...(context.defaultAuth.has(toPointer(path)) && { defaultAuth: true }),
    ...(retry && { retry }),
    ...planSkip(input.skip, [...path, 'skip'], context),
    ...(input.iterate && { iterate: input.iterate }),
    ...(input.call && { call: input.call }),
    reads: [],
    needs: [],
    foreignReads: [],
  }
}

/** Names that a WebSocket gives to later steps. */
function listHeard({ websocket }: Pick<StepPlan, 'websocket'>): string[] {
  const heard = (websocket?.exchange ?? []).filter((item) => item.kind === 'expect')
  return heard.flatMap(({ captures }) => captures.map(({ name }) => name))
}

function findLines(path: ValuePath, { tree, source, lines }: LoadContext): [first: number, last: number] {
  const [start, stop] = findNode(tree, path).range
  const end = start + source.text.slice(start, stop).trimEnd().length
  const lineOf = (offset: number): Position[0] => positionAt(lines, offset)[0]
  return [lineOf(start), lineOf(Math.max(start, end - 1))]
}

/** The `skip` of a step or suite: a condition with `{{…}}` around it is interpolated in the run, any other is JavaScript. */
export function planSkip(skip: StepInput['skip'], path: ValuePath, context: LoadContext): SkipPlan {
  if (typeof skip === 'object')
    return {
      ...planSkip(skip.when, [...path, 'when'], context),
      ...(skip.reason !== undefined && { skipReason: skip.reason }),
    }
  if (skip === undefined) return {}
  if (typeof skip === 'boolean') return { skip }
  return {
    skip: hasTemplate(skip) ? skip : readCondition(skip, path, context),
    skipAt: context.locate(path),
  }
}

/** Mocks of a suite or step with their places. */
export function planMocks(
  mocks: readonly MockInput[] | undefined,
  path: ValuePath,
  context: LoadContext,
): Mock[] {
  return (mocks ?? []).map((mock, index) => {
    const place = [...path, index]
    const { respond } = mock
    const delay = readMilliseconds(respond?.delay_ms)
    const answer = respond && { ...respond, ...(delay !== undefined && { delay_ms: delay }) }
    const where = { at: context.locate(place), pointer: toPointer(place) }
    return Object.assign({}, mock, answer && { respond: answer }, where) as Mock
  })
}
