import { evaluateChecks, failAllChecks } from '../../assertion/judge/evaluate-checks.ts'
import type { ResponseContext } from '../../assertion/check-context.ts'
import { takeCaptures } from '../../capture/take-captures.ts'
import { toText } from '../../json.ts'
import { addJarCookies } from '../../request/cookies.ts'
import type { Exchange } from '../../request/exchange.ts'
import { describeFailure } from '../../request/render/describe-failure.ts'
import { openWebsocket, type WebsocketDialogue } from '../../request/transport/open-websocket.ts'
import { readTimings } from '../../request/transport/progress.ts'
import type { DialogueItem, StepPlan } from '../../suite/plan/plan.ts'
import { createCheckTools } from '../attempt/check-tools.ts'
import { createResponseContext } from '../attempt/describe-exchange.ts'
import { interpolatePart } from '../attempt/interpolate-part.ts'
import { addCaptures, addCheck, toRow } from '../attempt/judge-response.ts'
import type { PreparedStep, Sending } from '../attempt/attempt.ts'
import { createScope, type SuiteRun } from '../suite-run.ts'
import { refuseBase64 } from '../../text/refuse-base64.ts'

/** Opens a step's WebSocket, sends and expects what its exchange says, and closes it. */
export async function holdDialogue(
  run: SuiteRun,
  step: StepPlan,
  { context, outcome, prepared }: Sending & { prepared: PreparedStep },
): Promise<ResponseContext | undefined> {
  if (!step.websocket) return undefined
  const { client } = run.environment
  const { exchange: items, protocols } = step.websocket
  const dialogue = await openWebsocket(
    await addJarCookies(prepared.spec, prepared.spec.withoutJar ? undefined : run.jar),
    {
      protocols,
      settings: { ...client.options, ...prepared.spec.connection },
      signal: context.signal,
    },
  )
  const talk = { run, step, dialogue, context, outcome, timeout: prepared.spec.timeout }
  if (dialogue.head) await holdTalk(talk, items)
  const exchange = describe(dialogue)
  const response = prepared.describe(exchange)
  if (exchange.failure)
    outcome.failures.push({ kind: 'request', message: exchange.failure.message, at: step.at })
  if (!response) return undefined
  const { messages, closed } = dialogue
  Object.assign(outcome.details.response_details ?? {}, {
    messages,
    ...(closed && { close_code: closed.code }),
    ...(closed?.reason && { close_reason: closed.reason }),
  })
  return Object.assign(response, { messages, ...(closed && { close_code: closed.code }) })
}

type Talk = Sending & { run: SuiteRun; step: StepPlan; dialogue: WebsocketDialogue; timeout: number }

/** What an expectation captures is there for what is sent after it. */
async function holdTalk(talk: Talk, items: readonly DialogueItem[]): Promise<void> {
  const { run, step, dialogue, outcome } = talk
  const { local } = run
  let stopped = dialogue.head?.statusCode === 101 ? undefined : 'there is no connection'
  // A refusal may be what the step asks for.
  const isAsked = items.length === 0 && step.checks.some(({ target }) => target === 'status_code')
  if (stopped && !isAsked)
    outcome.failures.push({
      kind: 'request',
      message: `Expected the WebSocket handshake to be answered 101, got ${dialogue.head?.statusCode}.`,
      at: step.at,
    })
  for (const item of items) {
    run.local = { ...local, ...outcome.captured }
    if (item.kind === 'expect') stopped = (await expectMessage(talk, item, stopped)) ?? stopped
    else if (stopped === undefined && item.kind === 'send') stopped = sendMessage(talk, item)
    else if (stopped === undefined && item.kind === 'close') await dialogue.close(item.code)
  }
  if (local) run.local = local
  else delete run.local
  if (dialogue.closed === undefined && dialogue.head?.statusCode === 101) {
    const asksForIt = step.checks.some(
      ({ target, expected }) =>
        target === 'close_code' || (target === 'custom' && (expected as string).includes('close_code')),
    )
    if (asksForIt) await dialogue.ended(talk.timeout)
    if (dialogue.closed === undefined) {
      await dialogue.close(1000)
      // What is asked for is the server's code, and this one was ours.
      if (asksForIt) delete dialogue.closed
    }
  }
}

function sendMessage(
  { run, dialogue, context, outcome }: Talk,
  { value, isBinary, pointer, at }: Extract<DialogueItem, { kind: 'send' }>,
): string | undefined {
  const scope = createScope(run, context.loop)
  const filled = interpolatePart({ run, scope, value, pointer, at })
  outcome.failures.push(...filled.failures)
  outcome.warnings.push(...filled.warnings)
  if (filled.failures.length > 0) return 'a message before could not be sent'
  const { value: data } = filled
  const text = toText(data)
  const problem =
    (isBinary && refuseBase64(data)) ?? dialogue.send(isBinary ? Buffer.from(text, 'base64') : text, data)
  if (problem === undefined) return undefined
  outcome.failures.push({ kind: 'request', message: `The message could not be sent: ${problem}.`, at })
  return problem
}

/** Judges the next message; gives the reason when there is none, which is that of all expectations after it. */
async function expectMessage(
  { run, step, dialogue, context, outcome, timeout }: Talk,
  { name, type, checks, captures, isNone, within = timeout, at }: Extract<DialogueItem, { kind: 'expect' }>,
  stopped: string | undefined,
): Promise<string | undefined> {
  const came = stopped ?? (await dialogue.next(within))
  const message = came ?? (isNone ? undefined : `no message came within ${within} ms`)
  if (typeof message === 'string') {
    const reason = `\`${name}\` got no message: ${message}.`
    outcome.rows.push(
      ...failAllChecks(checks, reason).map((row) => toRow({ ...row, field: `${name}.${row.field}` })),
    )
    // What stopped the exchange is told once; the rows say what was not judged for it.
    if (stopped === undefined) outcome.failures.push({ message: reason, at })
    return stopped ?? `\`${name}\` got no message`
  }
  const response = {
    ...createResponseContext(describe(dialogue), run, step),
    ...(message && { message: message.data }),
  }
  const { loop } = context
  const tools = await createCheckTools(run, step, { response, loop })
  if (type && message) {
    const [field, passed] = [`${name}.type`, message.type === type.wanted]
    const words = passed ? 'OK' : `Expected \`${field}\` to be \`${type.wanted}\`, got \`${message.type}\``
    const sides = { expected: type.wanted, actual: message.type }
    addCheck(outcome, { field, operator: 'equals', ...sides, passed, message: words, at: type.at })
  }
  for (const result of evaluateChecks(checks, response, tools))
    addCheck(outcome, {
      ...result,
      field: `${name}.${result.field}`,
      ...(result.gap !== undefined && { gap: `${name}.${result.gap}` }),
    })
  const taken = takeCaptures(captures, response, tools)
  // Each message has fields of its own.
  const failures = taken.failures.map(({ name: capture, at, message: said }) => ({
    name: capture,
    at,
    message: said,
  }))
  addCaptures(outcome, { ...taken, failures })
  return undefined
}

/** The dialogue as an exchange: its handshake, and the bytes that came. */
function describe({ request, head, error, progress, received }: WebsocketDialogue): Exchange {
  const timings = readTimings(progress, { startedAt: progress.startedAt, readBlocked: () => 0 })
  const { method, url } = request
  return {
    request,
    redirects: [],
    timings,
    ...(head && { response: { ...head, body: new Uint8Array(), transferBytes: received } }),
    ...(!head &&
      error && {
        failure: describeFailure(
          { phase: progress.phase === 'send' ? 'head' : progress.phase, error },
          { method, url, elapsed: timings.total, received: 0, announced: undefined },
        ),
      }),
  }
}
