import { type EchoContext, type EchoRouter, readOption } from '../context.ts'
import { readCount } from '../numbers.ts'
import { parseFields } from '../request/fields.ts'

const GRANTS: Record<string, string[]> = {
  client_credentials: [],
  password: ['username', 'password'],
  refresh_token: ['refresh_token'],
}

/**
 * `/oauth/token` (RFC 6749, 4.3, 4.4 and 6) gives a token to any client that identifies itself. Nothing is kept: a token
 * says itself when it ends, and only `/bearer` looks.
 */
export function addOauthRoutes(router: EchoRouter): void {
  router.post('/oauth/token', (ctx) => {
    ctx.set('Cache-Control', 'no-store')
    const form = parseFields(ctx.state.echo.body.toString('latin1'), ctx.state.echo.limits.maxParts)
    const read = (name: string): string => form.get(name)?.[0] ?? ''
    const grant = read('grant_type')
    const needed = Object.hasOwn(GRANTS, grant) ? GRANTS[grant] : undefined
    const missing = needed?.find((name) => read(name) === '')
    if (!ctx.is('application/x-www-form-urlencoded') || grant === '')
      return refuse(ctx, 'invalid_request', 'expected a form with grant_type')
    if (!/^basic ./i.test(ctx.get('Authorization')) && read('client_id') === '') {
      ctx.set('WWW-Authenticate', 'Basic realm="oauth"')
      return refuse(ctx, 'invalid_client', 'expected client_id, or basic authentication')
    }
    if (!needed) return refuse(ctx, 'unsupported_grant_type', `there is ${Object.keys(GRANTS).join(', ')}`)
    if (missing !== undefined) return refuse(ctx, 'invalid_request', `expected ${missing}`)
    if (grant === 'refresh_token' && !read('refresh_token').startsWith('refresh-'))
      return refuse(ctx, 'invalid_grant', 'this refresh token is not from here')
    const seconds = readCount(readOption(ctx, 'expires_in') ?? '3600', { min: 0, max: 2 ** 31 })
    ctx.body = {
      access_token: `access-${crypto.randomUUID()}-${Date.now() + seconds * 1000}`,
      expires_in: seconds,
      refresh_token: grant === 'client_credentials' ? undefined : `refresh-${crypto.randomUUID()}`,
      scope: read('scope') || undefined,
      token_type: 'Bearer',
    }
    return undefined
  })
}

/** Whether a token comes from here and has ended. */
export function isExpired(token: string): boolean {
  const end = /^access-[0-9a-f-]{36}-([0-9]{1,16})$/.exec(token)?.[1]
  return end !== undefined && Number(end) <= Date.now()
}

function refuse(ctx: EchoContext, error: string, description: string): void {
  ctx.status = error === 'invalid_client' ? 401 : 400
  ctx.body = { error, error_description: description }
}
