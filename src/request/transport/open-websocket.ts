import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { callbackify } from 'node:util'
import type { RawData } from 'ws'
import type { Json } from '../../json.ts'
import { groupValues, pairLines, splitTarget } from '../exchange.ts'
import type { RequestSpec, ResponseHead, SentRequest, SocketMessage } from '../exchange.ts'
import { readData } from '../../safe-json.ts'
import { roundMs } from '../../text/units.ts'
import { RequestProblem } from '../request-problem.ts'
import { stopAtTimeout } from './hop.ts'
import { describeRoute, openSocket, readRoute } from './open-socket.ts'
import { Progress } from './progress.ts'

export type WebsocketDialogue = Awaited<ReturnType<typeof openWebsocket>>

type WebsocketOptions = {
  protocols: readonly string[]
  bodyLimit: number
  signal?: AbortSignal | undefined
  /** How long the event loop has been blocked so far, in ms: no time limit counts this. @default 0 */
  readBlocked?: (() => number) | undefined
}

const MOST_MESSAGES = 10_000

/** How long the server may take to answer a close, in ms. */
const CLOSING = 2000

/** Opens a WebSocket (RFC 6455); resolves once it is open, refused or failed. */
export async function openWebsocket(
  spec: RequestSpec,
  { protocols, bodyLimit, signal, readBlocked = () => 0 }: WebsocketOptions,
) {
  const { WebSocket } = await import('ws')
  const [progress, connection] = [new Progress(), new Socket()]
  const request: SentRequest = {
    method: 'GET',
    url: spec.url.replace(/^http/, 'ws'),
    headers: spec.headers,
  }
  const unread: SocketMessage[] = []
  const tooMuch = `more than ${MOST_MESSAGES} messages or ${bodyLimit} bytes were received (option \`limits.body\`)`
  let ended: string | undefined
  let wake: (() => void) | undefined

  const socket = new WebSocket(request.url, [...protocols], {
    headers: groupValues(spec.headers),
    maxPayload: bodyLimit,
    perMessageDeflate: false,
    // node:http allows the socket to be passed later.
    createConnection: ((_options: unknown, done: (error: Error | null, opened: Socket) => void) =>
      callbackify(connect)(done)) as never,
    finishRequest(handshake) {
      const names = handshake.getRawHeaderNames()
      request.headers = names.map((name) => [name, String(handshake.getHeader(name))] as const)
      handshake.end()
    },
  })

  async function connect(): Promise<Socket> {
    const route = readRoute(splitTarget(spec.url)[0], { ...spec.connection, http2: false })
    progress.note = describeRoute(route)
    const ready = await openSocket(connection, { ...route, tunnels: true }, progress)
    // The handshake is sent only now: it had to wait for the socket.
    progress.sentAt = performance.now()
    return ready
  }

  /** The time without blocks of the event loop: what arrived during one still waits in the socket. */
  const readTime = (): number => performance.now() - readBlocked()

  async function waitFor(isSo: () => boolean, within: number): Promise<void> {
    const until = readTime() + within
    for (let rest = within; !isSo() && rest > 0; rest = until - readTime()) {
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      const timer = setTimeout(resolve, rest)
      await promise
      clearTimeout(timer)
    }
  }

  function note(direction: SocketMessage['direction'], isBinary: boolean, data: Json): SocketMessage {
    const at_ms = roundMs(performance.now() - progress.startedAt)
    const message: SocketMessage = { direction, type: isBinary ? 'binary' : 'text', data, at_ms }
    dialogue.messages.push(message)
    return message
  }

  function end(why: string, error?: Error): void {
    ended ??= why
    if (error) dialogue.error ??= error
    progress.endedAt ??= performance.now()
    signal?.removeEventListener('abort', onAbort)
    wake?.()
  }

  const dialogue = {
    request,
    head: undefined as ResponseHead | undefined,
    error: undefined as Error | undefined,
    progress,
    messages: [] as SocketMessage[],
    received: 0,
    closed: undefined as { code: number; reason: string } | undefined,
    /** Sends a text, or bytes as a binary message; returns why that is no longer possible, if so. */
    send(sent: string | Buffer, data: Json): string | undefined {
      if (ended !== undefined) return ended
      note('sent', typeof sent !== 'string', data)
      socket.send(sent)
      return undefined
    },
    /** The next received message, or why there are no more; undefined if none came within `within` ms. */
    async next(within: number): Promise<SocketMessage | string | undefined> {
      await waitFor(() => unread.length > 0 || ended !== undefined, within)
      return unread.shift() ?? ended
    },
    ended: (within: number): Promise<void> => waitFor(() => dialogue.closed !== undefined, within),
    async close(code: number): Promise<void> {
      socket.close(code)
      await dialogue.ended(CLOSING)
      socket.terminate()
    },
  }

  function readHead({ statusCode = 0, statusMessage = '', httpVersion, rawHeaders }: IncomingMessage): void {
    progress.firstByteAt = progress.headAt = performance.now()
    const headers = pairLines(rawHeaders)
    dialogue.head = { statusCode, statusText: statusMessage, httpVersion, headers }
    wake?.()
  }
  // Only after `open`: if the head does not match the request, an error follows it.
  socket.on('upgrade', (response) => socket.on('open', () => readHead(response)))
  socket.on('unexpected-response', (handshake, response) => {
    if (response.statusCode === 101)
      socket.emit('error', new Error('the 101 response has no header `upgrade: websocket`'))
    else readHead(response)
    end(`there is no connection: the handshake was answered with ${response.statusCode}`)
    handshake.destroy()
  })
  socket.on('message', (data: RawData, isBinary) => {
    const bytes = data as Buffer
    dialogue.received += bytes.byteLength
    unread.push(
      note('received', isBinary, isBinary ? bytes.toString('base64') : readData(bytes.toString('utf8'))),
    )
    if (dialogue.messages.length >= MOST_MESSAGES || dialogue.received > bodyLimit) {
      end(tooMuch, new Error(tooMuch))
      socket.terminate()
    }
    wake?.()
  })
  socket.on('error', (error) => {
    // ws gives codes only to later errors.
    const coded = 'code' in error ? error : Object.assign(error, { code: 'HANDSHAKE_FAILED' })
    if (coded.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') coded.message = tooMuch
    end(`the connection broke: ${coded.message}`, coded)
  })
  socket.on('close', (code, bytes) => {
    const reason = bytes.toString('utf8')
    dialogue.closed = { code, reason }
    end(`the connection was closed with ${code}${reason === '' ? '' : ` (${reason})`}`)
  })
  const stop = (reason: Error): void => {
    end(reason.message, reason)
    socket.terminate()
    connection.destroy()
  }
  const onAbort = (): void => stop(new RequestProblem('the step was stopped', 'ABORTED'))
  if (signal?.aborted) onAbort()
  else signal?.addEventListener('abort', onAbort)
  const isAnswered = (): boolean => dialogue.head !== undefined || ended !== undefined
  await waitFor(isAnswered, spec.timeout)
  if (!isAnswered()) stop(stopAtTimeout(spec))
  return dialogue
}
