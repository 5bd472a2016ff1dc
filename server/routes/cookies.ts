import { type EchoContext, type EchoRouter, ownPath, readQuery, sendRedirect } from '../context.ts'
import { HttpProblem } from '../http-problem.ts'
import { quoteCookie, readCookies } from '../request/cookies.ts'

const EXPIRED = 'Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; Path=/'

/** `/cookies` shows the cookies sent; `/cookies/set` and `/cookies/delete` change them and lead back there. */
export function addCookieRoutes(router: EchoRouter): void {
  router.get('/cookies', (ctx) => {
    ctx.body = { cookies: readCookies(ctx.req.headers.cookie) }
  })
  router.get('/cookies/set', (ctx) => leadBack(ctx, readFirst(ctx).map(setCookie)))
  router.get('/cookies/set/:name/:value', (ctx) =>
    leadBack(ctx, [setCookie([ctx.params['name'] ?? '', ctx.params['value'] ?? ''])]),
  )
  router.get('/cookies/delete', (ctx) =>
    leadBack(
      ctx,
      readFirst(ctx).map(([name]) => `${checkName(name)}=; ${EXPIRED}`),
    ),
  )
}

function readFirst(ctx: EchoContext): [string, string][] {
  return Array.from(readQuery(ctx), ([name, values]) => [name, values[0] ?? ''])
}

function leadBack(ctx: EchoContext, cookies: string[]): void {
  sendRedirect(ctx, ownPath(ctx, '/cookies'))
  ctx.set('Set-Cookie', cookies)
}

function setCookie([name, value]: [string, string]): string {
  return `${checkName(name)}=${quoteCookie(value)}; Path=/`
}

function checkName(name: string): string {
  if (/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) return name
  throw new HttpProblem(400, `expected the name of a cookie to be a token (RFC 6265), got "${name}"`)
}
