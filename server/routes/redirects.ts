import { EVERY_METHOD, ownPath, readCount, readOption, sendDocument, sendRedirect } from '../context.ts'
import type { EchoContext, EchoRouter } from '../context.ts'
import { ownOrigin } from '../echo.ts'
import { HttpProblem } from '../http-problem.ts'

/** Redirects that lead to `/get` in n steps or to a given target, and `/links/{n}/{i}`, a page with n links to pages like it. */
export function addRedirectRoutes(router: EchoRouter): void {
  router.get('/redirect/:count', (ctx) => {
    const isAbsolute = readOption(ctx, 'absolute')?.toLowerCase() === 'true'
    redirectToNext(ctx, isAbsolute ? 'absolute' : 'relative')
  })
  router.get('/relative-redirect/:count', (ctx) => redirectToNext(ctx, 'relative'))
  router.get('/absolute-redirect/:count', (ctx) => redirectToNext(ctx, 'absolute'))
  router.register('/redirect-to', EVERY_METHOD, (ctx) => {
    const target = readOption(ctx, 'url')
    if (target === undefined) throw new HttpProblem(400, 'expected a query parameter "url"')
    const status = readCount(readOption(ctx, 'status_code') ?? '302', 0, 999)
    sendRedirect(ctx, checkTarget(target, ctx), status >= 300 && status <= 399 ? status : 302)
  })
  router.get('/links/:count', (ctx) => sendRedirect(ctx, ownPath(ctx, `/links/${readLinks(ctx)}/0`)))
  router.get('/links/:count/:index', (ctx) => {
    const count = readLinks(ctx)
    const current = readCount(ctx.params['index'], 0, count)
    const links = Array.from({ length: count }, (_, index) =>
      index === current ? `${index} ` : `<a href='${ownPath(ctx, `/links/${count}/${index}`)}'>${index}</a> `,
    )
    const page = `<html><head><title>Links</title></head><body>${links.join('')}</body></html>`
    sendDocument(ctx, 'text/html; charset=utf-8', page)
  })
}

function redirectToNext(ctx: EchoContext, kind: 'absolute' | 'relative'): void {
  const count = readCount(ctx.params['count'], 1, 1_000_000)
  const next = ownPath(ctx, count === 1 ? '/get' : `/${kind}-redirect/${count - 1}`)
  sendRedirect(ctx, kind === 'absolute' ? `${ownOrigin(ctx)}${next}` : next)
}

function readLinks(ctx: EchoContext): number {
  return readCount(ctx.params['count'], 1, ctx.state.echo.limits.maxItems)
}

/** Allows only targets on this server or at an origin of the options: attackers use open redirects. */
function checkTarget(target: string, ctx: EchoContext): string {
  const own = ownOrigin(ctx)
  // The client chooses the scheme. With other schemes every origin would be `null`, and so be equal.
  const base = /^https?:/i.test(own) && URL.canParse(own) ? own : 'http://localhost'
  const origin = URL.parse(target, base)?.origin ?? ''
  const isAllowed = origin === new URL(base).origin || ctx.state.echo.limits.allowedRedirects.includes(origin)
  // Without control characters, some of which URL ignores.
  if (isAllowed && /^[^\p{Cc}]*$/u.test(target)) return target.replace(/[^!-~]+/g, encodeURIComponent)
  throw new HttpProblem(
    400,
    `"${target}" is not a target on this server, nor at an origin of allowedRedirects`,
  )
}
