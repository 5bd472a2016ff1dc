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

/** The proxy to use for a target: undefined for none, an error for one that cannot be used. */
export type FindProxy = (target: Target) => Proxy | TypeError | undefined

/**
 * Reads which proxies to use. From the environment, loopback addresses never go through one, and a wrong one matters
 * only to requests that need it; a `proxy` option is asked for and holds for all. Throws a TypeError for a wrong option.
 */
export function readProxies(option: ProxyOption, env: Environment = process.env): FindProxy {
  if (option === false) return () => undefined
  if (option !== undefined) {
    const proxy = parseProxy(option, 'the `proxy` option')
    if (proxy instanceof TypeError) throw proxy
    return () => proxy
  }
  return (target) => {
    const name = target.protocol === 'https:' ? 'https_proxy' : 'http_proxy'
    const value = readVariable(env, name)
    if (value === undefined || isLoopback(target.hostname)) return undefined
    return isExempt(target, readVariable(env, 'no_proxy')) ? undefined : parseProxy(value, name.toUpperCase())
  }
}

/** Says in one sentence what requests do about proxies, for reports; without credentials. */
export function describeProxy(option: ProxyOption, env: Environment = process.env): string {
  if (option === false) return 'No proxy is used (`proxy: false`).'
  if (option !== undefined) {
    return `All requests go through ${maskCredentials(option)} (the \`proxy\` option).`
  }
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

function parseProxy(value: string, source: string): Proxy | TypeError {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol !== 'http:' || url.hostname === '') {
    return new TypeError(`Expected ${source} to be an http:// URL, got \`${maskCredentials(value)}\``)
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
