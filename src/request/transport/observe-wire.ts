import type { Socket } from 'node:net'
import type { Progress } from './progress.ts'

/** What a connection's tap reads and writes: the request under way, and how many writes the socket has not yet taken. */
export type Tap = { progress: Progress | undefined; unsentWrites: number }

const lineFeed = 10
const carriageReturn = 13

/**
 * Watches the bytes of a socket for what undici does not tell: the request head as it was written, the response's
 * HTTP version, the size of its head, the number of informational responses.
 */
export function observeWire(socket: Socket, tap: Tap): void {
  const read = socket.read.bind(socket)
  const write = socket.write.bind(socket) as (chunk: unknown, encoding: unknown, done: unknown) => boolean
  const taken = (error?: Error | null): void => {
    if (!error) tap.unsentWrites--
  }
  socket.read = (size?: number): unknown => {
    const chunk = read(size) as Buffer | null
    if (chunk !== null && tap.progress?.expectsHead) scanHead(tap.progress, chunk)
    return socket.destroyed ? null : chunk
  }
  socket.write = (chunk: unknown, encoding?: unknown): boolean => {
    tap.unsentWrites++
    if (tap.progress?.sentHead === '' && typeof chunk === 'string') tap.progress.sentHead = chunk
    return write(chunk, encoding, taken)
  }
  holdWriteErrors(socket, tap)
}

/**
 * A server may answer and close before it has read the whole request. A write then fails and Node would end the socket with the
 * answer unread; held back, the error leaves it to the reading side to say how the connection ended.
 */
function holdWriteErrors(socket: Socket, tap: Tap): void {
  type Write = (...args: [...unknown[], (error?: Error | null) => void]) => void
  for (const name of ['_write', '_writev']) {
    const write = (Reflect.get(socket, name) as Write).bind(socket)
    Reflect.set(socket, name, ((...args) => {
      const done = args.pop() as (error?: Error | null) => void
      write(...args, (error) => {
        if (!error || !tap.progress?.expectsHead) done(error)
      })
    }) satisfies Write)
  }
}

/** Follows response heads up to the end of the final one (RFC 9112, 4); llhttp judges them, this only measures. */
function scanHead(progress: Progress, chunk: Buffer): void {
  progress.firstByteAt ??= performance.now()
  for (let at = 0; at < chunk.length && progress.expectsHead; at++) {
    const byte = chunk[at] as number
    // Empty lines before a status line are ignored (RFC 9112, 2.2).
    if (progress.headBytes === 0 && (byte === lineFeed || byte === carriageReturn)) continue
    progress.headBytes++
    if (progress.inStatusLine && byte >= 32) progress.statusLine += String.fromCharCode(byte)
    if (progress.headBytes === 12 && progress.statusLine.endsWith(' 100')) {
      // undici takes a 100 nobody asked for as an error, where RFC 9110, 15.2 wants it ignored like any other 1xx.
      chunk[at] = '2'.charCodeAt(0)
    }
    if (byte === lineFeed && progress.lineLength === 0) endHead(progress)
    else if (byte === lineFeed) endLine(progress)
    else if (byte !== carriageReturn) progress.lineLength++
  }
  const { headBytes, limits, informational } = progress
  if (headBytes > limits.head) {
    progress.stop({
      code: 'HEAD_TOO_LARGE',
      message: `the response head is larger than ${limits.head} bytes`,
      hint: 'The option `limits.head` raises the limit',
    })
  } else if (informational > limits.informational) {
    progress.stop({
      code: 'TOO_MANY_INFORMATIONAL',
      message: `the server sent more than ${limits.informational} informational (1xx) responses`,
      hint: 'The option `limits.informational` raises the limit',
    })
  }
}

function endLine(progress: Progress): void {
  const status = progress.inStatusLine && /^.{8} (0\d\d)/.exec(progress.statusLine)?.[1]
  if (status) {
    progress.stop({ code: 'HPE_INVALID_STATUS', message: `status ${status}` })
  }
  progress.lineLength = 0
  progress.inStatusLine = false
}

function endHead(progress: Progress): void {
  const informational = /^.{8} 1\d\d/.test(progress.statusLine)
  if (informational) {
    progress.informational++
    progress.headBytes = 0
    progress.statusLine = ''
    progress.inStatusLine = true
  }
  progress.lineLength = 0
  progress.expectsHead = informational
}
