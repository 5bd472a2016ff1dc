import type { Json, JsonObject } from '../../json.ts'
import { buildAnswer } from './build-answer.ts'
import type { Decision, DecisionTools } from './decision.ts'
import { createReset } from '../intercept/network-errors.ts'
import { findAnswer, type FoundAnswer } from './find-answer.ts'
import type { MockAnswer, MockCall } from '../mock.ts'
import { placeMock, readMessage } from '../mock-layer.ts'
import { prepareFill } from './prepare-fill.ts'
import { describeForAnswer, type OutgoingCall } from '../intercept/outgoing-call.ts'
import { describeNote, leaveUnhandled, refuseExceeded, refuseFailed } from './refuse-call.ts'

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
  if (msw.isPassthrough(response))
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
