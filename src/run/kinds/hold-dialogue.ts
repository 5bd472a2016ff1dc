import { evaluateChecks, failAllChecks } from '../../assertion/judge/evaluate-checks.ts'
import type { ResponseContext } from '../../assertion/check-context.ts'
import { takeCaptures } from '../../capture/take-captures.ts'
import { toText } from '../../json.ts'
import { listHeader, type Exchange } from '../../request/exchange.ts'
import { describeFailure } from '../../request/render/describe-failure.ts'
import { openWebsocket, type WebsocketDialogue } from '../../request/transport/open-websocket.ts'
import { readTimings } from '../../request/transport/progress.ts'
import type { DialogueItem, DialoguePlan } from '../../suite/plan/plan.ts'
import { refuseBase64 } from '../../text/refuse-base64.ts'
import { failRequest, mentions, warn, type StepAttempt } from '../attempt/attempt.ts'
import { createResponseContext, noteExchange } from '../attempt/describe-exchange.ts'
import { fillPart } from '../attempt/fill-part.ts'
import { addCaptures, addCheckResult, createCheckTools, toRow } from '../attempt/judge-response.ts'
import type { PreparedStep } from '../attempt/send-step.ts'
import { sendTrigger } from './send-trigger.ts'

/** Opens a step's WebSocket, goes through its exchange of messages, and closes it. */
export async function holdDialogue(
  attempt: StepAttempt,
  { spec, options, filled }: PreparedStep,
  { exchange: items, protocols }: DialoguePlan,
): Promise<ResponseContext | undefined> {
  const { run, step, scope, captured, details } = attempt
  const { bodyLimit } = run.environment.client
  const opening = run.jar && !spec.withoutJar ? await run.jar.addTo(spec) : spec
  const dialogue = await openWebsocket(opening, { ...options, protocols, bodyLimit })
  const set = listHeader(dialogue.head?.headers ?? [], 'set-cookie')
  for (const refused of (await run.jar?.store(spec.url, set)) ?? []) warn(attempt, step.at, refused)
  // Later messages see what earlier expectations captured.
  const inner = { ...attempt, scope: { ...scope, layers: [captured, ...scope.layers] } }
  if (dialogue.head) await holdTalk({ ...inner, dialogue, timeout: spec.timeout }, items)
  const exchange = toExchange(dialogue)
  const response = noteExchange(attempt, exchange, filled)
  if (exchange.failure) failRequest(attempt, exchange.failure)
  if (!response) return undefined
  const { messages, closed } = dialogue
  const ending = { messages, ...(closed && { close_code: closed.code }) }
  Object.assign(details.response_details ?? {}, ending, closed?.reason && { close_reason: closed.reason })
  return Object.assign(response, ending)
}

type Talk = StepAttempt & { dialogue: WebsocketDialogue; timeout: number }

/** Codes of a normal close, and of servers that just drop the connection. */
const USUAL: ReadonlySet<number> = new Set([1000, 1001, 1005, 1006])

async function holdTalk(talk: Talk, items: readonly DialogueItem[]): Promise<void> {
  const { step, signal, dialogue, failures } = talk
  const status = dialogue.head?.statusCode
  const isOpen = status === 101
  let stopped = isOpen ? undefined : 'there is no connection'
  // The step may expect to be refused.
  const isAsked = items.length === 0 && step.checks.some(({ target }) => target === 'status_code')
  if (!isOpen && !isAsked)
    failRequest(talk, `Expected the WebSocket handshake to be answered with 101, got ${status}.`)
  for (const item of items)
    if (item.kind === 'expect') stopped = (await expectMessage(talk, item, stopped)) ?? stopped
    else if (stopped === undefined && item.kind === 'send') stopped = sendMessage(talk, item)
    else if (stopped === undefined && item.kind === 'trigger')
      stopped = (await sendTrigger(talk, item)) ? undefined : 'an earlier `trigger` failed'
    else if (stopped === undefined && item.kind === 'close') await dialogue.close(item.code)
  if (!isOpen) return
  const asksForClose = mentions(talk, 'close_code')
  if (asksForClose && !dialogue.closed) await dialogue.ended(talk.timeout)
  if (!dialogue.closed) {
    await dialogue.close(1000)
    // The check is about the server's code; this one was ours.
    if (asksForClose) dialogue.closed = undefined
  }
  const { closed: { code, reason } = { code: 1000, reason: '' }, error } = dialogue
  if (failures.length > 0 || signal?.aborted) return
  // Otherwise nobody would notice that the server rejected the last message or sent an invalid one.
  if (error)
    warn(talk, step.at, `The connection broke after the last item of \`exchange\`: ${error.message}.`)
  if (asksForClose || USUAL.has(code) || items.some(({ kind }) => kind === 'close')) return
  const what = `The server closed the connection with ${code}${reason === '' ? '' : ` (${reason})`}`
  warn(
    talk,
    step.at,
    `${what}, and no check looks at that. Write \`close_code: ${code}\` if that is expected.`,
  )
}

function sendMessage(talk: Talk, item: Extract<DialogueItem, { kind: 'send' }>): string | undefined {
  const { dialogue, failures } = talk
  const { value, isBinary, pointer, at } = item
  const before = failures.length
  const data = fillPart(talk, value, { pointer, at })
  if (failures.length > before) return 'an earlier message could not be sent'
  const text = toText(data)
  const problem =
    (isBinary && refuseBase64(data)) ?? dialogue.send(isBinary ? Buffer.from(text, 'base64') : text, data)
  if (problem !== undefined) failRequest(talk, `The message could not be sent: ${problem}.`, at)
  return problem
}

/** Judges the next message. If none came, returns the reason, which applies to later expectations too. */
async function expectMessage(
  talk: Talk,
  item: Extract<DialogueItem, { kind: 'expect' }>,
  stopped: string | undefined,
): Promise<string | undefined> {
  const { dialogue, rows, failures, timeout } = talk
  const { name, type, checks, captures, isNone, within = timeout, at } = item
  const came = stopped ?? (await dialogue.next(within))
  const limit = `${within} ms (limit \`${item.within === undefined ? 'timeout' : 'within'}\`)`
  const message = came ?? (isNone ? undefined : `no message came within ${limit}`)
  if (typeof message === 'string') {
    const reason = `\`${name}\` got no message: ${message}.`
    for (const row of failAllChecks(checks, reason))
      rows.push(toRow({ ...row, field: `${name}.${row.field}` }))
    // What stopped the exchange is reported once; the rows show what was not judged because of it.
    if (stopped === undefined) failures.push({ message: reason, at })
    return stopped ?? `\`${name}\` got no message`
  }
  const exchange = toExchange(dialogue) as Parameters<typeof createResponseContext>[0]
  const response = { ...createResponseContext(exchange, talk), ...(message && { message: message.data }) }
  const tools = await createCheckTools(talk, response)
  if (type && message) {
    const [field, passed] = [`${name}.type`, message.type === type.wanted]
    const words = passed ? 'OK' : `Expected \`${field}\` to be \`${type.wanted}\`, got \`${message.type}\``
    const sides = { expected: type.wanted, actual: message.type }
    addCheckResult(talk, { field, operator: 'equals', ...sides, passed, message: words, at: type.at })
  }
  // Field names start with the name of the message.
  for (const { gap, ...result } of evaluateChecks(checks, response, tools))
    addCheckResult(talk, {
      ...result,
      field: `${name}.${result.field}`,
      ...(gap !== undefined && { gap: `${name}.${gap}` }),
    })
  const taken = takeCaptures(captures, response, tools)
  for (const failure of taken.failures) delete failure.gap
  addCaptures(talk, taken)
  return undefined
}

/** The dialogue as an exchange: its handshake and the number of bytes received. */
function toExchange({ request, head, error, progress, received }: WebsocketDialogue): Exchange {
  const timings = readTimings(progress, performance.now() - progress.startedAt)
  const exchange = { request, timings, redirects: [], ...(progress.note && { connection: progress.note }) }
  if (head) return { ...exchange, response: { ...head, body: new Uint8Array(), transferBytes: received } }
  const phase = progress.phase === 'send' ? 'head' : progress.phase
  const failure = error && describeFailure({ phase, error, request, elapsed: timings.total })
  return { ...exchange, ...(failure && { failure }) }
}
