import { isJsonObject, type JsonObject } from '../../json.ts'
import { positionAt } from '../../source.ts'
import { checkContent } from '../check/check-steps.ts'
import type { LoadContext } from '../load-context.ts'
import { readMilliseconds } from '../../text/units.ts'
import { planExchange } from './plan-exchange.ts'
import { planJudgement } from './plan-judgement.ts'
import { planRetry, readCondition } from './plan-retry.ts'
import { pathOf, type SkipPlan, type StepPhase, type StepPlan } from './plan.ts'
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
    const plan = planStep(step, { phase, number: index + 1 }, context)
    // What a template says is known when the step runs.
    if (plan.request && hasTemplate(timeout)) plan.request = { timeout: timeout as string, ...plan.request }
    return [{ ...plan, retry: plan.retry ?? retry }]
  })
}

function planStep(
  value: JsonObject,
  { phase, number }: Pick<StepPlan, 'phase' | 'number'>,
  context: LoadContext,
): StepPlan {
  const path = pathOf({ phase, number })
  const judgement = planJudgement(value, path, context)
  const input = value as Partial<StepInput>
  const exchange = planExchange(input, path, context)
  const { name = '', request, save, variables, iterate, call, todo, debug } = input
  const words = { request, save, variables, iterate, call, todo, debug }
  const heard = (exchange.websocket?.exchange ?? []).filter((item) => item.kind === 'expect')
  checkContent(value, path, context)
  return {
    ...words,
    phase,
    number,
    name,
    id: input.step_id ?? makeStepId(number, name, phase),
    at: context.locate([...path, 'name']),
    lines: findLines(path, context),
    pointer: toPointer(path),
    ...judgement,
    provides: [
      ...judgement.provides,
      ...heard.flatMap(({ captures }) => captures.map((capture) => capture.name)),
    ],
    continueOnFailure: input.continue_on_failure === true,
    delay: hasTemplate(input.delay_ms) ? (input.delay_ms as string) : (readMilliseconds(input.delay_ms) ?? 0),
    tags: input.tags ?? [],
    advance: readMilliseconds(input.advance) ?? 0,
    only: input.only === true,
    mocks: planMocks(input.mocks, [...path, 'mocks'], context),
    bodyAs: input.body_as,
    ...exchange,
    defaultAuth: context.defaultAuth.has(toPointer(path)),
    retry: planRetry(input.retry, [...path, 'retry'], context),
    ...planSkip(input.skip, [...path, 'skip'], context),
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

/** The `skip` of a step or suite: a condition with `{{…}}` around it is interpolated in the run, any other is JavaScript. */
export function planSkip(skip: StepInput['skip'], path: ValuePath, context: LoadContext): SkipPlan {
  if (typeof skip === 'object')
    return { ...planSkip(skip.when, [...path, 'when'], context), skipReason: skip.reason }
  if (typeof skip !== 'string') return { skip }
  const condition = hasTemplate(skip) ? skip : readCondition(skip, path, context)
  return { skip: condition, skipAt: context.locate(path) }
}

/** Mocks of a suite or step with their places. */
export function planMocks(mocks: readonly MockInput[] = [], path: ValuePath, context: LoadContext): Mock[] {
  return mocks.map((mock, index) => {
    const place = [...path, index]
    const respond = mock.respond && { ...mock.respond, delay_ms: readMilliseconds(mock.respond.delay_ms) }
    return { ...mock, respond, at: context.locate(place), pointer: toPointer(place) }
  })
}
