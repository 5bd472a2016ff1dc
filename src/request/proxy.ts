import type { Socket } from 'node:net'

/** A proxy to send requests through. */
export type Proxy = {
  hostname: string
  port: number
  /** Value of `proxy-authorization`, from user name and password in the proxy's URL. */
  authorization?: string
}

/** Which proxy to use: a URL, `false` for none, or the environment's (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`) when absent. */
export type ProxyOption = string | false | undefined

type Environment = { [name: string]: string | undefined }
type Target = { protocol: 'http:' | 'https:'; hostname: string; port: number }

/**
 * Finds the proxy for a target. From the environment, loopback addresses never go through one; a `proxy` option is asked
 * for and holds for all. Throws a TypeError for a proxy that is not an http URL.
 */
export function findProxy(
  target: Target,
  option: ProxyOption,
  env: Environment = process.env,
): Proxy | undefined {
  if (option === false) return undefined
  if (option !== undefined) return parseProxy(option, 'the `proxy` option')
  if (isLoopback(target.hostname) || isExempt(target, readVariable(env, 'no_proxy'))) return undefined
  const name = target.protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const value = readVariable(env, name)
  return value ? parseProxy(value, name.toUpperCase()) : undefined
}

/** Says in one sentence what requests do about proxies, for reports; without credentials. */
export function describeProxy(option: ProxyOption, env: Environment = process.env): string {
  if (option === false) return 'No proxy is used (`proxy: false`).'
  if (option !== undefined)
    return `All requests go through ${maskCredentials(option)} (the \`proxy\` option).`
  const named = ['http_proxy', 'https_proxy'].flatMap((name) => {
    const value = readVariable(env, name)
    return value ? [`${name.toUpperCase()}=${maskCredentials(value)}`] : []
  })
  if (named.length === 0) return 'No proxy is used.'
  const exempt = readVariable(env, 'no_proxy')
  const except = exempt ? ` and those in NO_PROXY=${exempt}` : ''
  return `Requests go through the environment's proxy (${named.join(', ')}), except loopback addresses${except}.`
}

/** True for `localhost`, its subdomains, 127.0.0.0/8 and ::1. */
export function isLoopback(hostname: string): boolean {
  return /^(.+\.)?localhost\.?$|^127(\.\d{1,3}){3}$|^\[?::1\]?$|^\[?::ffff:(127\.|7f)/i.test(hostname)
}

/** Asks a connected proxy for a tunnel (RFC 9110, 9.3.6) and calls back when the socket leads to the target. */
export function openTunnel(
  socket: Socket,
  target: Target & { proxy?: Proxy },
  done: (error?: Error) => void,
): void {
  const host = target.hostname.includes(':') ? `[${target.hostname}]` : target.hostname
  const authority = `${host}:${target.port}`
  const authorization = target.proxy?.authorization
  let head = ''
  const finish = (error?: Error): void => {
    socket.off('data', receive).off('end', end).pause()
    done(error)
  }
  const end = (): void =>
    finish(createTunnelError('the proxy closed the connection before it opened a tunnel'))
  const receive = (chunk: Buffer): void => {
    head += chunk.toString('latin1')
    if (!head.includes('\r\n\r\n') && head.length < 16_384) return
    const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1]
    // The target waits for our handshake, so nothing may follow the head.
    if (status?.startsWith('2') && head.endsWith('\r\n\r\n')) finish()
    else
      finish(
        createTunnelError(
          `the proxy refused a tunnel with ${status ? `status ${status}` : 'an answer that is not HTTP'}`,
        ),
      )
  }
  socket.on('data', receive).once('end', end)
  const credentials = authorization ? `proxy-authorization: ${authorization}\r\n` : ''
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${credentials}\r\n`, 'latin1')
}

function createTunnelError(message: string): Error {
  return Object.assign(new Error(message), { code: 'PROXY_TUNNEL' })
}

function parseProxy(value: string, source: string): Proxy {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol !== 'http:' || url.hostname === '') {
    throw new TypeError(`Expected ${source} to be an http:// URL, got \`${maskCredentials(value)}\``)
  }
  const proxy: Proxy = { hostname: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 80) }
  if (url.username !== '') {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    proxy.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  }
  return proxy
}

/** Lower case first, as curl reads them. */
function readVariable(env: Environment, name: string): string | undefined {
  return env[name] || env[name.toUpperCase()] || undefined
}

/** NO_PROXY: names with their subdomains, an optional port, `*` for all. */
function isExempt({ hostname, port }: Target, list = ''): boolean {
  return list.split(/[,\s]+/).some((entry) => {
    const [, name = '', only] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
    if (name === '' || (only !== undefined && Number(only) !== port)) return false
    return name === '*' || hostname === name || hostname.endsWith(`.${name}`)
  })
}

/** Replaces user name and password in a URL by `***`. */
export function maskCredentials(url: string): string {
  return url.replace(/(\/\/)[^/?#]*@/, '$1***@')
}
