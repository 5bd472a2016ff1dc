import { isAbsolute, relative, resolve } from 'node:path'
import { asksFor, asksOfErrors, flattenChecks, isOfResponse, listContracts } from '../../assertion/check.ts'
import type { AssertionResult, Check, CheckResult } from '../../assertion/check.ts'
import type { CheckTools, ResponseContext } from '../../assertion/check-context.ts'
import { findContract, type Documents } from '../../assertion/json-schema/find-contract.ts'
import { loadSchemas } from '../../assertion/json-schema/load-schemas.ts'
import { evaluateChecks } from '../../assertion/judge/evaluate-checks.ts'
import { takeCaptures, type CaptureOutcome } from '../../capture/take-captures.ts'
import { waitForCalls } from '../../interpolation/sandbox/wait-for-calls.ts'
import { interpolate } from '../../interpolation/interpolate.ts'
import { mergeVariables } from '../../interpolation/variables/scope.ts'
import { isJsonObject, stringifyJson, type JsonObject } from '../../json.ts'
import { readRegularFile } from '../../read-file.ts'
import { rememberObjects } from '../../remember.ts'
import { evaluateScenarios } from '../../scenario/evaluate-scenarios.ts'
import type { Branch } from '../../scenario/scenario.ts'
import { listChecks, listParts, type StepPlan } from '../../suite/plan/plan.ts'
import { quoteCode, showValue } from '../../text/show-value.ts'
import type { StepFailure } from '../step-outcome.ts'
import type { SuiteRun } from '../suite-run.ts'
import { markAttempt, warn, type StepAttempt } from './attempt.ts'
import { listLocals } from './describe-exchange.ts'
import { fillPart } from './fill-part.ts'
import { judgeCondition } from './judge-condition.ts'

export async function createCheckTools(attempt: StepAttempt, response: ResponseContext): Promise<CheckTools> {
  const { run, scope: outer } = attempt
  const scope = { ...outer, locals: listLocals(response) }
  const { engine, settings } = run.environment
  return {
    interpolate(value) {
      const filled = interpolate(value, scope)
      const [unresolved] = filled.unresolved
      if (unresolved) throw new Error(unresolved.message)
      return filled.value
    },
    condition: (source) => judgeCondition(source, scope, run),
    test: (pattern, subject) => engine.test(pattern, subject),
    isLenient: run.plan.isLenient,
    limits: settings.limits,
    schemas: await (run.schemas ??= loadSchemas(listChecks(run.plan), openDocuments(run).readFile)),
    contracts: await loadContracts(attempt, response),
  }
}

/** The files with schemas of a suite, each read once in a run. */
const openDocuments = rememberObjects(({ plan, environment }: SuiteRun): Documents => {
  const limit = { limit: environment.settings.limits.body, option: 'limits.body' }
  const texts = new Map<string, Promise<string>>()
  const read = async (name: string): Promise<string> =>
    (await readRegularFile(resolve(plan.folder, name), limit)).toString()
  const readFile = (name: string): Promise<string> => {
    const text = texts.get(name) ?? read(name)
    texts.set(name, text)
    return text
  }
  return { readFile, schemas: new Map() }
})

const listDocuments = rememberObjects((step: StepPlan) => [
  ...new Set(listParts(step).flatMap(({ checks }) => listContracts(checks))),
])

/** What the OpenAPI documents that the checks of a step name say of a response. */
async function loadContracts(
  { run, step }: StepAttempt,
  response: ResponseContext,
): Promise<CheckTools['contracts']> {
  const names = listDocuments(step)
  if (names.length === 0) return undefined
  const found = names.map(async (name) => {
    const relativeName = isAbsolute(name) ? relative(run.plan.folder, name) : name
    return [name, await findContract(relativeName, response, openDocuments(run))] as const
  })
  return new Map(await Promise.all(found))
}

/** Judges a response: first the branches that apply, then the step's own checks and captures. */
export async function judgeResponse(attempt: StepAttempt, response: ResponseContext): Promise<void> {
  const tools = await createCheckTools(attempt, response)
  await waitForCalls(() => judgeWith(attempt, response, tools), {
    mark: () => markAttempt(attempt),
    signal: attempt.signal,
  })
}

function judgeWith(attempt: StepAttempt, response: ResponseContext, tools: CheckTools): void {
  const { step } = attempt
  const judge = ({ checks, captures }: Pick<StepPlan, 'checks' | 'captures'>): void => {
    for (const result of evaluateChecks(checks, response, tools)) addCheckResult(attempt, result)
    addCaptures(attempt, takeCaptures(captures, response, tools))
  }
  const branches = step.scenarios.length === 0 ? [] : chooseBranches(attempt, response, tools)
  for (const branch of branches) {
    judge(branch)
    setVariables(attempt, branch.variables, response)
  }
  const isAsked = branches.some(({ checks }) => checks.some(asksOfErrors))
  const checks = isAsked ? step.checks.filter(({ isImplied }) => !isImplied) : step.checks
  judge({ checks, captures: step.captures })
  judgeGraphql(attempt, checks, [response])
  attempt.judged = { response, branches }
}

/** Fails a GraphQL response with neither `data` nor `errors` (GraphQL, 7.1): a check for no errors would pass it. */
export function judgeGraphql(attempt: StepAttempt, checks: Check[], all: readonly ResponseContext[]): void {
  const ofErrors = checks.find(({ field, operator }) => field === 'body.errors' && operator === 'exists')
  const other = all.find(
    ({ body, bodyError }) => !bodyError && !('data' in Object(body)) && !('errors' in Object(body)),
  )
  if (!attempt.step.request?.graphql || !ofErrors || !other) return
  const message = `Expected \`body.data\` or \`body.errors\` in a GraphQL response, got ${showValue(other.body)}`
  const row = { field: 'body.data', operator: 'exists', expected: true, actual: null, passed: false }
  attempt.failures = attempt.failures.filter(({ about }) => about !== 'body.errors')
  addCheckResult(attempt, { ...row, message, at: ofErrors.at })
}

function chooseBranches(attempt: StepAttempt, response: ResponseContext, tools: CheckTools): Branch[] {
  // Conditions of scenarios see all variables merged.
  const context = { ...response, variables: mergeVariables(attempt.scope) }
  const { branches, meta, failures, warnings } = evaluateScenarios(attempt.step.scenarios, context, tools)
  attempt.failures.push(...failures)
  for (const { message, at } of warnings) warn(attempt, at, message)
  attempt.details.scenarios_meta = meta
  return branches
}

/** Sets the variables of a branch in order. Each sees the response, its captures and the variables before it. */
function setVariables(attempt: StepAttempt, variables: JsonObject, response: ResponseContext): void {
  const { scope, captured, step } = attempt
  const inner = { ...scope, layers: [captured, ...scope.layers], locals: listLocals(response) }
  for (const [name, value] of Object.entries(variables)) {
    const failures: StepFailure[] = []
    const filling = { ...attempt, scope: inner, failures }
    const filled = fillPart(filling, value, { pointer: '', at: step.at, isNeeded: true })
    if (failures.length === 0) captured[name] = filled
    for (const { message, at } of failures)
      attempt.failures.push({ message: `The variable \`${name}\`: ${message}`, at })
  }
}

export function addCheckResult(attempt: StepAttempt, result: CheckResult): void {
  const { rows, snapshots, failures } = attempt
  const { snapshot, at, passed, diff, field, operator, warning, unjudged, gap, reads } = result
  const message = at[2] === undefined || passed ? result.message : `${result.message} (from ${at[2]})`
  if (warning !== undefined) warn(attempt, at, warning)
  const row = toRow({ ...result, message })
  rows.push(snapshot ? { ...row, passed: true, message: 'OK' } : row)
  if (snapshot) snapshots.push({ ...snapshot, field, at, row: rows.length - 1 })
  if (snapshot || passed) return
  const about = field.endsWith(`.${operator}`) ? field.slice(0, -operator.length - 1) : field
  const named = message.includes(about) ? message : `${about}: ${message}`
  const said = reads === undefined ? named : `${named}: ${reads}`
  const unmade = unjudged === 'value'
  failures.push({
    message: said,
    at,
    about,
    row: field,
    unmade,
    isOfResponse: isOfResponse(result),
    gap,
    diff,
  })
}

export function toRow({ field, expected, actual, passed, message }: CheckResult): AssertionResult {
  return { field, expected, actual, passed, message }
}

export function addCaptures(attempt: StepAttempt, { values, failures, warnings }: CaptureOutcome): void {
  Object.assign(attempt.captured, values)
  for (const { message, at, name, gap } of failures)
    attempt.failures.push({ message, at, about: `the capture \`${name}\``, unmade: true, gap })
  for (const { message, at } of warnings) warn(attempt, at, message)
}

/** Warns of a step that passed because nothing looked at its response: no scenario matched, or no check asks about an error status or an empty stream. */
export function warnUnjudged(attempt: StepAttempt): void {
  const { run, step, details, judged, failures } = attempt
  if (!judged || failures.length > 0) return
  const { response, branches } = judged
  const { scenarios, stream, phase, request, captures } = step
  const checks = [...step.checks, ...branches.flatMap((branch) => branch.checks)]
  if (scenarios.length > 0 && branches.length === 0 && checks.length === 0) {
    const asked = scenarios.map(({ condition }) => quoteCode(condition)).join(', ')
    const what = `none of the scenarios matched (${asked}), and the step has no check of its own`
    const rule = 'Give it an `assert`, or the last scenario an `else`.'
    warn(attempt, step.at, `Nothing was checked: ${what}. ${rule}`)
  }
  const isOpen = stream?.until === undefined && stream?.events === undefined
  if (stream && isOpen && response.events?.length === 0 && !asksFor(checks, 'events')) {
    const rule =
      'Write `events: { length: 0 }` if that is expected; otherwise, write the events that must come.'
    warn(attempt, stream.at, `The stream had no events, and no check looks at \`events\`. ${rule}`)
  }
  // Not for teardown steps, which often find nothing left to remove.
  const isUnseen =
    phase !== 'teardown' &&
    (step.retry ?? run.environment.settings.retry)?.until === undefined &&
    captures.length === 0 &&
    checks.every(({ operator, expected }) => operator === 'exists' && expected === false)
  warnUnseenErrors(attempt, checks)
  const status = response.status_code
  // A called step has given this warning itself.
  if (!request || status < (isUnseen ? 400 : 500)) return
  const isAsked =
    asksFor(checks, 'status_code') ||
    asksFor(checks, 'responses') ||
    details.scenarios_meta?.evaluations.some(
      ({ matched, condition }) => matched && condition.includes('status_code'),
    )
  if (isAsked) return
  const rule = `Write \`status_code: ${status}\` if that is expected; otherwise, write the status it must have.`
  warn(attempt, step.at, `The response had status ${status}, and no check looks at it. ${rule}`)
}

/** Warns of errors in the answer to a JSON-RPC call, or to a GraphQL query that was written as a plain body, and so is not known to be one. */
function warnUnseenErrors(attempt: StepAttempt, checks: readonly Check[]): void {
  const { step, judged } = attempt
  const { request, body = null, events, status_code = 0 } = judged?.response ?? {}
  const isExpected = status_code >= 400 && asksFor(checks, 'status_code')
  const sent = [request?.body ?? null].flat().filter(isJsonObject)
  const isCall = sent.some(({ jsonrpc }) => jsonrpc)
  // A search may be called `query` too.
  const isQuery = sent.some(
    ({ query, extensions }) =>
      (typeof query === 'string' && query.includes('{')) || 'persistedQuery' in Object(extensions),
  )
  if (!(isCall || isQuery) || !step.request || step.request.graphql || isExpected) return
  const answers = (events?.map(({ data }) => data) ?? [body].flat()).filter(isJsonObject)
  const hasErrors = isQuery && answers.some(({ errors }) => Array.isArray(errors) && errors.length > 0)
  if (!hasErrors && !(isCall && answers.some(({ error }) => isJsonObject(error)))) return
  const looks = [
    ...flattenChecks(checks).map(({ target, field, operator, expected }) =>
      target === 'custom' ? expected : [field, operator, typeof expected === 'object' && expected],
    ),
    ...step.scenarios.map(({ condition }) => condition),
    ...step.captures.map(({ path = '' }) => path),
  ]
  if (looks.some((look) => /\berrors?\b|"(?:schema|snapshot)"/.test(stringifyJson(look)))) return
  const [what, name] = hasErrors ? ['GraphQL errors', 'errors'] : ['a JSON-RPC error', 'error']
  let rule = events ? `Check \`${name}\` in the \`data\` of the events` : `Check \`body.${name}\``
  if (hasErrors && !events)
    rule = 'Send the query with `graphql`, which fails on them, or check `body.errors`'
  warn(
    attempt,
    step.at,
    `The response has ${what}, and no check looks at ${hasErrors ? 'them' : 'it'}. ${rule}.`,
  )
}
