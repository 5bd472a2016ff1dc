import { evaluateChecks, failAllChecks } from '../../assertion/judge/evaluate-checks.ts'
import type { ResponseContext } from '../../assertion/check-context.ts'
import { takeCaptures } from '../../capture/take-captures.ts'
import { warnAt } from '../../errors.ts'
import { toText } from '../../json.ts'
import { addJarCookies } from '../../request/cookies.ts'
import type { Exchange } from '../../request/exchange.ts'
import { describeFailure } from '../../request/render/describe-failure.ts'
import { openWebsocket, type WebsocketDialogue } from '../../request/transport/open-websocket.ts'
import { readTimings } from '../../request/transport/progress.ts'
import type { DialogueItem, StepPlan } from '../../suite/plan/plan.ts'
import { refuseBase64 } from '../../text/refuse-base64.ts'
import { failRequest, type PreparedStep, type StepAttempt } from '../attempt/attempt.ts'
import { createCheckTools } from '../attempt/check-tools.ts'
import { createResponseContext } from '../attempt/describe-exchange.ts'
import { interpolatePart } from '../attempt/interpolate-part.ts'
import { addCaptures, addCheck, toRow } from '../attempt/judge-response.ts'
import { createScope } from '../suite-run.ts'

/** Opens a step's WebSocket, sends and expects what its exchange says, and closes it. */
export async function holdDialogue(
  attempt: StepAttempt,
  { spec, describe }: PreparedStep,
  { exchange: items, protocols }: NonNullable<StepPlan['websocket']>,
): Promise<ResponseContext | undefined> {
  const { run, context, outcome } = attempt
  const { limits } = run.environment.client
  const opening = run.jar && !spec.withoutJar ? await addJarCookies(spec, run.jar) : spec
  const dialogue = await openWebsocket(opening, { protocols, limits, signal: context.signal })
  if (dialogue.head) await holdTalk({ ...attempt, dialogue, timeout: spec.timeout }, items)
  const exchange = toExchange(dialogue)
  const response = describe(exchange)
  if (exchange.failure) failRequest(attempt, exchange.failure.message)
  if (!response) return undefined
  const { messages, closed } = dialogue
  const ending = { messages, ...(closed && { close_code: closed.code }) }
  Object.assign(outcome.details.response_details ?? {}, ending, {
    ...(closed?.reason && { close_reason: closed.reason }),
  })
  return Object.assign(response, ending)
}

type Talk = StepAttempt & { dialogue: WebsocketDialogue; timeout: number }

/** Codes of a connection that has served its purpose, and of servers that just drop it. */
const USUAL: ReadonlySet<number> = new Set([1000, 1001, 1005, 1006])

/** What an expectation captures is there for what is sent after it. */
async function holdTalk(talk: Talk, items: readonly DialogueItem[]): Promise<void> {
  const { run, step, dialogue, outcome } = talk
  const { local } = run
  const isOpen = dialogue.head?.statusCode === 101
  let stopped = isOpen ? undefined : 'there is no connection'
  // A refusal may be what the step asks for.
  const isAsked = items.length === 0 && step.checks.some(({ target }) => target === 'status_code')
  if (!isOpen && !isAsked)
    failRequest(
      talk,
      `Expected the WebSocket handshake to be answered 101, got ${dialogue.head?.statusCode}.`,
    )
  for (const item of items) {
    run.local = { ...local, ...outcome.captured }
    if (item.kind === 'expect') stopped = (await expectMessage(talk, item, stopped)) ?? stopped
    else if (stopped === undefined && item.kind === 'send') stopped = sendMessage(talk, item)
    else if (stopped === undefined && item.kind === 'close') await dialogue.close(item.code)
  }
  if (local) run.local = local
  else delete run.local
  if (!isOpen) return
  const asksForClose = step.checks.some(
    ({ target, expected }) =>
      target === 'close_code' || (target === 'custom' && (expected as string).includes('close_code')),
  )
  if (asksForClose && !dialogue.closed) await dialogue.ended(talk.timeout)
  if (!dialogue.closed) {
    await dialogue.close(1000)
    // What is asked for is the server's code, and this one was ours.
    if (asksForClose) delete dialogue.closed
  }
  const { code, reason } = dialogue.closed ?? { code: 1000, reason: '' }
  const isOurs = items.some(({ kind }) => kind === 'close')
  if (asksForClose || isOurs || USUAL.has(code) || outcome.failures.length > 0) return
  // What a server refuses after the last message it is sent, nobody would see.
  const what = `The server closed the connection with ${code}${reason === '' ? '' : ` (${reason})`}`
  const rule = `Write \`close_code: ${code}\` if it is right.`
  outcome.warnings.push(warnAt(step.at, `${what}, and no check looks at that. ${rule}`))
}

/** Sends a message; gives the reason when it cannot. */
function sendMessage(
  talk: Talk,
  { value, isBinary, pointer, at }: Extract<DialogueItem, { kind: 'send' }>,
): string | undefined {
  const { run, dialogue, context, outcome } = talk
  const scope = createScope(run, context.loop)
  const { value: data, failures, warnings } = interpolatePart({ run, scope, value, pointer, at })
  outcome.failures.push(...failures)
  outcome.warnings.push(...warnings)
  if (failures.length > 0) return 'a message before could not be sent'
  const text = toText(data)
  const problem =
    (isBinary && refuseBase64(data)) ?? dialogue.send(isBinary ? Buffer.from(text, 'base64') : text, data)
  if (problem !== undefined) failRequest(talk, `The message could not be sent: ${problem}.`, at)
  return problem
}

/** Judges the next message; gives the reason when there is none, which is that of all expectations after it. */
async function expectMessage(
  talk: Talk,
  item: Extract<DialogueItem, { kind: 'expect' }>,
  stopped: string | undefined,
): Promise<string | undefined> {
  const { run, step, dialogue, outcome, timeout } = talk
  const { name, type, checks, captures, isNone, within = timeout, at } = item
  const came = stopped ?? (await dialogue.next(within))
  const message = came ?? (isNone ? undefined : `no message came within ${within} ms`)
  if (typeof message === 'string') {
    const reason = `\`${name}\` got no message: ${message}.`
    for (const row of failAllChecks(checks, reason))
      outcome.rows.push(toRow({ ...row, field: `${name}.${row.field}` }))
    // What stopped the exchange is told once; the rows say what was not judged for it.
    if (stopped === undefined) outcome.failures.push({ message: reason, at })
    return stopped ?? `\`${name}\` got no message`
  }
  const response = {
    ...createResponseContext(toExchange(dialogue), run, step),
    ...(message && { message: message.data }),
  }
  const tools = await createCheckTools(talk, response)
  if (type && message) {
    const [field, passed] = [`${name}.type`, message.type === type.wanted]
    const words = passed ? 'OK' : `Expected \`${field}\` to be \`${type.wanted}\`, got \`${message.type}\``
    const sides = { expected: type.wanted, actual: message.type }
    addCheck(outcome, { field, operator: 'equals', ...sides, passed, message: words, at: type.at })
  }
  for (const { gap, ...result } of evaluateChecks(checks, response, tools))
    addCheck(outcome, {
      ...result,
      field: `${name}.${result.field}`,
      ...(gap !== undefined && { gap: `${name}.${gap}` }),
    })
  const taken = takeCaptures(captures, response, tools)
  // Each message has fields of its own.
  for (const failure of taken.failures) delete failure.gap
  addCaptures(outcome, taken)
  return undefined
}

/** The dialogue as an exchange: its handshake, and the bytes that came. */
function toExchange({ request, head, error, progress, received }: WebsocketDialogue): Exchange {
  const timings = readTimings(progress, progress.startedAt)
  return {
    request,
    redirects: [],
    timings,
    ...(head && { response: { ...head, body: new Uint8Array(), transferBytes: received } }),
    ...(!head &&
      error && {
        failure: describeFailure(
          { phase: progress.phase === 'send' ? 'head' : progress.phase, error },
          { request, elapsed: timings.total },
        ),
      }),
  }
}
