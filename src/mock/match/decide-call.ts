import { readMessage } from '../../errors.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { Position } from '../../source.ts'
import { cut } from '../../text/show-value.ts'
import { createRefusal, createReset } from '../intercept/connection-errors.ts'
import { describeForAnswer, type OutgoingCall } from '../intercept/outgoing-call.ts'
import { countTimes, nameMock, type MockLayer } from '../mock-layer.ts'
import type { Mock, MockAnswer, MockCall, UnhandledPolicy } from '../mock.ts'
import { buildAnswer } from './build-answer.ts'
import { matchMock, type FillPart } from './match-mock.ts'

/** How a request is handled. */
export type Decision = {
  note: MockCall
  /** Without `action` the request goes to the network. */
  action?: { response: Response } | { error: Error } | 'never'
  /** Wait before the action in ms. */
  delay: number
  /** Its end cuts the wait short. */
  layer?: MockLayer
}

/** What a decision needs beside the request; MSW is loaded with the first mock. */
export type DecisionTools = {
  msw: typeof import('msw')
  policy: UnhandledPolicy
  /** The innermost scope that is open when something has to be noted: a call may end in another than it began in. */
  readonly current: MockLayer
}

/** Decides by layers, innermost first, how an outgoing request is handled, and notes what is wrong about it; never rejects. */
export async function decideCall(
  call: OutgoingCall,
  layers: readonly MockLayer[],
  tools: DecisionTools,
): Promise<Decision> {
  // What kept the mocks of the same URL from matching.
  const misses: string[] = []
  try {
    for (const layer of layers) {
      const decision =
        (await askMocks(call, { layer, misses }, tools)) ?? (await askHandlers(call, layer, tools))
      if (decision) return decision
    }
    const mocks = layers.flatMap((layer) => layer.mocks.map(({ mock }) => `a mock is for ${nameMock(mock)}`))
    const near = (misses.length > 0 ? misses : mocks).slice(0, 3).join('; ')
    return leaveUnhandled(call, tools, { reason: `no mock answered it${near === '' ? '' : ` (${near})`}` })
  } catch (error) {
    return refuseFailed(call, tools, { reason: `its mock failed: ${readMessage(error)}` })
  }
}

/** The first mock that matches answers, and its call is counted; unless all that match have been called often enough. */
async function askMocks(
  call: OutgoingCall,
  { layer, misses }: { layer: MockLayer; misses: string[] },
  tools: DecisionTools,
): Promise<Decision | undefined> {
  let exceeded: Mock | undefined
  for (const active of layer.mocks) {
    const { mock } = active
    const place = `the mock at ${layer.context.file}:${mock.at[0]}`
    const fill = prepareFill(mock, layer, tools)
    let match: Awaited<ReturnType<typeof matchMock>>
    try {
      match = await matchMock(mock, call, { fill, matchUrl: tools.msw.matchRequestUrl })
    } catch (error) {
      // The application has given its request up: its body cannot be read.
      if (call.request.signal.aborted) throw error
      const problem = `The mock of ${nameMock(mock)} cannot be used: ${readMessage(error)}`
      tools.current.addProblem(problem, mock.at)
      misses.push(`${place} cannot be used`)
      continue
    }
    if (match === undefined) continue
    if ('reason' in match) misses.push(`${place} does not match: ${match.reason}`)
    else if (active.calls >= (mock.times ?? Infinity)) exceeded ??= mock
    else {
      active.calls++
      return answerFromMock(call, { mock, layer, place, fill, path: match.path }, tools)
    }
  }
  return exceeded && refuseExceeded(call, exceeded, tools)
}

/** Fills in parts of a mock, and notes each `{{…}}` that has no value and stays as written. */
function prepareFill(mock: Mock, { context }: MockLayer, tools: DecisionTools): FillPart {
  return (pointer, value, locals = Object.create(null) as JsonObject) => {
    const filled = context.fillIn({ mock, pointer, value }, locals)
    for (const { message, at } of filled.warnings) tools.current.addWarning(message, at)
    return filled.value
  }
}

type Matched = { mock: Mock; layer: MockLayer; place: string; fill: FillPart; path: JsonObject }

async function answerFromMock(
  call: OutgoingCall,
  { mock, layer, place, fill, path }: Matched,
  tools: DecisionTools,
): Promise<Decision> {
  if (mock.respond === undefined || mock.respond === null)
    return leaveUnhandled(call, tools, { reason: `${place} has no \`respond\``, at: mock.at })
  const note = { ...describeNote(call, 'mocked'), mock: `${layer.context.file}:${mock.at[0]}` }
  const delay = mock.respond.delay_ms ?? 0
  if (mock.respond.error === 'timeout') return { note, action: 'never', delay, layer }
  if (mock.respond.error === 'network') return { note, action: { error: createReset(place) }, delay, layer }
  try {
    const locals = await describeForAnswer(call, path)
    const filled = fill('/respond', mock.respond as unknown as Json, locals) as unknown as MockAnswer
    const response = buildAnswer(filled)
    const { body: sent = null } = locals['request'] as JsonObject
    if (sent !== null) note.sent = sent
    if (filled.body !== undefined) note.answered = filled.body
    return { note: { ...note, status_code: response.status }, action: { response }, delay, layer }
  } catch (error) {
    const reason = `${place} could not answer: ${readMessage(error)}`
    return refuseFailed(call, tools, { reason, at: mock.at })
  }
}

async function askHandlers(
  call: OutgoingCall,
  layer: MockLayer,
  { msw }: DecisionTools,
): Promise<Decision | undefined> {
  if (layer.handlers.length === 0) return undefined
  const response = await msw.getResponse([...layer.handlers], call.request.clone())
  if (!response) return undefined
  if (msw.isPassthroughResponse(response)) return { note: describeNote(call, 'passed_through'), delay: 0 }
  const note = { ...describeNote(call, 'mocked'), mock: layer.context.file }
  // Response.error() is MSW's network error.
  if (response.type === 'error')
    return { note, action: { error: createReset('answer of a handler') }, delay: 0, layer }
  return { note: { ...note, status_code: response.status }, action: { response }, delay: 0, layer }
}

/** Why a call got no answer, and the mock that is to blame for it, if one is. */
type Blame = { reason: string; at?: Position }

/** For a mock or handler that throws; a request that the application itself gave up is nobody's failure. */
function refuseFailed(call: OutgoingCall, tools: DecisionTools, { reason, at }: Blame): Decision {
  if (!call.request.signal.aborted)
    tools.current.addProblem(`The application sent ${nameCall(call)} and got no answer: ${reason}`, at)
  return refuse(call, reason)
}

/** For a call of a mock that has been called as often as its `times` says. */
function refuseExceeded(call: OutgoingCall, mock: Mock, { current }: DecisionTools): Decision {
  const { times = 0 } = mock
  const wanted = times === 0 ? 'not to be called' : `to be called ${countTimes(times)}`
  const again = times === 0 ? '' : ' again'
  current.addProblem(
    `Expected the mock of ${nameMock(mock)} ${wanted}, but the application sent ${nameCall(call)}${again}`,
    mock.at,
  )
  return refuse(call, `the mock was called ${countTimes(times)} already`)
}

/** For a call that nothing answers: it is refused, or goes to the network, as the policy says. */
function leaveUnhandled(
  call: OutgoingCall,
  { policy, current }: DecisionTools,
  { reason, at }: Blame,
): Decision {
  const message = `The application sent ${nameCall(call)} and ${reason}.`
  if (policy === 'error') {
    const hint = 'Add a mock with a `respond`, or set the option `onUnhandled`.'
    current.addProblem(`${message} ${hint}`, at)
    return refuse(call, reason)
  }
  if (policy === 'warn') current.addWarning(`${message} It went to the network.`, at)
  return { note: describeNote(call, 'passed_through'), delay: 0 }
}

function refuse(call: OutgoingCall, reason: string): Decision {
  const error = createRefusal(`${nameCall(call)}: ${reason}`)
  return { note: describeNote(call, 'unhandled'), action: { error }, delay: 0 }
}

/** A call as reports name it. */
function describeNote({ method, url }: OutgoingCall, outcome: MockCall['outcome']): MockCall {
  return { method, url: url.href, outcome }
}

function nameCall({ method, url }: OutgoingCall): string {
  return `\`${method} ${cut(url.href, 300)}\``
}

/** Decides about an HTTP/2 connection, which no mock can answer: the error that ends it, or undefined to let it go to the network. */
export function decideHttp2({ href }: URL, { current, policy }: DecisionTools): Error | undefined {
  const message = `The application opened an HTTP/2 connection to \`${href}\`, which mocks cannot answer.`
  if (policy === 'error') {
    current.addProblem(`${message} Let it use HTTP/1.1, or set the option \`onUnhandled\`.`)
    return createRefusal(message)
  }
  if (policy === 'warn') current.addWarning(`${message} It went to the network.`)
  return undefined
}
