import { type EchoContext, type EchoRouter, ownPath, readQuery, sendRedirect } from '../context.ts'
import { HttpProblem } from '../http-problem.ts'

/** `/cookies` shows the cookies that were sent. `/cookies/set` and `/cookies/delete` change them and redirect there. */
export function addCookieRoutes(router: EchoRouter): void {
  router.get('/cookies', (ctx) => {
    ctx.body = { cookies: parseCookies(ctx.req.headers.cookie) }
  })
  router.get('/cookies/set', (ctx) => {
    const query = readQuery(ctx)
    redirectToCookies(ctx, new Map(Array.from(query.keys(), (name) => [name, query.get(name) ?? ''])))
  })
  router.get('/cookies/set/:name/:value', (ctx) => {
    const { name = '', value = '' } = ctx.params
    redirectToCookies(ctx, new Map([[name, value]]))
  })
  router.get('/cookies/delete', (ctx) => {
    const cookies = new Map(Array.from(readQuery(ctx).keys(), (name) => [name, '']))
    redirectToCookies(ctx, cookies, 'Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; ')
  })
}

function redirectToCookies(ctx: EchoContext, cookies: ReadonlyMap<string, string>, attributes = ''): void {
  const lines = Array.from(cookies, ([name, value]) => {
    if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name) || !/^[!#-+\--:<-[\]-~]*$/.test(value))
      throw new HttpProblem(400, `"${name}=${value}" is not a cookie (RFC 6265, 4.1.1)`)
    return `${name}=${value}; ${attributes}Path=/`
  })
  sendRedirect(ctx, ownPath(ctx, '/cookies'))
  ctx.set('Set-Cookie', lines)
}

/** Parses a `Cookie` header (RFC 6265, 5.4). Of repeated names the first counts, and quotes around a value are not part of it. */
export function parseCookies(header: string | undefined): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=')
    const name = (equals < 0 ? pair : pair.slice(0, equals)).trim()
    if (name === '' || cookies.has(name)) continue
    const value = equals < 0 ? '' : pair.slice(equals + 1).trim()
    cookies.set(name, Buffer.from(value.replace(/^"(.*)"$/s, '$1'), 'latin1').toString())
  }
  return cookies
}
