import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { AssertionResult, CheckResult } from '../assertion/check.ts'
import type { CheckTools } from '../assertion/check-tools.ts'
import { evaluateChecks, failAllChecks } from '../assertion/evaluate-checks.ts'
import type { ResponseContext } from '../assertion/response-context.ts'
import { takeCaptures, type CaptureOutcome } from '../capture/take-captures.ts'
import { InterpolationError } from '../interpolation/errors.ts'
import { interpolate } from '../interpolation/interpolate.ts'
import type { Json, JsonObject } from '../json.ts'
import { buildRequest } from '../request/build-request.ts'
import type { Exchange } from '../request/exchange.ts'
import type { RequestInput } from '../request/request-input.ts'
import { evaluateScenarios } from '../scenario/evaluate-scenarios.ts'
import type { StepPlan } from '../suite/plan.ts'
import { createCheckTools } from './check-tools.ts'
import { createResponseContext, describeRequest, describeResponse } from './describe-exchange.ts'
import { interpolatePart, type Interpolation } from './interpolate-part.ts'
import type { ResultWarning, StepResult } from './result.ts'
import { createScope, type StepFailure, type SuiteRun } from './suite-run.ts'
import type { StepContext } from './run-step.ts'
import { takeInputs } from './take-inputs.ts'

/** What one attempt of a step gave. */
export type AttemptOutcome = {
  failures: StepFailure[]
  rows: AssertionResult[]
  captured: JsonObject
  warnings: ResultWarning[]
  response?: ResponseContext
  details: Partial<StepResult>
}

/** Sends a step's request once and judges the answer; a failed request fails every check. */
export async function runAttempt(
  run: SuiteRun,
  step: StepPlan,
  context: StepContext,
): Promise<AttemptOutcome> {
  const outcome: AttemptOutcome = {
    failures: [],
    rows: [],
    captured: Object.create(null),
    warnings: [],
    details: {},
  }
  if (!step.request) {
    takeInputs(run, step, outcome)
    return outcome
  }
  const sent = await send(run, step, { context, outcome })
  if (!sent) {
    const reason = outcome.failures[0]?.message ?? 'no request was sent'
    outcome.rows = failAllChecks(step.checks, reason).map(toRow)
    return outcome
  }
  outcome.response = sent
  await judge(run, step, { context, outcome, response: sent })
  takeInputs(run, step, outcome)
  return outcome
}

type Sending = { context: StepContext; outcome: AttemptOutcome }

async function send(
  run: SuiteRun,
  step: StepPlan,
  { context, outcome }: Sending,
): Promise<ResponseContext | undefined> {
  const filled = fillRequest(run, step, { context, outcome })
  if (!filled) return undefined
  const { settings } = run.environment
  const built = await buildRequest(filled.input, {
    ...(filled.baseUrl !== undefined && { baseUrl: filled.baseUrl }),
    defaultTimeout: run.plan.timeout ?? settings.timeout,
    defaultRedirects: run.plan.followRedirects ?? settings.followRedirects,
    readFile: (name) => readFile(resolve(run.plan.folder, name)),
  })
  const at = step.at
  if ('failure' in built) {
    outcome.failures.push({ kind: 'request', message: built.failure.message, at })
    return undefined
  }
  const exchange = await run.environment.client.send(built.spec, {
    insecure: run.plan.insecure,
    ...(context.signal && { signal: context.signal }),
    ...(run.jar && { cookies: run.jar }),
  })
  describe(run, step, { outcome, exchange, filled })
  if (exchange.failure) outcome.failures.push({ kind: 'request', message: exchange.failure.message, at })
  return exchange.response && !exchange.failure ? createResponseContext(exchange) : undefined
}

type FilledRequest = { input: RequestInput; baseUrl?: string }

function fillRequest(
  run: SuiteRun,
  step: StepPlan,
  { context, outcome }: Sending,
): FilledRequest | undefined {
  const scope = createScope(run, context.loop)
  const base = run.plan.baseUrl ?? ('app_url' in run.given ? '{{app_url}}' : undefined)
  const parts: Interpolation[] = [
    interpolatePart({
      run,
      scope,
      value: step.request as Json,
      pointer: `${step.pointer}/request`,
      at: step.at,
    }),
    ...(base === undefined
      ? []
      : [interpolatePart({ run, scope, value: base, pointer: '/base_url', at: run.plan.at })]),
  ]
  for (const part of parts) {
    outcome.failures.push(...part.failures)
    outcome.warnings.push(...part.warnings)
  }
  if (outcome.failures.length > 0) return undefined
  const [request, baseUrl] = parts.map(({ value }) => value)
  return {
    input: request as unknown as RequestInput,
    ...(baseUrl !== undefined && { baseUrl: String(baseUrl) }),
  }
}

function describe(
  run: SuiteRun,
  step: StepPlan,
  made: { outcome: AttemptOutcome; exchange: Exchange; filled: FilledRequest },
): void {
  const { outcome, exchange, filled } = made
  const rawUrl = `${run.plan.baseUrl === undefined ? '' : '{{base_url}}'}${step.request?.url ?? ''}`
  outcome.details.request_details = describeRequest(exchange, { ...filled, rawUrl })
  if (exchange.response) outcome.details.response_details = describeResponse(exchange.response)
  outcome.details.timings = exchange.timings
  if (exchange.redirects.length > 0) outcome.details.redirects = exchange.redirects
}

type Judging = { context: StepContext; outcome: AttemptOutcome; response: ResponseContext }

async function judge(run: SuiteRun, step: StepPlan, { context, outcome, response }: Judging): Promise<void> {
  const tools = await createCheckTools(run, step, { response, ...(context.loop && { loop: context.loop }) })
  const scenarios = evaluateScenarios(step.scenarios, { ...response, variables: tools.variables() }, tools)
  for (const { message, at } of scenarios.failures) outcome.failures.push({ kind: 'scenario', message, at })
  if (step.scenarios.length > 0) outcome.details.scenarios_meta = scenarios.meta
  for (const branch of scenarios.branches) {
    setVariables(run, { variables: branch.variables, tools, outcome, step })
    addChecks(outcome, evaluateChecks(branch.checks, response, tools))
    addCaptures(outcome, takeCaptures(branch.captures, response, tools))
  }
  addChecks(outcome, evaluateChecks(step.checks, response, tools))
  addCaptures(outcome, takeCaptures(step.captures, response, tools))
}

function setVariables(
  run: SuiteRun,
  branch: { variables: JsonObject; tools: CheckTools; outcome: AttemptOutcome; step: StepPlan },
): void {
  for (const [name, value] of Object.entries(branch.variables)) {
    try {
      branch.outcome.captured[name] = interpolate(value, createScope(run)).value
    } catch (error) {
      if (!(error instanceof InterpolationError)) throw error
      branch.outcome.failures.push({ kind: 'interpolation', message: error.message, at: branch.step.at })
    }
  }
}

function addChecks(outcome: AttemptOutcome, results: readonly CheckResult[]): void {
  for (const result of results) {
    outcome.rows.push(toRow(result))
    if (result.snapshot)
      outcome.failures.push({
        kind: 'assertion',
        message: result.message,
        at: result.at,
        snapshot: result.snapshot,
      })
    else if (!result.passed)
      outcome.failures.push({
        kind: 'assertion',
        message: describeCheck(result),
        at: result.at,
        ...(result.diff && { diff: result.diff }),
      })
  }
}

function describeCheck({ field, message }: CheckResult): string {
  return message.includes(field) ? message : `${field}: ${message}`
}

function toRow({ field, expected, actual, passed, message }: CheckResult): AssertionResult {
  return { field, expected, actual, passed, message }
}

function addCaptures(outcome: AttemptOutcome, { values, failures, warnings }: CaptureOutcome): void {
  Object.assign(outcome.captured, values)
  for (const { message, at } of failures) outcome.failures.push({ kind: 'capture', message, at })
  for (const { message, at } of warnings) outcome.warnings.push({ message, line: at[0], column: at[1] })
}
