import { type EchoContext, type EchoRouter, ownPath, readQuery, sendRedirect } from '../context.ts'
import { HttpProblem } from '../http-problem.ts'

/** `/cookies` shows the cookies that were sent. `/cookies/set` and `/cookies/delete` change them and redirect there. */
export function addCookieRoutes(router: EchoRouter): void {
  router.get('/cookies', (ctx) => {
    ctx.body = { cookies: parseCookies(ctx.req.headers.cookie) }
  })
  router.get('/cookies/set', (ctx) => {
    const query = readQuery(ctx)
    redirectToCookies(ctx, [...new Set(query.keys())], (name) => setting(query.get(name) ?? ''))
  })
  router.get('/cookies/set/:name/:value', (ctx) => {
    const { name = '', value = '' } = ctx.params
    redirectToCookies(ctx, [name], () => setting(value))
  })
  router.get('/cookies/delete', (ctx) => {
    const expired = '; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; Path=/'
    redirectToCookies(ctx, [...new Set(readQuery(ctx).keys())], () => expired)
  })
}

function setting(value: string): string {
  return `${quoteCookie(value)}; Path=/`
}

function redirectToCookies(ctx: EchoContext, names: string[], describe: (name: string) => string): void {
  for (const name of names)
    if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name))
      throw new HttpProblem(400, `expected the name of a cookie to be a token (RFC 6265), got "${name}"`)
  sendRedirect(ctx, ownPath(ctx, '/cookies'))
  const cookies = names.map((name) => `${name}=${describe(name)}`)
  ctx.set('Set-Cookie', cookies)
}

/** Parses a `Cookie` header (RFC 6265, 5.4). Of repeated names the first counts, and quoted values are unquoted. */
export function parseCookies(header: string | undefined): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=')
    const name = (equals < 0 ? pair : pair.slice(0, equals)).trim()
    if (name === '' || cookies.has(name)) continue
    cookies.set(name, equals < 0 ? '' : unquoteCookie(pair.slice(equals + 1).trim()))
  }
  return cookies
}

/** Quotes a cookie value as Python does, if it has characters that RFC 6265 does not allow unquoted. */
function quoteCookie(value: string): string {
  if (/^[!#-+\--:<-[\]-~]*$/.test(value)) return value
  const bytes = Buffer.from(value, 'utf8').toString('latin1')
  const quoted = bytes.replace(/["\\]/g, '\\$&')
  const octal = /[^ !#-+\--:<-~"\\]/g
  return `"${quoted.replace(octal, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`
}

function unquoteCookie(value: string): string {
  if (value.length < 2 || !value.startsWith('"') || !value.endsWith('"'))
    return Buffer.from(value, 'latin1').toString('utf8')
  const bytes = value
    .slice(1, -1)
    .replace(/\\(?:([0-3][0-7]{2})|([^]))/g, (_, octal?: string, other?: string) => {
      return octal === undefined ? (other ?? '') : String.fromCharCode(Number.parseInt(octal, 8))
    })
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
