import { once } from 'node:events'
import { isIP, Socket } from 'node:net'
import type { ConnectionNote, ConnectionSettings } from '../exchange.ts'
import { RequestProblem } from '../request-problem.ts'
import type { Progress } from './progress.ts'
import { findProxy, type Proxy, type Target } from './proxy.ts'

export type Route = Target &
  Omit<ConnectionSettings, 'proxy'> & {
    proxy: Proxy | undefined
    /** True uses the proxy's tunnel even without TLS. */
    tunnels?: boolean
  }

/** The route to an origin; throws a RequestProblem for invalid settings. */
export function readRoute(origin: string, settings: ConnectionSettings = {}): Route {
  const url = new URL(origin)
  const protocol = url.protocol as Target['protocol']
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  const target = { protocol, hostname, port: Number(url.port || (protocol === 'https:' ? 443 : 80)) }
  if (settings.http2 && protocol === 'http:')
    throw new RequestProblem('HTTP/2 needs TLS: use an https URL, or leave out `http2`', 'HTTP2_NEEDS_TLS')
  return { ...settings, ...target, proxy: findProxy(settings.proxy, target) }
}

export function describeRoute({ protocol, proxy, insecure, http2 }: Route): ConnectionNote | undefined {
  const note: ConnectionNote = {
    ...(proxy && { proxy: `${proxy.hostname}:${proxy.port}` }),
    ...(insecure && protocol === 'https:' && { insecure: true }),
    ...(http2 && { http2: true }),
  }
  return Object.keys(note).length === 0 ? undefined : note
}

// Read before MSW patches it, so that a suite's own requests are never intercepted.
const connect = Reflect.get(Socket.prototype, 'connect') as (options: object) => Socket

/** Opens TCP, tunnel and TLS, noting `progress`. Returns the socket to use. Destroying `socket` cancels. */
export async function openSocket(socket: Socket, route: Route, progress: Progress): Promise<Socket> {
  await openTcp(socket, route, progress)
  if (route.proxy && (route.protocol === 'https:' || route.tunnels)) {
    await openTunnel(socket, route, route.proxy)
    progress.connectedAt = performance.now()
    // TLS reads from the layer below. Without TLS, the paused socket has to flow again.
    if (route.protocol === 'http:') socket.resume()
  }
  const opened = route.protocol === 'https:' ? await secure(socket, route, progress) : socket
  progress.phase = 'send'
  return opened
}

async function openTcp(socket: Socket, { proxy, ...target }: Route, progress: Progress): Promise<void> {
  const { hostname: host, port } = proxy ?? target
  progress.phase = isIP(host) ? 'connect' : 'resolve'
  progress.connectStartedAt = performance.now()
  socket.setNoDelay(true).setKeepAlive(true, 60_000)
  // Errors after this are reported to whoever reads or writes then.
  socket.on('error', () => {})
  socket.once('lookup', (error: Error | null) => {
    if (error) return
    progress.resolvedAt = performance.now()
    progress.phase = 'connect'
  })
  try {
    // The time for each address of a host except the last, in ms: enough to try twice, as systems do after 1 s.
    Reflect.apply(connect, socket, [{ host, port, autoSelectFamilyAttemptTimeout: 1500 }])
    await once(socket, 'connect')
  } catch (error) {
    if (proxy === undefined) throw error
    const { code, message } = error as NodeJS.ErrnoException
    const what = `the proxy ${host}:${port} cannot be reached: ${code ?? message}`
    throw new RequestProblem(what, 'PROXY_UNREACHABLE')
  }
  progress.connectedAt = performance.now()
}

/** Asks a connected proxy for a tunnel (RFC 9110, 9.3.6); resolves once the socket leads to the target. */
async function openTunnel(socket: Socket, { hostname, port }: Route, proxy: Proxy): Promise<void> {
  const authority = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`
  const credentials = proxy.authorization ? `proxy-authorization: ${proxy.authorization}\r\n` : ''
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${credentials}\r\n`, 'latin1')
  let head = ''
  await new Promise<void>((resolve) => {
    const receive = (chunk: Buffer): void => {
      head += chunk.toString('latin1')
      if (head.includes('\r\n\r\n') || head.length >= 16_384) resolve()
    }
    socket.on('data', receive).once('end', resolve).once('error', resolve)
  })
  socket.removeAllListeners('data').pause()
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1]
  // The target waits for our handshake, so nothing may come after the head.
  if (status?.startsWith('2') && head.endsWith('\r\n\r\n')) return
  const problem = status === undefined ? 'opened no tunnel' : `refused a tunnel with status ${status}`
  const hint = status === '407' ? 'Check the user name and password in the address of the proxy' : undefined
  throw new RequestProblem(`the proxy ${proxy.hostname}:${proxy.port} ${problem}`, 'PROXY_TUNNEL', hint)
}

/** Starts TLS on a connected socket. The certificate must match the host of the URL, not a `host` header. */
async function secure(socket: Socket, route: Route, progress: Progress): Promise<Socket> {
  progress.phase = 'tls'
  const { connect: connectTls } = await import('node:tls')
  const { serverName, ...identity } = route.tls ?? {}
  const secured = connectTls({
    ...(identity as object),
    socket,
    host: route.hostname,
    // An IP address is not a server name (RFC 6066, 3).
    servername: serverName ?? (isIP(route.hostname) ? '' : route.hostname),
    ALPNProtocols: [route.http2 ? 'h2' : 'http/1.1'],
    rejectUnauthorized: !route.insecure,
  })
  secured.on('error', () => {})
  await once(secured, 'secureConnect')
  progress.securedAt = performance.now()
  if (!route.http2 || secured.alpnProtocol === 'h2') return secured
  secured.destroy()
  throw new RequestProblem('the server does not speak HTTP/2', 'HTTP2_REFUSED')
}
