import { isIP, Socket } from 'node:net'
import type { TlsSettings } from '../exchange.ts'
import type { Progress } from './progress.ts'
import type { Proxy } from './proxy.ts'

/** Where a connection leads. */
export type Route = {
  protocol: 'http:' | 'https:'
  hostname: string
  port: number
  /** True takes any TLS certificate. */
  insecure: boolean
  http2: boolean
  tls?: TlsSettings
  proxy?: Proxy
  /** True goes through a proxy's tunnel even without TLS. */
  tunnels?: boolean
}

type Done = (error: Error | null, socket: Socket | null) => void

// Taken before request mocking (MSW) patches it: a suite's own requests are never intercepted.
const connect = Reflect.get(Socket.prototype, 'connect') as (options: object) => Socket

/** Opens the TCP, tunnel and TLS layers of a route and hands over the socket; phases and times go into `progress`. Destroying the returned socket cancels. */
export function openSocket(route: Route, progress: Progress, done: Done): Socket {
  const { hostname, port } = route.proxy ?? route
  const socket = new Socket()
  let finished = false
  const finish: Done = (error, opened) => {
    if (finished) return
    finished = true
    done(error, opened)
  }
  progress.phase = isIP(hostname) ? 'connect' : 'resolve'
  progress.connectStartedAt = performance.now()
  socket.setNoDelay(true)
  socket.setKeepAlive(true, 60_000)
  socket.on('error', (error) => finish(explainProxy(error, route, progress), null))
  socket.once('close', () => finish(createError('CONNECTION_CLOSED', 'the connection was closed'), null))
  socket.once('lookup', (error: Error | null) => {
    if (error) return
    progress.resolvedAt = performance.now()
    progress.phase = 'connect'
  })
  socket.once('connect', () => {
    progress.connectedAt = performance.now()
    openLayers(socket, { route, progress, finish })
  })
  Reflect.apply(connect, socket, [{ host: hostname, port }])
  return socket
}

type Layers = { route: Route; progress: Progress; finish: Done }

function openLayers(socket: Socket, layers: Layers): void {
  const { route, progress, finish } = layers
  const { hostname, port, proxy, protocol, tunnels } = route
  const goOn = (): void => {
    if (protocol === 'https:') return void secure(socket, layers)
    progress.phase = 'send'
    finish(null, socket)
  }
  if (proxy === undefined || (protocol === 'http:' && !tunnels)) return goOn()
  openTunnel(socket, { hostname, port, proxy }, (error) => {
    progress.connectedAt = performance.now()
    if (error) finish(error, null)
    else goOn()
  })
}

/** Lays TLS over a connected socket; the server has to prove the URL's host name, whatever a `host` header says. */
async function secure(socket: Socket, { route, progress, finish }: Layers): Promise<void> {
  progress.phase = 'tls'
  const tls = await import('node:tls')
  const { serverName, ...identity } = route.tls ?? {}
  let secured
  try {
    secured = tls.connect({
      ...(identity as object),
      socket,
      host: route.hostname,
      // An address is not a server name (RFC 6066, 3).
      servername: serverName ?? (isIP(route.hostname) ? '' : route.hostname),
      ALPNProtocols: [route.http2 ? 'h2' : 'http/1.1'],
      rejectUnauthorized: !route.insecure,
    })
  } catch (error) {
    // What OpenSSL says about a certificate or key that it cannot read.
    const reason = `the files of \`tls\` cannot be used: ${(error as Error).message}`
    return finish(createError('TLS_FILES', reason), null)
  }
  const opened = secured
  opened.on('error', (error) => finish(error, null))
  opened.once('secureConnect', () => {
    progress.securedAt = performance.now()
    if (route.http2 && opened.alpnProtocol !== 'h2') {
      opened.destroy()
      return finish(createError('HTTP2_REFUSED', 'the server does not speak HTTP/2'), null)
    }
    progress.phase = 'send'
    finish(null, opened)
  })
}

/** Says that it was the proxy which could not be reached, not the target. */
function explainProxy(error: NodeJS.ErrnoException, { proxy }: Route, progress: Progress): Error {
  if (proxy === undefined || progress.connectedAt !== undefined) return error
  const message = `the proxy ${proxy.hostname}:${proxy.port} cannot be reached: ${error.code ?? error.message}`
  return createError('PROXY_UNREACHABLE', message)
}

function createError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}

/** Asks a connected proxy for a tunnel (RFC 9110, 9.3.6) and calls back when the socket leads to the target. */
function openTunnel(
  socket: Socket,
  { hostname, port, proxy }: { hostname: string; port: number; proxy: Proxy },
  done: (error?: Error) => void,
): void {
  const authority = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`
  let head = ''
  const finish = (problem?: string): void => {
    socket.off('data', receive).off('end', end).pause()
    const message = `the proxy ${proxy.hostname}:${proxy.port} ${problem}`
    done(problem === undefined ? undefined : createError('PROXY_TUNNEL', message))
  }
  const end = (): void => finish('closed the connection before it opened a tunnel')
  const receive = (chunk: Buffer): void => {
    head += chunk.toString('latin1')
    if (!head.includes('\r\n\r\n') && head.length < 16_384) return
    const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1]
    // The target waits for our handshake, so nothing may follow the head.
    if (status?.startsWith('2') && head.endsWith('\r\n\r\n')) return finish()
    finish(
      `refused a tunnel with ${status === undefined ? 'an answer that is not HTTP' : `status ${status}`}`,
    )
  }
  socket.on('data', receive).once('end', end)
  const credentials = proxy.authorization ? `proxy-authorization: ${proxy.authorization}\r\n` : ''
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${credentials}\r\n`, 'latin1')
}
