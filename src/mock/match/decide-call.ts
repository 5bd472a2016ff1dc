import type { Json, JsonObject } from '../../json.ts'
import type { Position } from '../../source.ts'
import { describeForAnswer, type OutgoingCall } from '../intercept/outgoing-call.ts'
import { nameMock, placeMock, readMessage, prepareFill, type MockLayer } from '../mock-layer.ts'
import type { Mock, MockAnswer, MockCall, UnhandledPolicy } from '../mock.ts'
import { buildAnswer } from './build-answer.ts'
import { findAnswer, type FoundAnswer, type SearchTools } from './find-answer.ts'
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

/** What a decision needs beside the request. */
export type DecisionTools = SearchTools & {
  policy: UnhandledPolicy
  /** Place of problems that belong to no mock. */
  at: Position
}

/** Decides how an outgoing request is handled, and notes what is wrong about it; never rejects. */
export async function decideCall(call: OutgoingCall, tools: DecisionTools): Promise<Decision> {
  try {
    const found = await findAnswer(call, tools)
    if (found.kind === 'mock') return await answerFromMock(call, found, tools)
    if (found.kind === 'handler') return answerFromHandler(call, found, tools)
    if (found.kind === 'exceeded') return refuseExceeded(call, found.active.mock, tools)
    return leaveUnhandled(call, tools, `no mock answered it${listMisses(found.misses)}`)
  } catch (error) {
    return refuseFailed(call, tools, `its mock failed: ${readMessage(error)}`)
  }
}

type Found<Kind extends FoundAnswer['kind']> = Extract<FoundAnswer, { kind: Kind }>

async function answerFromMock(
  call: OutgoingCall,
  { active, layer, path }: Found<'mock'>,
  tools: DecisionTools,
): Promise<Decision> {
  const { mock } = active
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

function answerFromHandler(
  call: OutgoingCall,
  { response, layer }: Found<'handler'>,
  { msw }: DecisionTools,
): Decision {
  if (msw.isPassthroughResponse(response))
    return { note: { ...describeNote(call), outcome: 'passed_through' }, delay: 0 }
  const note: MockCall = { ...describeNote(call), mock: layer.context.file, outcome: 'mocked' }
  // Response.error() is MSW's network error.
  if (response.type === 'error')
    return { note, action: { error: createReset('answer of a handler') }, delay: 0, layer }
  return { note: { ...note, status_code: response.status }, action: { response }, delay: 0, layer }
}

function listMisses(misses: readonly string[]): string {
  return misses.length === 0 ? '' : ` (${misses.slice(0, 3).join('; ')})`
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
      : `Expected the mock of ${nameMock(mock)} to be called ${times}, but the application sent ${nameCall(call)} once more`
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

/** An error like the one of a connection that the other side reset. */
export function createReset(reason: string): Error {
  return createError({ code: 'ECONNRESET', errno: -104, syscall: 'read' }, reason)
}

/** An error like the one of a port where nobody listens. */
function createRefusal(reason: string): Error {
  return createError({ code: 'ECONNREFUSED', errno: -111, syscall: 'connect' }, reason)
}

function createError(fields: { code: string; errno: number; syscall: string }, reason: string): Error {
  return Object.assign(new Error(`${fields.syscall} ${fields.code} (${reason})`), fields)
}
