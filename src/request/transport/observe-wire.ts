import type { Socket } from 'node:net'
import type { Progress } from './progress.ts'

/** What the observer of a connection needs: the current request. */
type Tap = { hop: Progress | undefined }

/** Watches a socket for what undici does not report: the request head as written, and when and in which HTTP version the answer arrives. */
export function observeWire(socket: Socket, tap: Tap): void {
  const read = socket.read.bind(socket)
  const write = socket.write.bind(socket) as (chunk: unknown, encoding: unknown) => boolean
  socket.read = (size?: number): unknown => {
    const chunk = read(size) as Buffer | null
    const { hop } = tap
    if (chunk !== null && hop?.phase === 'head') {
      hop.firstByteAt ??= performance.now()
      if (chunk.toString('latin1', 0, 8) === 'HTTP/1.0') hop.httpVersion = '1.0'
      skipContinue(chunk)
    }
    return chunk
  }
  socket.write = (chunk: unknown, encoding?: unknown): boolean => {
    if (tap.hop?.sentHead === '' && typeof chunk === 'string') tap.hop.sentHead = chunk
    return write(chunk, encoding)
  }
  holdWriteErrors(socket, tap)
}

/** Turns an unrequested 100 into a 102: undici treats it as an error, but RFC 9110, 15.2 wants it ignored like any other 1xx. */
function skipContinue(chunk: Buffer): void {
  let at = 0
  while (/^HTTP\/1\.\d 1\d\d/.test(chunk.toString('latin1', at, at + 12))) {
    if (chunk.toString('latin1', at + 9, at + 12) === '100') chunk.write('102', at + 9)
    const end = chunk.indexOf('\r\n\r\n', at)
    if (end === -1) return
    at = end + 4
  }
}

/**
 * A server may answer and close before it has read the whole request. A write then fails, and Node would destroy the socket with
 * the answer unread. Holding back that error lets the reading side find out how the connection ended.
 */
function holdWriteErrors(socket: Socket, tap: Tap): void {
  type Write = (...args: [...unknown[], (error?: Error | null) => void]) => void
  for (const name of ['_write', '_writev']) {
    const write = (Reflect.get(socket, name) as Write).bind(socket)
    Reflect.set(socket, name, ((...args) => {
      const done = args.pop() as (error?: Error | null) => void
      write(...args, (error) => {
        if (!error || tap.hop?.phase !== 'head') done(error)
      })
    }) satisfies Write)
  }
}
