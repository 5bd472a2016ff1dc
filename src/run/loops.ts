import type { ResultWarning } from '../errors.ts'
import { hasTemplateInside } from '../interpolation/template.ts'
import { stringifyJson, toText, type Json, type JsonObject } from '../json.ts'
import { listRange, MOST_ITERATIONS } from '../suite/schema/patterns.ts'
import type { StepPlan, SuitePlan } from '../suite/plan/plan.ts'
import { fillPart, locateTemplate, type Filling } from './attempt/fill-part.ts'
import { createScope, markRun, resolveSuiteVariables, type SuiteRun } from './suite-run.ts'
import { decideSkip } from './decide-skip.ts'
import { hideCaptured, resolveKnown } from './fill-name.ts'
import type { SkipDecision } from './step-outcome.ts'
import type { StepContext } from './attempt/attempt.ts'
import { decideStopped } from './run-step.ts'
import { waitForCalls } from '../interpolation/sandbox/wait-for-calls.ts'
import { cut } from '../text/show-value.ts'

/** The loop variables of each iteration, if they are known before the run. The plan has its variables as far as they are known. */
export function listStaticLoops(plan: SuitePlan, step: StepPlan, row?: JsonObject): JsonObject[] | undefined {
  const { iterate } = step
  if (!iterate) return undefined
  const written = iterate.range ?? iterate.over ?? null
  const hidden = hideCaptured(plan, step, stringifyJson(written))
  // Under a name that nothing else has.
  const { values, problems } = resolveKnown({ '': written }, [hidden ?? {}, row ?? {}, plan.variables])
  const isKnown = problems.length === 0 && !hasTemplateInside(values)
  const list = isKnown ? readList(iterate, values[''] ?? null) : []
  return typeof list === 'string' || list.length === 0 ? undefined : toLoops(list, iterate.as)
}

type Loops = { loops: (JsonObject | undefined)[]; warnings?: ResultWarning[] }

/** The iterations of a step, or the one that is run, once all that the list needs is there. */
export async function findLoops(
  run: SuiteRun,
  step: StepPlan,
  { loop, signal }: Pick<StepContext, 'loop' | 'signal'>,
): Promise<Loops | SkipDecision> {
  if (loop) return { loops: [loop] }
  const found = await waitForCalls(() => listLoops(run, step), { mark: () => markRun(run), signal })
  return signal?.aborted && !('loops' in found) ? decideStopped({ step, signal }) : found
}

/** The iterations of a step in a run, or why there are none. A step without a loop has one, without variables. */
export function listLoops(run: SuiteRun, step: StepPlan): Loops | SkipDecision {
  const { iterate } = step
  if (!iterate) return { loops: [undefined] }
  resolveSuiteVariables(run)
  const pointer = `${step.pointer}/iterate/${iterate.range === undefined ? 'over' : 'range'}`
  const at = locateTemplate(run.plan, pointer) ?? step.at
  const filling: Filling = { run, scope: createScope(run), failures: [], warnings: [] }
  const { failures, warnings } = filling
  const written = iterate.range ?? iterate.over ?? null
  // In a list that is written out, a `{{…}}` without a value may stay as written.
  const filled = fillPart(filling, written, { pointer, at, isNeeded: typeof written === 'string' })
  const list = readList(iterate, filled)
  const isRead = typeof list !== 'string' && failures.length === 0
  if (isRead && list.length > 0) return { loops: toLoops(list, iterate.as), warnings }
  // The list may be missing or empty because its provider failed. If the step's own `skip` needs an item, it does not count.
  for (const each of [{ ...step, skip: undefined }, step]) {
    const skip = decideSkip({ run, step: each, scope: filling.scope })
    if (skip.reason !== undefined || (skip.failure && each !== step)) return skip
  }
  const messages = new Set(failures.map(({ message }) => message))
  if (failures[0]) return { failure: { ...failures[0], message: [...messages].join(' ') } }
  return typeof list === 'string'
    ? { failure: { message: list, at } }
    : { reason: 'the list of `iterate` is empty' }
}

function readList({ range }: NonNullable<StepPlan['iterate']>, value: Json): Json[] | string {
  if (range !== undefined)
    return (
      listRange(toText(value)) ??
      `Expected \`iterate.range: ${range}\` to be a range of at most ${MOST_ITERATIONS} whole numbers such as "1..5", got \`${cut(toText(value))}\`.`
    )
  if (!Array.isArray(value))
    return `Expected \`iterate.over\` to be a list, got \`${cut(stringifyJson(value))}\`.`
  if (value.length > MOST_ITERATIONS)
    return `\`iterate.over\` has ${value.length} items; the maximum is ${MOST_ITERATIONS}.`
  return value
}

function toLoops(list: readonly Json[], name: string): JsonObject[] {
  return list.map((value, index) => Object.assign(Object.create(null), { index }, { [name]: value }))
}
