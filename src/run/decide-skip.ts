import { warnAt } from '../errors.ts'
import { hasTemplate } from '../interpolation/template.ts'
import type { Scope } from '../interpolation/variables/scope.ts'
import type { Position } from '../source.ts'
import type { SkipPlan, StepPlan } from '../suite/plan/plan.ts'
import { previewValue } from '../text/show-value.ts'
import type { RunningStep } from './attempt/attempt.ts'
import { fillPart } from './attempt/fill-part.ts'
import { judgeCondition } from './attempt/judge-condition.ts'
import { fillName } from './fill-name.ts'
import { describeStep, readOnFailure } from './record-outcome.ts'
import { createScope, type SuiteRun } from './suite-run.ts'
import type { SkipDecision, StepFailure } from './step-outcome.ts'

/** Decides whether to skip a step: the suite is stopped or left out, `skip` is `true`, something it reads is missing, or `skip` holds. */
export function decideSkip(running: RunningStep): SkipDecision {
  const { run, step, scope, loop } = running
  if (step.todo) return { reason: 'todo', wanted: true }
  const ofSuite = decideSuite(run)
  if (ofSuite.reason !== undefined || ofSuite.failure) return ofSuite
  if (run.stopped !== undefined && step.phase !== 'teardown') return { reason: run.stopped }
  if (step.skip === true) return { ...ofSuite, ...decideCondition(run, step, scope) }
  const reads = step.reads.filter(
    (name) => !Object.hasOwn(run.captures, name) && !(loop && Object.hasOwn(loop, name)),
  )
  const absent = findAbsent(run, step, reads)
  if (absent !== undefined) return { reason: absent }
  const problem = findProblem(run, reads)
  if (problem !== undefined) return fail(problem, step)
  const own = decideCondition(run, step, scope)
  return { ...own, warnings: [...(ofSuite.warnings ?? []), ...(own.warnings ?? [])] }
}

/** Why a suite variable that a step reads is unusable: it is invalid, or still has no value although `unresolved` is `error`. */
function findProblem({ resolved, environment, row }: SuiteRun, reads: string[]): string | undefined {
  const { unresolved } = environment.settings
  const found = resolved?.problems.find(
    ({ code, path: [name] }) =>
      (code !== 'unresolved' || unresolved === 'error') &&
      reads.includes(String(name)) &&
      !Object.hasOwn(row, String(name)),
  )
  return found && `The variable \`${String(found.path[0])}\` has no value: ${found.message}`
}

/** Why a step cannot run without what an earlier step did not provide. Teardown steps make do with what there is. */
function findAbsent(run: SuiteRun, step: StepPlan, reads: string[]): string | undefined {
  if (run.absent.size === 0 || readOnFailure(run) === 'continue') return undefined
  for (const name of [...reads, ...step.externalReads]) {
    const absent = run.absent.get(name)
    // An earlier iteration of the same step is no reason.
    if (!absent || absent.provider === describeStep(step)) continue
    const mayDo = absent.isSoft || step.phase === 'teardown'
    // If a whole suite is missing, the reason still names what is read of it.
    const read = step.externalReads.find((each) => each.startsWith(`${name}.`)) ?? name
    if (!mayDo || step.needs.includes(name))
      return `needs \`${read}\`, which ${absent.provider} ${absent.why}`
  }
  return undefined
}

/** Decides once whether the whole suite is left out. If that cannot be decided, the first step reports it. */
function decideSuite(run: SuiteRun): SkipDecision {
  if (run.leftOut) return run.leftOut
  const decision = decideCondition(run, { ...run.plan, pointer: '' }, createScope(run))
  const { warnings: _told, ...kept } = decision
  run.leftOut = decision.failure ? { reason: 'the `skip` of the suite could not be evaluated' } : kept
  return decision
}

type Skippable = SkipPlan & Pick<StepPlan, 'at' | 'pointer'>

function decideCondition(run: SuiteRun, step: Skippable, scope: Scope): SkipDecision {
  const { skip, skipReason, skipAt: at = step.at } = step
  const reason =
    skipReason === undefined ? `skip: ${skip}` : fillName(skipReason, [...scope.layers, scope.exports])
  if (typeof skip !== 'string') return skip ? { reason, wanted: true } : {}
  if (hasTemplate(skip)) {
    const failures: StepFailure[] = []
    const filling = { run, scope, failures, warnings: [] }
    const filled = fillPart(filling, skip, { pointer: `${step.pointer}/skip`, at, isNeeded: true })
    if (failures[0]) return { failure: failures[0] }
    if (typeof filled === 'boolean') return filled ? { reason, wanted: true } : {}
    return refuse(skip, previewValue(filled), at)
  }
  const { passed, value, failure, doubt, error } = judgeCondition(skip, scope, run)
  const problem = failure ? value : error
  if (problem !== undefined) return fail(`\`skip: ${skip}\` could not be evaluated: ${problem}`, { at })
  if (!passed && value !== 'false') return refuse(skip, value, at)
  const warning = doubt && warnAt(at, `\`skip: ${skip}\` ${doubt}.`)
  return { ...(passed && { reason, wanted: true }), ...(warning && { warnings: [warning] }) }
}

function refuse(skip: string, got: string, at: Position): SkipDecision {
  return fail(`Expected \`skip: ${skip}\` to be true or false, got ${got}.`, { at })
}

function fail(message: string, { at }: Pick<StepPlan, 'at'>): SkipDecision {
  return { failure: { message, at } }
}
