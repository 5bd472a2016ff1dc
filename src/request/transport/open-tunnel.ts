import type { Socket } from 'node:net'
import type { Proxy } from './proxy.ts'

const longestHead = 16_384

/** Asks a connected proxy for a tunnel (RFC 9110, 9.3.6) and calls back when the socket leads to the target. */
export function openTunnel(
  socket: Socket,
  { hostname, port, proxy }: { hostname: string; port: number; proxy: Proxy },
  done: (error?: Error) => void,
): void {
  const authority = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`
  let head = ''
  const finish = (error?: Error): void => {
    socket.off('data', receive).off('end', end).pause()
    done(error)
  }
  const end = (): void => finish(createTunnelError('closed the connection before it opened a tunnel'))
  const receive = (chunk: Buffer): void => {
    head += chunk.toString('latin1')
    if (!head.includes('\r\n\r\n') && head.length < longestHead) return
    const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1]
    // The target waits for our handshake, so nothing may follow the head.
    if (status?.startsWith('2') && head.endsWith('\r\n\r\n')) return finish()
    const answer = status === undefined ? 'an answer that is not HTTP' : `status ${status}`
    finish(createTunnelError(`refused a tunnel with ${answer}`))
  }
  socket.on('data', receive).once('end', end)
  const credentials = proxy.authorization ? `proxy-authorization: ${proxy.authorization}\r\n` : ''
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${credentials}\r\n`, 'latin1')

  function createTunnelError(what: string): Error {
    return Object.assign(new Error(`the proxy ${proxy.hostname}:${proxy.port} ${what}`), {
      code: 'PROXY_TUNNEL',
    })
  }
}
