import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ResponseContext } from '../../assertion/check-context.ts'
import { waitForCalls } from '../../interpolation/sandbox/wait-for-calls.ts'
import { readVariable } from '../../interpolation/variables/scope.ts'
import { isJsonObject, makeMap, toText, type Json, type JsonObject } from '../../json.ts'
import { buildRequest } from '../../request/build/build-request.ts'
import { embedInUrl, findOrigin, toHttpUrl } from '../../request/build/build-url.ts'
import { handshakeKeys, requestKeys, type RequestInput } from '../../request/build/request-input.ts'
import { groupHeaders, type RequestSpec } from '../../request/exchange.ts'
import type { RedirectRules } from '../../request/follow-redirect.ts'
import type { SendOptions } from '../../request/send-request.ts'
import { createSuiteRedactor } from '../../secrets/suite-redactor.ts'
import { listParts, listSteps } from '../../suite/plan/plan.ts'
import { findReplaced } from '../../suite/shared/placed.ts'
import { explainBadName } from '../../text/explain-bad-name.ts'
import type { StepFailure } from '../step-outcome.ts'
import { listVisible, readSentFile } from '../suite-run.ts'
import { failRequest, markAttempt, warn, type StepAttempt } from './attempt.ts'
import { listLocals, noteExchange, type FilledRequest } from './describe-exchange.ts'
import { fillPart, locateTemplate, noteUnfilled } from './fill-part.ts'

/** A request ready to be sent, and what it was built from. */
export type PreparedStep = { spec: RequestSpec; options: SendOptions; filled: FilledRequest }

/** Sends a step's request once and records the exchange. Without a complete response, fails the attempt and returns undefined. */
export async function sendStep(
  attempt: StepAttempt,
  { spec, options, filled }: PreparedStep,
): Promise<ResponseContext | undefined> {
  const { run, step } = attempt
  const exchange = await run.environment.client.send(spec, options)
  const response = noteExchange(attempt, exchange, filled)
  if (exchange.failure) failRequest(attempt, exchange.failure)
  if (!response || !exchange.response || exchange.failure) return undefined
  if (step.save !== undefined) await saveBody(attempt, step.save, exchange.response.body)
  return response
}

/** Fills in and builds a step's request. If that fails, adds the failure to the attempt and returns undefined. */
export async function prepareStep(attempt: StepAttempt): Promise<PreparedStep | undefined> {
  const { run, signal, failures } = attempt
  const { hooks, hold, readBlocked } = run.environment
  const filled = await waitForCalls(() => fillRequest(attempt), {
    mark: () => markAttempt(attempt),
    signal,
  })
  attempt.learn?.({ filled: filled.input })
  if (hooks?.beforeEach && failures.length === 0) {
    filled.input = await runBeforeEach(attempt, filled.input)
    attempt.learn?.({ filled: filled.input })
  }
  if (failures.length === 0) {
    const built = await buildStep(attempt, filled)
    if ('spec' in built) {
      const options: SendOptions = {
        ...createRules(attempt, filled.input),
        signal,
        cookies: run.jar,
        hold,
        // An application in this process may print them at once.
        onSecrets: (url, headers) => attempt.learn?.({ filled: { url, headers: groupHeaders(headers) } }),
        // If an application in this process blocks the event loop, that counts as time of the application.
        readBlocked: 'app_url' in run.given ? undefined : readBlocked,
      }
      return { spec: built.spec, options, filled }
    }
    failRequest(attempt, built.problem, locateField(attempt, built.problem))
  }
  attempt.isFinal = true
  return undefined
}

/** The position of the template in the field that a message names first, or in that header: `body.items.0.id`. */
function locateField(attempt: StepAttempt, message: string): ReturnType<typeof locateTemplate> {
  const { run } = attempt
  const [, isHeader, field = ''] = /(header )?`(.+?)`/.exec(message) ?? []
  const path = isHeader ? ['headers', field] : field.split('.')
  return locateTemplate(run.plan, pointAtRequest(attempt), { path, offset: 0 })
}

function pointAtRequest({ step, trigger }: StepAttempt): string {
  return trigger?.pointer ?? `${step.pointer}/${step.websocket ? 'websocket' : 'request'}`
}

async function runBeforeEach(attempt: StepAttempt, input: RequestInput): Promise<RequestInput> {
  const { run, step, signal } = attempt
  const { id, name, at } = step
  const request = structuredClone(input) as unknown as JsonObject
  const context = { step: { id, name }, request, variables: listVisible(attempt) }
  try {
    const changed = await run.environment.hooks?.beforeEach?.(context, signal)
    if (!isJsonObject(changed) || typeof changed['url'] !== 'string')
      throw new Error('`beforeEach` left no request with a `url`.')
    const known = step.websocket ? handshakeKeys : requestKeys
    // Hooks may set these for all requests; a handshake ignores them.
    const given = new Set([...known, ...Object.keys(input), 'follow_redirects', 'http2'])
    const unknown = Object.keys(changed).find((key) => !given.has(key))
    if (unknown === undefined) return changed as unknown as RequestInput
    throw new Error(
      `\`beforeEach\` set \`request.${unknown}\`, which it does not have; available: ${known.join(', ')}.`,
    )
  } catch (error) {
    attempt.failures.push({ message: (error as Error).message, at })
    return input
  }
}

/** Passes a response to the user's `afterEach`. An error it throws fails the step, once for all responses of a burst. */
export async function runAfterEach(
  { run, step, signal, failures }: StepAttempt,
  response: ResponseContext,
): Promise<void> {
  const { id, name, at } = step
  const context = { step: { id, name }, request: response.request, response: listLocals(response) }
  await run.environment.hooks?.afterEach?.(context, signal).catch(({ message }: Error) => {
    if (!failures.some((other) => other.message === message)) failures.push({ message, at })
  })
}

function fillRequest(attempt: StepAttempt): FilledRequest {
  const { run, step } = attempt
  const { plan } = run
  const { url = '', ...rest } = (step.request ?? {}) as JsonObject
  const pointer = pointAtRequest(attempt)
  const base = plan.baseUrl ?? ('app_url' in run.given ? '{{app_url}}' : undefined)
  const own = fillPart(attempt, rest, { pointer, at: step.at }) as JsonObject
  for (const key of ['params', 'headers', 'form', 'multipart']) {
    // Such a list is ours: the defaults, and the template of the step.
    if (Array.isArray(rest[key])) own[key] = joinDefaults(own[key] as [JsonObject, Json], key)
    if (own[key] === null) delete own[key]
  }
  const shared = fillPart(attempt, plan.connection, { pointer: '', at: plan.at })
  const target = fillUrl(attempt, url, `${pointer}/url`)
  return {
    input: {
      ...(shared as JsonObject),
      ...own,
      ...(step.stream && { headers: refuseCompression(own['headers']) }),
      url: typeof target === 'object' ? target : toText(target),
    } as unknown as RequestInput,
    baseUrl: base && toText(fillPart(attempt, base, { pointer: '/base_url', at: plan.at }) ?? ''),
  }
}

/** The fields that a template gave, and the defaults that they do not replace. */
function joinDefaults([defaults, given]: [defaults: JsonObject, given: Json], key: string): Json {
  if (given === null) return defaults
  if (!isJsonObject(given)) return given
  const isReplaced = findReplaced(given, key)
  return makeMap([
    ...Object.entries(defaults).filter(([name]) => !isReplaced(name)),
    ...Object.entries(given),
  ])
}

/** Fills in the URL. Reports a list or map in its path, and a null or empty value that leaves a path segment empty and so may name a whole collection, unless `??` allows it. */
function fillUrl(attempt: StepAttempt, url: Json, pointer: string): Json {
  const { run, step, scope } = attempt
  let [isEmpty, isJson] = [false, false]
  const embed = (text: string, before: string, value: Json): string => {
    isEmpty ||= text === '' && before.endsWith('/')
    isJson ||= typeof value === 'object' && value !== null && !before.includes('?')
    return embedInUrl(text, before)
  }
  const filled = fillPart({ ...attempt, scope: { ...scope, embed } }, url, { pointer, at: step.at })
  const at = locateTemplate(run.plan, pointer) ?? step.at
  const note = (what: string): void =>
    noteUnfilled(attempt, at, { message: `A \`{{…}}\` in the path of the URL is ${what}` })
  if (isJson)
    note('a list or map, and sent as JSON. Insert one of its values, or send it in `params` or `body`.')
  const [path = ''] = isEmpty ? toText(filled).replace('://', '').split(/[?#]/, 1) : []
  if (/\/(?:\/|$)/.test(path) && !/\?\?|\|\|/.test(toText(url)))
    note('null or empty, so part of the path is missing. Capture or set it, or skip the step.')
  return filled
}

/** Headers that ask for no compression: the events of a compressed response could not be read as they arrive. */
function refuseCompression(headers: Json | undefined): Json | undefined {
  const written = isJsonObject(headers) ? headers : {}
  const isSet = Object.keys(written).some((name) => name.toLowerCase() === 'accept-encoding')
  return isSet ? headers : { 'accept-encoding': 'identity', ...written }
}

function buildStep(attempt: StepAttempt, { input, baseUrl }: FilledRequest): ReturnType<typeof buildRequest> {
  const { run, step } = attempt
  const { plan } = run
  const { settings } = run.environment
  const request = { ...input }
  // `buildRequest` refuses a url that is no text.
  if (typeof input.url === 'string') {
    // A WebSocket starts as an HTTP request.
    if (step.websocket) request.url = toHttpUrl(input.url)
    const origin = findOrigin(input.url)
    // Another origin must not get the suite's default credentials.
    const isForeign = origin !== undefined && origin !== findOrigin(baseUrl ?? '')
    if (step.defaultAuth && isForeign) {
      delete request.auth
      const message =
        'The default `auth` was not sent: it goes only to the origin of `base_url`, and there is none. Write a `base_url`.'
      if (!baseUrl) warn(attempt, step.at, message)
    }
  }
  return buildRequest(request, {
    baseUrl: baseUrl && (step.websocket ? toHttpUrl(baseUrl) : baseUrl),
    isHandshake: step.websocket !== undefined,
    defaultTimeout: plan.timeout ?? settings.timeout,
    defaultRedirects: plan.followRedirects ?? settings.followRedirects,
    readFile: (name) => readSentFile(run, name, [(step.request ?? null) as Json, plan.connection]),
  })
}

/** What no other origin may get: values of secret names, also in the request itself and in what was captured, and of the suite's environment variables, even those that reports may show. */
function createRules(attempt: StepAttempt, input: RequestInput): RedirectRules {
  const { run, scope } = attempt
  const { plan, environment } = run
  const createRedactor = () => createSuiteRedactor(plan, environment.settings.redact)
  return {
    isSecretName: (name) => createRedactor().isSecretName(name),
    secretValues() {
      const declared = plan.redact.map((name) => readVariable(scope, name))
      const own = [...declared, ...plan.env.map(({ name }) => environment.env[name])]
      const redactor = createRedactor()
      redactor.learn(listVisible(attempt))
      redactor.learn(input)
      for (const text of [input.body, input.graphql?.query])
        if (typeof text === 'string') redactor.learnSource(text)
      const all = listSteps(plan).flatMap(listParts)
      for (const { name, path = '' } of all.flatMap(({ captures }) => captures))
        redactor.learnField(path, run.captures[name] ?? null)
      return [...own.filter((value) => typeof value === 'string'), ...redactor.known.values()]
    },
  }
}

async function saveBody(attempt: StepAttempt, save: string, body: Uint8Array): Promise<void> {
  const { run, step } = attempt
  const failures: StepFailure[] = []
  const pointer = `${step.pointer}/save`
  const at = locateTemplate(run.plan, pointer)
  const name = toText(fillPart({ ...attempt, failures }, save, { pointer, at: step.at, isNeeded: true }))
  if (failures[0])
    return failRequest(attempt, `The name in \`save\` could not be filled in: ${failures[0].message}`, at)
  const problem = explainBadName(name)
  if (problem !== undefined) return failRequest(attempt, `The response was not saved: ${problem}.`, at)
  const path = join(run.environment.settings.savedFolder, name)
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, body)
  } catch (error) {
    // Nobody should take a part for the whole.
    await rm(path, { force: true }).catch(() => {})
    failRequest(attempt, `The response could not be saved as \`${name}\`: ${(error as Error).message}`)
  }
}
