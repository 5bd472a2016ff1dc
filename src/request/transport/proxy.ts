import { unescape } from 'node:querystring'
import type { ConnectionSettings } from '../exchange.ts'
import { RequestProblem } from '../request-problem.ts'

export type Proxy = {
  hostname: string
  port: number
  /** Value of `proxy-authorization`, from the user name and password in the proxy's URL. */
  authorization?: string
}

export type Target = { protocol: 'http:' | 'https:'; hostname: string; port: number }

/** The proxy for a target, if any; from the environment not for loopback. Throws a RequestProblem. */
export function findProxy(
  option: ConnectionSettings['proxy'],
  target: Target,
  env: NodeJS.ProcessEnv = process.env,
): Proxy | undefined {
  if (option === false) return undefined
  if (option !== undefined) return parseProxy(option)
  // Lower case first and without a scheme, as in curl.
  const read = (name: string): string => env[name] || env[name.toUpperCase()] || ''
  const name = target.protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const value = read(name)
  if (value === '' || isLoopback(target.hostname) || isExempt(target, read('no_proxy'))) return undefined
  return parseProxy(value.includes('://') ? value : `http://${value}`, name.toUpperCase())
}

/** True for `localhost`, its subdomains, 127.0.0.0/8 and ::1. */
export function isLoopback(hostname: string): boolean {
  return /^(.+\.)?localhost\.?$|^127(\.\d{1,3}){3}$|^\[?::1\]?$|^\[?::ffff:(127\.|7f)/i.test(hostname)
}

/** Reads the URL of a proxy; `source` says where it was set. Throws a RequestProblem if it is invalid. */
export function parseProxy(value: string, source = '`proxy`'): Proxy {
  const url = URL.parse(value)
  if (url?.protocol !== 'http:' || url.hostname === '') {
    const shown = value.replace(/(\/\/)[^/?#]*@/, '$1***@')
    throw new RequestProblem(`Expected ${source} to be an http:// URL, got \`${shown}\``, 'PROXY_INVALID')
  }
  const proxy: Proxy = { hostname: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 80) }
  const { username, password } = url
  if (username || password)
    proxy.authorization = `Basic ${Buffer.from(`${unescape(username)}:${unescape(password)}`).toString('base64')}`
  return proxy
}

/** Applies NO_PROXY: host names including subdomains, with an optional port; `*` means all. */
function isExempt({ hostname, port }: Target, list: string): boolean {
  return list.split(/[,\s]+/).some((entry) => {
    const [, name = '', only] =
      /^(?:\*?\.)?\[?(.*?)\]?(?:(?<!:[^\]]*):(\d+))?$/.exec(entry.toLowerCase()) ?? []
    if (name === '' || (only !== undefined && Number(only) !== port)) return false
    return name === '*' || hostname === name || hostname.endsWith(`.${name}`)
  })
}
