import { asksOfErrors, type AssertionResult, type CheckResult } from '../../assertion/check.ts'
import type { ResponseContext } from '../../assertion/check-context.ts'
import { evaluateChecks } from '../../assertion/judge/evaluate-checks.ts'
import { matchesStatus } from '../../assertion/operators/status.ts'
import { takeCaptures, type CaptureOutcome } from '../../capture/take-captures.ts'
import { warnAt } from '../../errors.ts'
import { InterpolationError } from '../../interpolation/errors.ts'
import { interpolate } from '../../interpolation/interpolate.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'
import { evaluateScenarios } from '../../scenario/evaluate-scenarios.ts'
import type { Branch } from '../../scenario/scenario.ts'
import type { StepPlan } from '../../suite/plan/plan.ts'
import { showValue } from '../../text/show-value.ts'
import { createScope } from '../suite-run.ts'
import type { AttemptOutcome, StepAttempt } from './attempt.ts'
import { createCheckTools, type AttemptTools } from './check-tools.ts'
import { listLocals } from './describe-exchange.ts'

/** An answer, and what its checks need. */
type Answer = { response: ResponseContext; tools: AttemptTools }

/** Adds to an attempt what its response gives: the scenarios' branches first, then the step's own assertions and captures. */
export async function judgeResponse(attempt: StepAttempt, response: ResponseContext): Promise<void> {
  const { step, outcome } = attempt
  const answer: Answer = { response, tools: await createCheckTools(attempt, response) }
  // All variables are merged for the conditions of scenarios.
  const branches = step.scenarios.length === 0 ? [] : chooseBranches(attempt, answer)
  for (const branch of branches) {
    judge(outcome, branch, answer)
    setVariables(attempt, branch.variables, response)
  }
  const isAsked = branches.some(({ checks }) => checks.some(asksOfErrors))
  const checks = isAsked ? step.checks.filter(({ isImplied }) => !isImplied) : step.checks
  judge(outcome, { checks, captures: step.captures }, answer)
  judgeGraphql(attempt, checks, response)
  warnUnjudged(attempt, branches, response)
}

/** Whether an answer to GraphQL, whose errors no check asks about, is one: it has data then (GraphQL, 7.1). */
function judgeGraphql(
  { step, outcome }: StepAttempt,
  checks: StepPlan['checks'],
  { body, bodyError }: ResponseContext,
): void {
  if (!step.request?.graphql || bodyError !== undefined) return
  const ofErrors = checks.find(({ field, operator }) => field === 'body.errors' && operator === 'exists')
  if (!ofErrors) return
  if (isJsonObject(body) && (Object.hasOwn(body, 'data') || Object.hasOwn(body, 'errors'))) return
  const message = `Expected \`body.data\` or \`body.errors\` in an answer of GraphQL, got ${showValue(body)}`
  const row = { field: 'body.data', operator: 'exists', expected: true, actual: null, passed: false }
  outcome.failures = outcome.failures.filter(({ about }) => about !== 'body.errors')
  addCheck(outcome, { ...row, message, at: ofErrors.at })
}

function chooseBranches({ step, outcome }: StepAttempt, { response, tools }: Answer): Branch[] {
  const context = { ...response, variables: tools.variables() }
  const { branches, meta, failures, warnings } = evaluateScenarios(step.scenarios, context, tools)
  for (const { message, at } of failures) outcome.failures.push({ message, at })
  for (const { message, at } of warnings) outcome.warnings.push(warnAt(at, message))
  outcome.details.scenarios_meta = meta
  return branches
}

function judge(
  outcome: AttemptOutcome,
  { checks, captures }: Pick<StepPlan, 'checks' | 'captures'>,
  { response, tools }: Answer,
): void {
  for (const result of evaluateChecks(checks, response, tools)) addCheck(outcome, result)
  addCaptures(outcome, takeCaptures(captures, response, tools))
}

/** Sets the variables of a branch, in order: they see the response, what was captured from it, and those before them. */
function setVariables(
  { run, step, context, outcome }: StepAttempt,
  variables: JsonObject,
  response: ResponseContext,
): void {
  for (const [name, value] of Object.entries(variables)) {
    const scope = createScope(run, context.loop)
    const layers = [outcome.captured, ...scope.layers]
    try {
      const filled = interpolate(value, { ...scope, layers, locals: listLocals(response) })
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
  const { snapshot, at, passed, diff, field, operator, warning, unjudged, gap, reads } = result
  const message = at[2] === undefined || passed ? result.message : `${result.message} (from ${at[2]})`
  if (warning !== undefined) outcome.warnings.push(warnAt(at, warning))
  const place = field.endsWith(`.${operator}`) ? field.slice(0, -operator.length - 1) : field
  const row = toRow({ ...result, message })
  outcome.rows.push(snapshot ? { ...row, passed: true, message: 'OK' } : row)
  if (snapshot) outcome.snapshots.push({ ...snapshot, field, at, row: outcome.rows.length - 1 })
  if (snapshot || passed) return
  const named = message.includes(place) ? message : `${place}: ${message}`
  const said = reads === undefined ? named : `${named}: ${reads}`
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
  { run, step, outcome }: StepAttempt,
  branches: readonly Branch[],
  { status_code: status, events }: ResponseContext,
): void {
  const { scenarios, stream, phase, request, captures, burst } = step
  const checks = [...step.checks, ...branches.flatMap((branch) => branch.checks)]
  const asksFor = (name: string): boolean =>
    checks.some(
      ({ target, expected }) =>
        target === name || (target === 'custom' && (expected as string).includes(name)),
    )
  if (scenarios.length > 0 && branches.length === 0 && checks.length === 0) {
    const asked = scenarios.map(({ condition }) => `\`${condition}\``).join(', ')
    const what = `none of the scenarios matched (${asked}), and the step has no check of its own`
    const rule = 'Give it an `assert`, or the last scenario an `else`.'
    outcome.warnings.push(warnAt(step.at, `Nothing was checked: ${what}. ${rule}`))
  }
  // Of a stream that has to come to something, no event is a failure.
  if (stream && stream.until === undefined && stream.events === undefined && events?.length === 0)
    if (!asksFor('events')) {
      const rule = 'Write `events: { length: 0 }` if that is right, else what has to come.'
      outcome.warnings.push(
        warnAt(stream.at, `The stream had no event, and no check looks at \`events\`. ${rule}`),
      )
    }
  const { on, until } = step.retry ?? run.environment.settings.retry ?? {}
  // What clears up often finds nothing left.
  const isUnseen =
    phase !== 'teardown' &&
    until === undefined &&
    captures.length === 0 &&
    checks.every(({ operator, expected }) => operator === 'exists' && expected === false)
  // A called step has said so itself.
  if (!request || status < (isUnseen ? 400 : 500)) return
  const { evaluations = [] } = outcome.details.scenarios_meta ?? {}
  const isAsked =
    asksFor('status_code') ||
    checks.some(({ target }) => target === 'responses') ||
    evaluations.some(({ matched, condition }) => matched && condition.includes('status_code'))
  // It is repeated, and fails the step in the end.
  const failsInTheEnd = until === undefined && !burst && !run.plan.rules.endsRetry
  const isRepeated = failsInTheEnd && Array.isArray(on) && on.some((each) => matchesStatus(status, each))
  if (isAsked || isRepeated) return
  const rule = `Write \`status_code: ${status}\` if that is right, else the status it must have.`
  outcome.warnings.push(
    warnAt(step.at, `The answer was ${status}, and no check looks at the status. ${rule}`),
  )
}
