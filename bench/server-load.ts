import { once } from 'node:events'
import { connect } from 'node:net'

/** Sends a request `count` times over `connections` keep-alive connections, one at a time on each; resolves at the end. */
export async function sendRequests(port: number, bytes: Buffer, { count, connections }: Load): Promise<void> {
  let left = count
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(port, '127.0.0.1').setNoDelay()
      await once(socket, 'connect')
      let expected = 0
      let received = 0
      socket.on('data', (chunk) => {
        expected ||= answerLength(chunk)
        received += chunk.length
        if (received < expected) return
        received = 0
        if (--left >= connections - 1) socket.write(bytes)
        else socket.end()
      })
      socket.write(bytes)
      await once(socket, 'close')
    }),
  )
}

/** How requests are sent. */
export interface Load {
  count: number
  connections: number
}

/** The answers to one request are all of one length: it is read from the first. */
function answerLength(chunk: Buffer): number {
  const head = chunk.indexOf('\r\n\r\n')
  const length = /content-length: (\d+)/i.exec(chunk.toString('latin1', 0, head))?.[1]
  return head + 4 + Number(length)
}
