import { createRefusal, createReset } from '../intercept/connection-errors.ts'
import { readMessage } from '../../errors.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { Position } from '../../source.ts'
import { describeForAnswer, type OutgoingCall } from '../intercept/outgoing-call.ts'
import { describeBroken, nameMock, placeMock, prepareFill } from '../mock-layer.ts'
import type { MockLayer, ScopeReport } from '../mock-layer.ts'
import type { Mock, MockAnswer, MockCall, UnhandledPolicy } from '../mock.ts'
import { buildAnswer } from './build-answer.ts'
import { matchMock } from './match-mock.ts'
import { cut } from '../../text/show-value.ts'

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
  /** Where to look, innermost layer first. */
  layers: readonly MockLayer[]
  msw: typeof import('msw')
  /** Gives the report of the scope that is open when something has to be noted. */
  report: { readonly current: ScopeReport }
  policy: UnhandledPolicy
  /** Place of problems that belong to no mock. */
  at: Position
}

/** Decides how an outgoing request is handled, and notes what is wrong about it; never rejects. */
export async function decideCall(call: OutgoingCall, tools: DecisionTools): Promise<Decision> {
  // What kept the mocks of the same URL from matching.
  const misses: string[] = []
  try {
    for (const layer of tools.layers) {
      const decision =
        (await askMocks(call, layer, { ...tools, misses })) ?? (await askHandlers(call, layer, tools))
      if (decision) return decision
    }
    const mocks = tools.layers.flatMap((layer) => layer.mocks.map(({ mock }) => mock))
    const others = mocks.map(({ method = '', url }) => `a mock is for \`${`${method} ${url}`.trim()}\``)
    const near = (misses.length > 0 ? misses : others).slice(0, 3).join('; ')
    const why = near === '' ? '' : ` (${near})`
    return leaveUnhandled(call, tools, `no mock answered it${why}`)
  } catch (error) {
    return refuseFailed(call, tools, `its mock failed: ${readMessage(error)}`)
  }
}

/** The first mock that matches answers, and its call is counted; unless all that match have been called often enough. */
async function askMocks(
  call: OutgoingCall,
  layer: MockLayer,
  tools: DecisionTools & { misses: string[] },
): Promise<Decision | undefined> {
  const { msw, report, misses } = tools
  let exceeded: Mock | undefined
  for (const active of layer.mocks) {
    const { mock } = active
    const place = placeMock({ mock, file: layer.context.file })
    let match: Awaited<ReturnType<typeof matchMock>>
    try {
      const fill = prepareFill(mock, layer.context, report.current)
      match = await matchMock(mock, call, { fill, matchUrl: msw.matchRequestUrl })
    } catch (error) {
      // The application has given its request up: its body cannot be read.
      if (call.request.signal.aborted) throw error
      report.current.addProblem(describeBroken(mock, error), mock.at)
      misses.push(`the mock at ${place} cannot be used`)
      continue
    }
    if (match === undefined) continue
    if ('reason' in match) misses.push(`the mock at ${place} does not match: ${match.reason}`)
    else if (active.calls >= (mock.times ?? Infinity)) exceeded ??= mock
    else {
      active.calls++
      return answerFromMock(call, { mock, layer, path: match.path }, tools)
    }
  }
  return exceeded && refuseExceeded(call, exceeded, tools)
}

async function answerFromMock(
  call: OutgoingCall,
  { mock, layer, path }: { mock: Mock; layer: MockLayer; path: JsonObject },
  tools: DecisionTools,
): Promise<Decision> {
  const place = placeMock({ mock, file: layer.context.file })
  if (mock.respond === undefined || mock.respond === null)
    return leaveUnhandled(call, { ...tools, at: mock.at }, `the mock at ${place} has no \`respond\``)
  const note: MockCall = { ...describeNote(call), mock: place, outcome: 'mocked' }
  const delay = mock.respond.delay_ms ?? 0
  if (mock.respond.error === 'timeout') return { note, action: 'never', delay, layer }
  if (mock.respond.error === 'network')
    return { note, action: { error: createReset(`mock at ${place}`) }, delay, layer }
  try {
    const locals = await describeForAnswer(call, path)
    const fill = prepareFill(mock, layer.context, tools.report.current)
    const filled = fill('/respond', mock.respond as unknown as Json, locals)
    const response = buildAnswer(filled as unknown as MockAnswer)
    const sent = (locals['request'] as JsonObject)['body'] ?? null
    const { body: answered } = filled as unknown as MockAnswer
    Object.assign(note, { ...(sent !== null && { sent }), ...(answered !== undefined && { answered }) })
    return { note: { ...note, status_code: response.status }, action: { response }, delay, layer }
  } catch (error) {
    const reason = `the mock at ${place} could not answer: ${readMessage(error)}`
    return refuseFailed(call, { ...tools, at: mock.at }, reason)
  }
}

async function askHandlers(
  call: OutgoingCall,
  layer: MockLayer,
  { msw }: DecisionTools,
): Promise<Decision | undefined> {
  if (layer.handlers.length === 0) return undefined
  const response = await msw.getResponse(layer.handlers, call.request.clone())
  if (!response) return undefined
  if (msw.isPassthroughResponse(response))
    return { note: { ...describeNote(call), outcome: 'passed_through' }, delay: 0 }
  const note: MockCall = { ...describeNote(call), mock: layer.context.file, outcome: 'mocked' }
  // Response.error() is MSW's network error.
  if (response.type === 'error')
    return { note, action: { error: createReset('answer of a handler') }, delay: 0, layer }
  return { note: { ...note, status_code: response.status }, action: { response }, delay: 0, layer }
}

/** For a mock or handler that throws; a request that the application itself gave up is nobody's failure. */
function refuseFailed(call: OutgoingCall, { report, at }: DecisionTools, reason: string): Decision {
  if (!call.request.signal.aborted)
    report.current.addProblem(`The application sent ${nameCall(call)} and got no answer: ${reason}`, at)
  return refuse(call, reason)
}

/** For a call of a mock that has been called as often as its `times` says. */
function refuseExceeded(call: OutgoingCall, mock: Mock, { report }: DecisionTools): Decision {
  const times = mock.times === 1 ? '1 time' : `${mock.times} times`
  const message =
    mock.times === 0
      ? `Expected the mock of ${nameMock(mock)} not to be called, but the application sent ${nameCall(call)}`
      : `Expected the mock of ${nameMock(mock)} to be called ${times}, but the application sent ${nameCall(call)} again`
  report.current.addProblem(message, mock.at)
  return refuse(call, `the mock was called ${times} already`)
}

/** For a call that nothing answers: it is refused, or goes to the network, as the policy says. */
function leaveUnhandled(call: OutgoingCall, { policy, report, at }: DecisionTools, reason: string): Decision {
  const message = `The application sent ${nameCall(call)} and ${reason}.`
  if (policy === 'error') {
    report.current.addProblem(
      `${message} Add a mock with a \`respond\`, or set the option \`onUnhandled\`.`,
      at,
    )
    return refuse(call, reason)
  }
  if (policy === 'warn') report.current.addWarning(`${message} It went to the network.`, at)
  return { note: { ...describeNote(call), outcome: 'passed_through' }, delay: 0 }
}

function refuse(call: OutgoingCall, reason: string): Decision {
  return {
    note: { ...describeNote(call), outcome: 'unhandled' },
    action: { error: createRefusal(`${nameCall(call)}: ${reason}`) },
    delay: 0,
  }
}

/** A call as reports name it. */
function describeNote({ method, url }: OutgoingCall): Pick<MockCall, 'method' | 'url'> {
  return { method, url: url.href }
}

function nameCall({ method, url }: OutgoingCall): string {
  return `\`${method} ${cut(url.href, 300)}\``
}

/** Decides about an HTTP/2 connection, which no mock can answer: the error that ends it, or undefined to let it go to the network. */
export function decideHttp2(
  { href }: URL,
  { report, at, policy }: Pick<DecisionTools, 'report' | 'at' | 'policy'>,
): Error | undefined {
  const message = `The application opened an HTTP/2 connection to \`${href}\`, which mocks cannot answer.`
  if (policy === 'error') {
    report.current.addProblem(`${message} Let it use HTTP/1.1, or set the option \`onUnhandled\`.`, at)
    return createRefusal(message)
  }
  if (policy === 'warn') report.current.addWarning(`${message} It went to the network.`, at)
  return undefined
}
