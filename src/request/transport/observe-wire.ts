import type { Socket } from 'node:net'
import type { Progress } from './progress.ts'

type Tap = { hop: Progress | undefined }

/** Watches a socket for what undici does not tell: the head sent, time and HTTP version of the response. */
export function observeWire(socket: Socket, tap: Tap): void {
  const read = socket.read.bind(socket)
  const write = socket.write.bind(socket) as (chunk: unknown, encoding: unknown) => boolean
  socket.read = (size?: number): unknown => {
    const chunk = read(size) as Buffer | null
    const { hop } = tap
    if (chunk !== null && hop?.phase === 'head') {
      hop.firstByteAt ??= performance.now()
      if (chunk.toString('latin1', 0, 8) === 'HTTP/1.0') hop.httpVersion = '1.0'
    }
    return chunk
  }
  socket.write = (chunk: unknown, encoding?: unknown): boolean => {
    if (tap.hop?.sentHead === '' && typeof chunk === 'string') tap.hop.sentHead = chunk
    return write(chunk, encoding)
  }
  holdWriteErrors(socket, tap)
}

/** Holds back write errors: if a server answers and closes early, Node would destroy the response unread. */
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
