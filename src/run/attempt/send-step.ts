import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ResponseContext } from '../../assertion/check-context.ts'
import { warnAt } from '../../errors.ts'
import { readVariable, type Scope } from '../../interpolation/variables/scope.ts'
import { isJsonObject, toText, type Json, type JsonObject } from '../../json.ts'
import { readBodyFile } from '../../request/build/body-files.ts'
import { buildRequest } from '../../request/build/build-request.ts'
import { embedInUrl, toHttpUrl } from '../../request/build/build-url.ts'
import { requestKeys, type RequestInput } from '../../request/build/request-input.ts'
import type { Exchange, Timings } from '../../request/exchange.ts'
import { failRequest, type PreparedStep, type StepAttempt } from './attempt.ts'
import { createResponseContext, describeRequest, readWarnings } from './describe-exchange.ts'
import { interpolatePart, locateTemplate, type Interpolation } from './interpolate-part.ts'
import { createScope, listVisible, type SuiteRun } from '../suite-run.ts'
import type { Redactor } from '../../secrets/redactor.ts'
import { createSuiteRedactor } from '../../secrets/suite-redactor.ts'
import type { Position } from '../../source.ts'
import { explainBadName } from '../../text/explain-bad-name.ts'
import { didYouMean } from '../../text/suggest.ts'

/** Sends a step's request once and notes what was sent and answered; without a whole answer the attempt gets the failure. */
export async function sendStep(
  attempt: StepAttempt,
  { spec, options, describe }: PreparedStep,
): Promise<ResponseContext | undefined> {
  const { run, step, outcome } = attempt
  // Loaded for steps that have a `stream`.
  const stream =
    step.stream && (await (await import('../kinds/follow-stream.ts')).followStream(attempt, step.stream))
  const within = step.stream?.within
  // What bounds a stream is its `within`.
  const bounded = within === undefined ? spec : { ...spec, timeout: within, timeoutName: 'within' }
  const exchange = await run.environment.client.send(bounded, {
    ...options,
    ...(stream && { reader: stream.reader }),
  })
  const response = describe(exchange)
  if (exchange.failure) failRequest(attempt, exchange.failure.message)
  if (!response || !exchange.response || exchange.failure) return undefined
  if (step.save !== undefined) await saveBody(attempt, step.save, exchange.response.body)
  stream?.judge(outcome, response)
  return response
}

/** Fills in and builds a step's request; undefined, with the failure in the outcome, when that cannot be done. */
export async function prepareStep(attempt: StepAttempt): Promise<PreparedStep | undefined> {
  const { run, context, outcome } = attempt
  const scope = createScope(run, context.loop)
  const filled = await changeRequest(attempt, fillRequest(attempt, scope))
  if (filled?.input.auth !== undefined) run.environment.onAuth?.(filled.input.auth)
  const built = filled && (await buildStep(attempt, filled))
  if (!built || 'failure' in built) {
    if (built) failRequest(attempt, built.failure.message, locateField(attempt, built.failure.message))
    outcome.final = true
    return undefined
  }
  return {
    spec: built.spec,
    options: {
      isSecretName: (name) => createOwnRedactor(run).isSecretName(name),
      secretValues: () => listSecretValues(run, scope, context.loop),
      ...(context.signal && { signal: context.signal }),
      // What an application in this process does without a pause is its own time.
      ...('app_url' in run.given && { readBlocked: () => 0 }),
      ...(run.jar && { cookies: run.jar }),
    },
    describe: (exchange) => describeStep(attempt, exchange, filled),
  }
}

/** The place of the template behind the field that a message names first, such as `body.items.0.id`. */
function locateField({ run, step }: StepAttempt, message: string): Position | undefined {
  const field = /`(.+?)`/.exec(message)?.[1]
  return locateTemplate(run.plan, `${step.pointer}/request`, { path: (field ?? '').split('.'), offset: 0 })
}

/** A request in the author's words, with all `{{…}}` filled in. */
type FilledRequest = { input: RequestInput; baseUrl?: string | undefined }

/** The request as the user's `beforeEach` leaves it. */
async function changeRequest(
  attempt: StepAttempt,
  filled: FilledRequest | undefined,
): Promise<FilledRequest | undefined> {
  const { run, step, context } = attempt
  const { hooks } = run.environment
  if (!filled || !hooks?.beforeEach) return filled
  const { id, name } = step
  const request = structuredClone(filled.input) as unknown as JsonObject
  const variables = listVisible(run, context.loop)
  try {
    const input = await hooks.beforeEach({ step: { id, name }, request, variables })
    if (!isJsonObject(input) || typeof input['url'] !== 'string')
      throw new Error('`beforeEach` left no request with a `url`.')
    const unknown = Object.keys(input).find((key) => !(key in filled.input) && !requestKeys.includes(key))
    if (unknown !== undefined)
      throw new Error(
        `\`beforeEach\` set \`request.${unknown}\`, which no request has${didYouMean(unknown, requestKeys)}.`,
      )
    return { ...filled, input: input as unknown as RequestInput }
  } catch (error) {
    failRequest(attempt, (error as Error).message)
    return undefined
  }
}

function fillRequest({ run, step, outcome }: StepAttempt, scope: Scope): FilledRequest | undefined {
  const { plan } = run
  const { url = '', ...rest } = (step.request ?? {}) as JsonObject
  const pointer = `${step.pointer}/${step.websocket ? 'websocket' : 'request'}`
  const connection = plan.connection as JsonObject
  const base = plan.baseUrl ?? ('app_url' in run.given ? '{{app_url}}' : undefined)
  const ofSuite = { run, scope, at: plan.at }
  const input = interpolatePart({ run, scope, value: rest, pointer, at: step.at })
  const shared = interpolatePart({ ...ofSuite, value: connection, pointer: '' })
  const target = interpolateUrl(run, scope, { value: url, pointer: `${pointer}/url`, at: step.at })
  const origin =
    base === undefined ? undefined : interpolatePart({ ...ofSuite, value: base, pointer: '/base_url' })
  for (const part of [input, shared, target, origin]) {
    if (part === undefined) continue
    outcome.failures.push(...part.failures)
    outcome.warnings.push(...part.warnings)
  }
  if (outcome.failures.length > 0) return undefined
  const own = input.value as JsonObject
  return {
    input: {
      ...(shared.value as JsonObject),
      ...own,
      ...(step.stream && { headers: refuseCompression(own['headers']) }),
      url: typeof target.value === 'object' ? target.value : toText(target.value),
    } as unknown as RequestInput,
    baseUrl: origin && toText(origin.value),
  }
}

/** A value that is null or empty, and with it a segment of the path, leads elsewhere, such as to a whole collection; `{{id ?? ''}}` is meant. */
function interpolateUrl(
  run: SuiteRun,
  scope: Scope,
  part: { value: Json; pointer: string; at: Position },
): Interpolation {
  let isEmpty = false
  const embed = (text: string, before: string): string => {
    isEmpty ||= text === '' && before.endsWith('/')
    return embedInUrl(text, before)
  }
  const filled = interpolatePart({ run, scope: { ...scope, embed }, ...part })
  const [path = ''] = toText(filled.value).replace('://', '').split(/[?#]/, 1)
  if (!isEmpty || !/\/(?:\/|$)/.test(path) || /\?\?|\|\|/.test(toText(part.value))) return filled
  const at = locateTemplate(run.plan, part.pointer, { path: [], offset: 0 }) ?? part.at
  const message =
    'A `{{…}}` in the path of the url is null or empty: a part of the path is missing without it. Capture or set it, or skip the step.'
  if (run.environment.settings.unresolved === 'error') filled.failures.push({ message, at })
  else filled.warnings.push(warnAt(at, message))
  return filled
}

/** Events in a compressed answer could not be told as they come. */
function refuseCompression(headers: Json | undefined): Json | undefined {
  const written = isJsonObject(headers) ? headers : {}
  const isSet = Object.keys(written).some((name) => name.toLowerCase() === 'accept-encoding')
  return isSet ? headers : { 'accept-encoding': 'identity', ...written }
}

function buildStep({ run, step }: StepAttempt, filled: FilledRequest): ReturnType<typeof buildRequest> {
  const { plan } = run
  const { settings } = run.environment
  const request = step.websocket ? asHttp(filled) : filled
  return buildRequest(step.defaultAuth ? keepAtHome(request) : request.input, {
    baseUrl: request.baseUrl,
    defaultTimeout: plan.timeout ?? settings.timeout,
    defaultRedirects: plan.followRedirects ?? settings.followRedirects,
    readFile: (name) =>
      readBodyFile(name, {
        folder: plan.folder,
        written: [(step.request ?? null) as Json, plan.connection],
        folders: settings.files,
        limit: settings.fileLimit,
      }),
  })
}

/** A WebSocket begins as a request over HTTP. */
function asHttp({ input, baseUrl }: FilledRequest): FilledRequest {
  return { input: { ...input, url: toHttpUrl(input.url) }, baseUrl: baseUrl && toHttpUrl(baseUrl) }
}

/** The request without the suite's default credentials, if it goes to another origin. */
function keepAtHome({ input, baseUrl = '' }: FilledRequest): RequestInput {
  const url = input.url.trim()
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(url) || readOrigin(url) === readOrigin(baseUrl.trim())) return input
  const { auth: _auth, ...rest } = input
  return rest
}

function readOrigin(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined
}

/** What may be shown may still not travel to another origin. */
function createOwnRedactor({ plan, environment }: SuiteRun): Redactor {
  return createSuiteRedactor(plan, environment.settings.redact)
}

/** Values that no other origin may see: those of secret names, and of the suite's environment variables. */
function listSecretValues(run: SuiteRun, scope: Scope, loop: JsonObject | undefined): string[] {
  const { plan, environment } = run
  const declared = plan.redact.map((name) => readVariable(scope, name))
  const own = [...declared, ...plan.env.map(({ name }) => environment.env[name])].filter(
    (value): value is string => typeof value === 'string' && value !== '',
  )
  const redactor = createOwnRedactor(run)
  redactor.learn(listVisible(run, loop))
  return [...own, ...redactor.secrets()]
}

/** Notes what was sent and answered, and gives what checks look at. */
function describeStep(
  { run, step, outcome }: StepAttempt,
  exchange: Exchange,
  filled: FilledRequest,
): ResponseContext | undefined {
  const { details } = outcome
  const response = exchange.response && createResponseContext(exchange, run, step)
  const rawUrl = `${run.plan.baseUrl === undefined ? '' : '{{base_url}}'}${step.request?.url ?? ''}`
  const { file } = filled.input
  outcome.exchange = {
    request: exchange.request,
    ...(exchange.response && { response: exchange.response }),
    ...(file !== undefined && { file: join(dirname(run.plan.file), file) }),
  }
  details.request_details = describeRequest(exchange, { ...filled, rawUrl })
  if (response) {
    const { status_code, headers, body, size_bytes } = response
    const transfer_bytes = exchange.response?.transferBytes ?? 0
    details.response_details = { status_code, headers, body, size_bytes, transfer_bytes }
  }
  details.timings = roundTimings(exchange.timings)
  if (exchange.redirects.length > 0) details.redirects = exchange.redirects
  if (exchange.connection) details.connection = exchange.connection
  if (exchange.authRequests) details.auth_requests = exchange.authRequests
  for (const message of readWarnings(exchange)) outcome.warnings.push(warnAt(step.at, message))
  return response
}

/** Microseconds are as exact as an event loop is. */
function roundTimings(timings: Timings): Timings {
  const rounded: Timings = { total: 0 }
  for (const [phase, ms] of Object.entries(timings) as [keyof Timings, number][])
    rounded[phase] = Math.round(ms * 1000) / 1000
  return rounded
}

/** Writes a body where the step's `save` says; what hinders it fails the step. */
async function saveBody(attempt: StepAttempt, save: string, body: Uint8Array): Promise<void> {
  const { run, step, context } = attempt
  const scope = createScope(run, context.loop)
  const part = { value: save, pointer: `${step.pointer}/save`, at: step.at }
  const { value, warnings, failures } = interpolatePart({ run, scope, ...part, use: 'left' })
  // A name with a `{{…}}` left in it is hardly the one that was meant.
  const [unfilled] = [...failures, ...warnings]
  if (unfilled) return failRequest(attempt, `The name in \`save\` is not known: ${unfilled.message}`)
  const name = toText(value)
  const problem = explainBadName(name)
  if (problem !== undefined) return failRequest(attempt, `The answer was not saved: ${problem}.`)
  const path = join(run.environment.settings.savedFolder, name)
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, body)
  } catch (error) {
    failRequest(attempt, `The answer could not be saved as \`${name}\`: ${(error as Error).message}`)
  }
}
