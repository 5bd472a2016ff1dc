import { asksOfErrors, type AssertionResult, type CheckResult } from '../../assertion/check.ts'
import type { CheckTools, ResponseContext } from '../../assertion/check-context.ts'
import { evaluateChecks } from '../../assertion/judge/evaluate-checks.ts'
import { takeCaptures, type CaptureOutcome } from '../../capture/take-captures.ts'
import { InterpolationError } from '../../interpolation/errors.ts'
import { interpolate } from '../../interpolation/interpolate.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'
import { warnAt, type ResultWarning } from '../../errors.ts'
import { evaluateScenarios } from '../../scenario/evaluate-scenarios.ts'
import type { Branch } from '../../scenario/scenario.ts'
import type { StepPlan } from '../../suite/plan/plan.ts'
import { createCheckTools } from './check-tools.ts'
import { listLocals } from './describe-exchange.ts'
import type { AttemptOutcome, StepContext } from './attempt.ts'
import { createScope, type SuiteRun } from '../suite-run.ts'
import { matchesStatus } from '../../assertion/operators/status.ts'
import { showValue } from '../../text/show-value.ts'
import type { ScenariosMeta } from '../../scenario/scenarios-meta.ts'

type Judging = { context: StepContext; outcome: AttemptOutcome; response: ResponseContext }

/** Adds to an attempt what its response gives: the scenarios' branches first, then the step's own assertions and captures. */
export async function judgeResponse(
  run: SuiteRun,
  step: StepPlan,
  { context, outcome, response }: Judging,
): Promise<void> {
  const { loop } = context
  const tools = await createCheckTools(run, step, { response, loop })
  const branches = chooseBranches(step, { outcome, response, tools })
  for (const branch of branches) {
    judge(branch, { outcome, response, tools })
    setVariables(run, step, { variables: branch.variables, outcome, response, loop })
  }
  const isAsked = branches.some(({ checks }) => checks.some(asksOfErrors))
  const own = isAsked ? { ...step, checks: step.checks.filter(({ isImplied }) => !isImplied) } : step
  judge(own, { outcome, response, tools })
  judgeGraphql(own, { outcome, response })
  const { scenarios_meta: meta } = outcome.details
  outcome.warnings.push(...warnUnjudged(run, step, { branches, response, ...(meta && { meta }) }))
}

/** Whether an answer to GraphQL, whose errors no check asks about, is one: it has data then (GraphQL, 7.1). */
function judgeGraphql(
  { request, checks }: StepPlan,
  { outcome, response: { body, bodyError } }: Pick<Judging, 'outcome' | 'response'>,
): void {
  if (!request?.graphql || bodyError !== undefined) return
  const ofErrors = checks.find(({ field, operator }) => field === 'body.errors' && operator === 'exists')
  if (!ofErrors) return
  if (isJsonObject(body) && (Object.hasOwn(body, 'data') || Object.hasOwn(body, 'errors'))) return
  const message = `Expected \`body.data\` or \`body.errors\` in an answer of GraphQL, got ${showValue(body)}`
  const row = { field: 'body.data', operator: 'exists', expected: true, actual: null, passed: false }
  outcome.failures = outcome.failures.filter(({ about }) => about !== 'body.errors')
  addCheck(outcome, { ...row, message, at: ofErrors.at })
}

type Choosing = Omit<Judging, 'context'> & { tools: Awaited<ReturnType<typeof createCheckTools>> }

function chooseBranches({ scenarios }: StepPlan, { outcome, response, tools }: Choosing): Branch[] {
  // All variables are merged for their conditions.
  if (scenarios.length === 0) return []
  const { branches, meta, failures, warnings } = evaluateScenarios(
    scenarios,
    { ...response, variables: tools.variables() },
    tools,
  )
  for (const { message, at } of failures) outcome.failures.push({ message, at })
  for (const { message, at } of warnings) outcome.warnings.push(warnAt(at, message))
  outcome.details.scenarios_meta = meta
  return branches
}

type Part = Pick<StepPlan, 'checks' | 'captures'>

function judge(
  { checks, captures }: Part,
  { outcome, response, tools }: Omit<Judging, 'context'> & { tools: CheckTools },
): void {
  for (const result of evaluateChecks(checks, response, tools)) addCheck(outcome, result)
  addCaptures(outcome, takeCaptures(captures, response, tools))
}

type Setting = Omit<Judging, 'context'> & { variables: JsonObject; loop: JsonObject | undefined }

/** Sets the variables of a branch, in order: they see the response, what was captured from it, and those before them. */
function setVariables(run: SuiteRun, step: StepPlan, setting: Setting): void {
  const { variables, outcome, response, loop } = setting
  for (const [name, value] of Object.entries(variables)) {
    const scope = createScope(run, loop)
    const layers = [outcome.captured, ...scope.layers]
    try {
      const filled = interpolate(value, {
        ...scope,
        layers,
        locals: listLocals(response),
      })
      outcome.captured[name] = filled.value
      for (const { message } of filled.unresolved)
        outcome.warnings.push(warnAt(step.at, `The variable \`${name}\` stays as written: ${message}.`))
    } catch (error) {
      if (!(error instanceof InterpolationError)) throw error
      outcome.failures.push({ message: error.message, at: step.at })
    }
  }
}

/** Adds what came of a check to an attempt. */
export function addCheck(outcome: AttemptOutcome, result: CheckResult): void {
  const { snapshot, at, passed, diff, field, operator, warning, unjudged, gap } = result
  const message = at[2] === undefined || passed ? result.message : `${result.message} (from ${at[2]})`
  if (warning !== undefined) outcome.warnings.push(warnAt(at, warning))
  const place = field.endsWith(`.${operator}`) ? field.slice(0, -operator.length - 1) : field
  const row = toRow({ ...result, message })
  outcome.rows.push(snapshot ? { ...row, passed: true, message: 'OK' } : row)
  if (snapshot) outcome.snapshots.push({ ...snapshot, field, at, row: outcome.rows.length - 1 })
  if (snapshot || passed) return
  const said = message.includes(place) ? message : `${place}: ${message}`
  outcome.failures.push({ message: said, at, about: place, unmade: unjudged === 'value', gap, diff })
}

/** The row of a check as result files show it. */
export function toRow({ field, expected, actual, passed, message }: CheckResult): AssertionResult {
  return { field, expected, actual, passed, message }
}

/** Adds what captures gave to an attempt. */
export function addCaptures(outcome: AttemptOutcome, { values, failures, warnings }: CaptureOutcome): void {
  for (const [name, value] of Object.entries(values)) outcome.captured[name] = value
  for (const { message, at, name, gap } of failures)
    outcome.failures.push({ message, at, about: `the capture \`${name}\``, unmade: true, gap })
  for (const { message, at } of warnings) outcome.warnings.push(warnAt(at, message))
}

/** Warns of a step that passed because nothing looked at its answer: no scenario matched, or an error that no check asks about. */
export function warnUnjudged(
  { plan: { rules }, environment: { settings } }: SuiteRun,
  step: StepPlan,
  { branches, response, meta }: { branches: Branch[]; response: ResponseContext; meta?: ScenariosMeta },
): ResultWarning[] {
  const checks = [...step.checks, ...branches.flatMap((branch) => branch.checks)]
  const warnings: ResultWarning[] = []
  if (step.scenarios.length > 0 && branches.length === 0 && checks.length === 0) {
    const asked = step.scenarios.map(({ condition }) => `\`${condition}\``).join(', ')
    const rule = 'Give it an `assert`, or the last scenario an `else`.'
    const what = `none of the scenarios matched (${asked}), and the step has no check of its own`
    warnings.push(warnAt(step.at, `Nothing was checked: ${what}. ${rule}`))
  }
  const asksFor = (name: string): boolean =>
    checks.some(
      ({ target, expected }) =>
        target === name || (target === 'custom' && (expected as string).includes(name)),
    )
  const { stream } = step
  // Of a stream that has to come to something, no event is a failure.
  const isOpen = stream && stream.until === undefined && stream.events === undefined
  if (isOpen && response.events?.length === 0 && !asksFor('events'))
    warnings.push(
      warnAt(
        stream.at,
        'The stream had no event, and no check looks at `events`. Write `events: { length: 0 }` if that is right, else what has to come.',
      ),
    )
  const isAsked =
    asksFor('status_code') ||
    checks.some(({ target }) => target === 'responses') ||
    meta?.evaluations.some(({ matched, condition }) => matched && condition.includes('status_code'))
  // It is repeated, and fails the step in the end.
  const { on, until } = step.retry ?? settings.retry ?? {}
  const failsInTheEnd = until === undefined && !step.burst && !rules.endsRetry
  const isRepeated =
    failsInTheEnd && Array.isArray(on) && on.some((status) => matchesStatus(response.status_code, status))
  const { status_code: status } = response
  // What clears up often finds nothing left.
  const isUnseen =
    step.phase !== 'teardown' &&
    until === undefined &&
    step.captures.length === 0 &&
    checks.every(({ operator, expected }) => operator === 'exists' && expected === false)
  // A called step has said so itself.
  if (step.request && status >= (isUnseen ? 400 : 500) && !isAsked && !isRepeated)
    warnings.push(
      warnAt(
        step.at,
        `The answer was ${status}, and no check looks at the status. Write \`status_code: ${status}\` if that is right, else the status it must have.`,
      ),
    )
  return warnings
}
