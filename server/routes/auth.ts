import { type EchoContext, type EchoRouter, sendEmpty } from '../context.ts'
import { isExpired } from './oauth.ts'
import { sendStatus } from './status.ts'

/** `/basic-auth`, `/hidden-basic-auth` (RFC 7617) and `/bearer` (RFC 6750). */
export function addAuthRoutes(router: EchoRouter): void {
  router.get('/basic-auth/:user/:password', (ctx) => answerBasic(ctx, 401))
  router.get('/hidden-basic-auth/:user/:password', (ctx) => answerBasic(ctx, 404))
  router.get('/bearer', (ctx) => {
    const token = /^Bearer (.*)$/s.exec(ctx.get('Authorization'))?.[1]
    if (token !== undefined && !isExpired(token)) {
      ctx.body = { authenticated: true, token }
      return
    }
    sendEmpty(ctx, 401)
    ctx.set('WWW-Authenticate', token === undefined ? 'Bearer' : 'Bearer error="invalid_token"')
  })
}

function answerBasic(ctx: EchoContext, refusal: number): void {
  const { user, password } = ctx.params
  const credentials = /^basic +(\S+)$/i.exec(ctx.get('Authorization'))?.[1] ?? ''
  if (Buffer.from(credentials, 'base64').toString('utf8') === `${user}:${password}`)
    ctx.body = { authenticated: true, user }
  else sendStatus(ctx, refusal)
}
