import { dirname, join } from 'node:path'
import type { ResponseContext } from '../../assertion/check-context.ts'
import { readVariable, type Scope } from '../../interpolation/variables/scope.ts'
import { isJsonObject, toText, type Json, type JsonObject } from '../../json.ts'
import { readBodyFile } from '../../request/build/body-files.ts'
import { embedInUrl, toHttpUrl } from '../../request/build/build-url.ts'
import { buildRequest } from '../../request/build/build-request.ts'
import type { Exchange, RequestSpec, Timings } from '../../request/exchange.ts'
import { requestKeys, type RequestInput } from '../../request/build/request-input.ts'
import { warnAt } from '../../errors.ts'
import type { Redactor } from '../../secrets/redactor.ts'
import { createSuiteRedactor } from '../../secrets/suite-redactor.ts'
import type { Position } from '../../source.ts'
import type { StepPlan } from '../../suite/plan/plan.ts'
import { createResponseContext, describeRequest, readWarnings } from './describe-exchange.ts'
import { interpolatePart, locateTemplate, type Interpolation } from './interpolate-part.ts'
import type { AttemptOutcome, PreparedStep, Sending } from './attempt.ts'
import { saveBody } from './save-body.ts'
import { createScope, listVisible, type SuiteRun } from '../suite-run.ts'
import { didYouMean } from '../../text/suggest.ts'

/** Sends a step's request once and notes what was sent and answered; without a whole answer the attempt gets the failure. */
export async function sendStep(
  run: SuiteRun,
  step: StepPlan,
  { context, outcome, prepared }: Sending & { prepared: PreparedStep },
): Promise<ResponseContext | undefined> {
  const { spec, options } = prepared
  const scope = createScope(run, context.loop)
  // Loaded for steps that have a `stream`.
  const stream =
    step.stream && (await (await import('../kinds/follow-stream.ts')).followStream(run, step.stream, scope))
  const exchange = await run.environment.client.send(limitStream(spec, step), {
    ...options,
    ...(stream && { reader: stream.reader }),
  })
  const response = prepared.describe(exchange)
  if (exchange.failure)
    outcome.failures.push({ kind: 'request', message: exchange.failure.message, at: step.at })
  if (!response || !exchange.response || exchange.failure) return undefined
  if (step.save !== undefined)
    outcome.failures.push(...(await saveBody(run, step, { scope, body: exchange.response.body })))
  stream?.judge(outcome, response)
  return response
}

/** Fills in and builds a step's request; undefined, with the failure in the outcome, when that cannot be done. */
export async function prepareStep(
  run: SuiteRun,
  step: StepPlan,
  { context, outcome }: Sending,
): Promise<PreparedStep | undefined> {
  const scope = createScope(run, context.loop)
  const filled = await changeRequest(run, step, {
    filled: fillRequest(run, step, { scope, outcome }),
    context,
    outcome,
  })
  if (filled?.input.auth !== undefined) run.environment.onAuth?.(filled.input.auth)
  const built = filled && (await buildStep(run, step, filled))
  if (!built || 'failure' in built) {
    if (built) {
      const { message } = built.failure
      outcome.failures.push({ kind: 'request', message, at: locateField(run, step, message) ?? step.at })
    }
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
    describe: (exchange) => describe(run, step, { outcome, exchange, filled }),
  }
}

/** The place of the template behind the field that a message names first, such as `body.items.0.id`. */
function locateField(run: SuiteRun, { pointer }: StepPlan, message: string): Position | undefined {
  const field = /`(.+?)`/.exec(message)?.[1]
  return locateTemplate(run.plan, `${pointer}/request`, { path: (field ?? '').split('.'), offset: 0 })
}

/** What bounds a stream is its `within`. */
function limitStream(spec: RequestSpec, { stream }: StepPlan): RequestSpec {
  return stream?.within === undefined ? spec : { ...spec, timeout: stream.within, timeoutName: 'within' }
}

/** The request as the user's `beforeEach` leaves it. */
async function changeRequest(
  run: SuiteRun,
  { id, name, at }: StepPlan,
  { filled, context, outcome }: Sending & { filled: FilledRequest | undefined },
): Promise<FilledRequest | undefined> {
  const { hooks } = run.environment
  if (!filled || !hooks?.beforeEach) return filled
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
    outcome.failures.push({ kind: 'request', message: (error as Error).message, at })
    return undefined
  }
}

type FilledRequest = { input: RequestInput; baseUrl?: string | undefined }

function fillRequest(
  run: SuiteRun,
  step: StepPlan,
  { scope, outcome }: { scope: Scope; outcome: AttemptOutcome },
): FilledRequest | undefined {
  const { url, ...rest } = (step.request ?? {}) as JsonObject
  const pointer = `${step.pointer}/${step.websocket ? 'websocket' : 'request'}`
  const connection = run.plan.connection as JsonObject
  const placed = { value: url ?? '', pointer: `${pointer}/url`, at: step.at }
  const base = run.plan.baseUrl ?? ('app_url' in run.given ? '{{app_url}}' : undefined)
  const parts: Interpolation[] = [
    interpolatePart({ run, scope, value: rest, pointer, at: step.at }),
    interpolatePart({ run, scope, value: connection, pointer: '', at: run.plan.at }),
    interpolateUrl(run, scope, placed),
    ...(base === undefined
      ? []
      : [interpolatePart({ run, scope, value: base, pointer: '/base_url', at: run.plan.at })]),
  ]
  for (const part of parts) {
    outcome.failures.push(...part.failures)
    outcome.warnings.push(...part.warnings)
  }
  if (outcome.failures.length > 0) return undefined
  const [input, filledConnection, filledUrl = null, baseUrl] = parts.map(({ value }) => value)
  return {
    input: {
      ...(filledConnection as JsonObject),
      ...(input as JsonObject),
      ...(step.stream && { headers: refuseCompression((input as JsonObject)['headers']) }),
      url: typeof filledUrl === 'object' ? filledUrl : toText(filledUrl),
    } as unknown as RequestInput,
    baseUrl: baseUrl === undefined ? undefined : toText(baseUrl),
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

function buildStep({ plan, environment: { settings } }: SuiteRun, step: StepPlan, filled: FilledRequest) {
  const { input, baseUrl } = step.websocket ? asHttp(filled) : filled
  return buildRequest(step.defaultAuth ? keepAtHome(filled) : input, {
    baseUrl,
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

function describe(
  run: SuiteRun,
  step: StepPlan,
  made: { outcome: AttemptOutcome; exchange: Exchange; filled: FilledRequest },
): ResponseContext | undefined {
  const { outcome, exchange, filled } = made
  const response = exchange.response && createResponseContext(exchange, run, step)
  const rawUrl = `${run.plan.baseUrl === undefined ? '' : '{{base_url}}'}${step.request?.url ?? ''}`
  const { file } = filled.input
  outcome.exchange = {
    request: exchange.request,
    ...(exchange.response && { response: exchange.response }),
    ...(file !== undefined && { file: join(dirname(run.plan.file), file) }),
  }
  outcome.details.request_details = describeRequest(exchange, { ...filled, rawUrl })
  if (response) {
    const { status_code, headers, body, size_bytes } = response
    const transfer_bytes = exchange.response?.transferBytes ?? 0
    outcome.details.response_details = { status_code, headers, body, size_bytes, transfer_bytes }
  }
  outcome.details.timings = roundTimings(exchange.timings)
  if (exchange.redirects.length > 0) outcome.details.redirects = exchange.redirects
  if (exchange.connection) outcome.details.connection = exchange.connection
  if (exchange.authRequests) outcome.details.auth_requests = exchange.authRequests
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
