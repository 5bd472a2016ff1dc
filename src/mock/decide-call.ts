import { readMessage } from '../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import { describeValue, readText } from '../request/request-problem.ts'
import type { Position } from '../source.ts'
import { countOf, MAX_TIMER_DELAY } from '../text/units.ts'
import { cut } from '../text/show-value.ts'
import { buildAnswer } from './build-answer.ts'
import { describeForTemplates, matchMock, type FillPart, type OutgoingCall } from './match-mock.ts'
import type { Mock, MockAnswer, MockCall, UnhandledPolicy } from './mock.ts'
import { nameMock, type MockLayer } from './mock-layer.ts'
import { createRefusal, createReset, runAsOwnRequest } from './network.ts'

export type Decision = {
  note: MockCall
  /** Without it, the request goes to the network. */
  action?: { response: Response } | { error: Error } | 'never'
  /** ms to wait before the action. */
  delay?: number
  /** The end of this layer cuts the wait short. */
  layer?: MockLayer
}

export type DecisionTools = {
  msw: typeof import('msw')
  policy: UnhandledPolicy
  /** The innermost scope at the moment of recording: a call may end in another scope than it began in. */
  readonly current: MockLayer
  /** The latest scopes that have ended. */
  readonly ended: readonly MockLayer[]
}

type Asked = { call: OutgoingCall; tools: DecisionTools }

/** Asks the layers, innermost first, how to handle an outgoing request, and records problems; never rejects. */
export async function decideCall(
  call: OutgoingCall,
  layers: readonly MockLayer[],
  tools: DecisionTools,
): Promise<Decision> {
  const asked: Asked = { call, tools }
  // Why mocks of the same URL did not match.
  const misses: string[] = []
  try {
    for (const layer of layers) {
      const decision = (await askMocks(asked, layer, misses)) ?? (await askHandlers(asked, layer))
      if (decision) return decision
    }
  } catch (error) {
    return refuseFailed(asked, { reason: `its mock failed: ${readMessage(error)}` })
  }
  const mocks = layers.flatMap((layer) => layer.mocks.map(({ mock }) => `a mock is for ${nameMock(mock)}`))
  const late = await listLate(asked)
  const near = [...new Set([...late, ...(misses.length > 0 ? misses : mocks)])].slice(0, 3).join('; ')
  return leaveUnhandled(asked, { reason: `no mock answered it${near === '' ? '' : ` (${near})`}` })
}

/** The mocks that would have answered if their step had not ended. */
async function listLate({ call, tools: { ended, msw } }: Asked): Promise<string[]> {
  const found: string[] = []
  for (const { mocks, context } of ended)
    for (const { mock } of mocks) {
      const fill: FillPart = (pointer, value, locals = Object.create(null) as JsonObject) =>
        context.fillIn({ mock, pointer, value }, locals).value
      const match = await matchMock(mock, call, { fill, matchUrl: msw.matchRequestUrl }).catch(
        () => undefined,
      )
      if (match && 'path' in match)
        found.push(
          `the mock at ${context.file}:${mock.at[0]} matches, but its step has ended: write it beside \`steps\``,
        )
    }
  return found
}

/** Lets the first matching mock with calls left answer. Refuses if all that match are used up; undefined if none matches. */
async function askMocks(asked: Asked, layer: MockLayer, misses: string[]): Promise<Decision | undefined> {
  const { call, tools } = asked
  let exceeded: Mock | undefined
  for (const active of layer.mocks) {
    const { mock } = active
    const place = `the mock at ${layer.context.file}:${mock.at[0]}`
    /** Fills in a part of the mock; a `{{…}}` without a value stays as written and is a warning. */
    const fill: FillPart = (pointer, value, locals = Object.create(null) as JsonObject) => {
      const filled = layer.context.fillIn({ mock, pointer, value }, locals)
      for (const { message, line, column } of filled.warnings)
        tools.current.addWarning(message, [line, column])
      call.learn(filled.value)
      return filled.value
    }
    try {
      const match = await matchMock(mock, call, { fill, matchUrl: tools.msw.matchRequestUrl })
      if (match === undefined) continue
      if ('reason' in match) {
        call.learn({ params: call.params, headers: call.headers })
        misses.push(`${place} does not match: ${match.reason}`)
      } else if (active.calls >= (mock.times ?? Infinity)) {
        exceeded ??= mock
        // It forbids the request, whatever stands below it.
        if (mock.times === 0) break
      } else {
        active.calls++
        return await answerFromMock(asked, { mock, layer, place, fill, path: match.path })
      }
    } catch (error) {
      // The application has aborted its request, so its body cannot be read.
      if (call.request.signal.aborted) throw error
      tools.current.addProblem(`The mock of ${nameMock(mock)} cannot be used: ${readMessage(error)}`, mock.at)
      misses.push(`${place} cannot be used`)
    }
  }
  if (!exceeded) return undefined
  const { times = 0 } = exceeded
  const [wanted, again] =
    times === 0 ? ['not to be called', ''] : [`to be called ${countOf(times, 'time')}`, ' again']
  const problem = `Expected the mock of ${nameMock(exceeded)} ${wanted}, but the application sent ${nameCall(call)}${again}`
  tools.current.addProblem(problem, exceeded.at)
  return refuse(call, `the mock was called ${countOf(times, 'time')} already`)
}

type Matched = { mock: Mock; layer: MockLayer; place: string; fill: FillPart; path: JsonObject }

async function answerFromMock(asked: Asked, { mock, layer, place, fill, path }: Matched): Promise<Decision> {
  const { call } = asked
  const { respond, at } = mock
  if (!respond) return leaveUnhandled(asked, { reason: `${place} has no \`respond\``, at })
  if (respond === 'passthrough')
    return { note: describeNote(call, 'passed_through', `${layer.context.file}:${at[0]}`) }
  const note = describeNote(call, 'mocked', `${layer.context.file}:${at[0]}`)
  const delay = respond.delay_ms ?? 0
  try {
    const locals = await describeForTemplates(call, path)
    const { body: sent = null } = locals['request'] as JsonObject
    if (sent !== null) note.sent = sent
    note.headers = call.headers
    if (respond.error === 'timeout') return { note, action: 'never', delay: MAX_TIMER_DELAY, layer }
    if (respond.error === 'network') return { note, action: { error: createReset(place) }, delay, layer }
    const filled = fill('/respond', respond as unknown as Json, locals) as unknown as MockAnswer
    const { file } = filled
    const content =
      file === undefined
        ? undefined
        : await layer.context.readFile(readText(file, 'respond.file'), respond.file ?? '')
    const response = buildAnswer(filled, content)
    if (isCutOff(response, filled.body)) asked.tools.current.addWarning(CUT_OFF, at)
    note.status_code = response.status
    if (filled.body !== undefined) note.answered = filled.body
    return { note, action: { response }, delay, layer }
  } catch (error) {
    return refuseFailed(asked, { reason: `${place} could not answer: ${readMessage(error)}`, at })
  }
}

const CUT_OFF =
  'The events of this mock do not end with an empty line, so clients ignore the last one. If it is a block of YAML, write `body: |+`.'

/** True for server-sent events of which the last is not complete. */
function isCutOff({ headers }: Response, body?: Json): boolean {
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true
  return isStream && typeof body === 'string' && !/(\r\n|\n|\r)\1$/.test(body)
}

async function askHandlers({ call, tools: { msw } }: Asked, layer: MockLayer): Promise<Decision | undefined> {
  if (layer.handlers.length === 0) return undefined
  // Requests a handler sends itself, as with MSW's `bypass()`, go to the network.
  const response = await runAsOwnRequest(() => msw.getResponse([...layer.handlers], call.copy()))
  if (!response) return undefined
  if (Object.prototype.toString.call(response) !== '[object Response]')
    throw new TypeError(
      `Expected a handler to return a response such as \`HttpResponse.json(…)\`, got ${describeValue(response as never)}`,
    )
  if (msw.isPassthroughResponse(response)) return { note: describeNote(call, 'passed_through') }
  const note = describeNote(call, 'mocked', layer.context.file)
  // MSW uses Response.error() for a network error.
  if (response.type === 'error')
    return { note, action: { error: createReset('response of a handler') }, layer }
  note.status_code = response.status
  return { note, action: { response: inChunks(response) }, layer }
}

/** Sends a body of unknown length in chunks, as servers do, so that a client notices if it breaks off. */
function inChunks(response: Response): Response {
  if (!response.body || response.headers.has('content-length')) return response
  const headers = new Headers(response.headers)
  headers.set('transfer-encoding', 'chunked')
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
}

/** Why a call got no answer, and the position of the mock responsible, if any. */
type Blame = { reason: string; at?: Position }

/** Refuses a call whose mock or handler threw. That is no problem if the application itself aborted the request. */
function refuseFailed({ call, tools }: Asked, { reason, at }: Blame): Decision {
  if (!call.request.signal.aborted)
    tools.current.addProblem(`The application sent ${nameCall(call)} and got no response: ${reason}`, at)
  return refuse(call, reason)
}

function leaveUnhandled({ call, tools: { policy, current } }: Asked, { reason, at }: Blame): Decision {
  const message = `The application sent ${nameCall(call)} and ${reason}.`
  if (policy === 'warn') current.addWarning(`${message} It went to the network.`, at)
  if (policy !== 'error') return { note: describeNote(call, 'passed_through') }
  current.addProblem(
    `${message} Add a mock with a \`respond\`, which can be \`passthrough\`, or set the option \`onUnhandled\`.`,
    at,
  )
  return refuse(call, reason)
}

function refuse(call: OutgoingCall, reason: string): Decision {
  const error = createRefusal(`${nameCall(call)}: ${reason}`)
  return { note: describeNote(call, 'unhandled'), action: { error } }
}

function describeNote({ method, url }: OutgoingCall, outcome: MockCall['outcome'], mock?: string): MockCall {
  return { method, url: url.href, outcome, ...(mock !== undefined && { mock }) }
}

function nameCall({ method, url }: OutgoingCall): string {
  return `\`${method} ${cut(url.href, 300)}\``
}
