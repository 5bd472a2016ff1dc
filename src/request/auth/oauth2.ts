import { isJsonObject, pickFields } from '../../json.ts'
import { readData } from '../../safe-json.ts'
import { buildUrl } from '../build/build-url.ts'
import type { AuthContext, Exchange, Token } from '../exchange.ts'
import { RequestProblem } from '../request-problem.ts'
import { invalidAuth, readSettings, setHeader, type AuthScheme } from './auth-scheme.ts'

/** Fields each grant sends besides `grant_type`, `scope` and `audience` (RFC 6749, 4 and 6). */
const grants: Record<string, readonly string[]> = {
  client_credentials: [],
  password: ['username', 'password'],
  refresh_token: ['refresh_token'],
}

type Grant = { url: string; id: string; secret: string | undefined; inBody: boolean; fields: Fields }
type Fields = Record<string, string>

/** A bearer token from an OAuth 2.0 token endpoint, fetched once per settings, renewed before it expires. */
export const oauth2: AuthScheme = (settings, { baseUrl }) => {
  const given = readSettings(settings, 'oauth2', ['token_url', 'client_id'])
  const { grant: name = 'client_credentials', client_auth: how = 'header', scope, audience } = given
  const wanted = Object.hasOwn(grants, name) ? grants[name] : undefined
  if (!wanted) throw invalidAuth('oauth2.grant', Object.keys(grants).join(', '), name)
  if (how !== 'header' && how !== 'body') throw invalidAuth('oauth2.client_auth', '`header` or `body`', how)
  const idle = Object.values(grants)
    .flat()
    .find((field) => given[field] !== undefined && !wanted.includes(field))
  if (idle !== undefined) throw invalidAuth(`oauth2.${idle}`, `left out for the grant ${name}`, '…')
  const own = pickFields(readSettings(settings, 'oauth2', wanted), wanted)
  const fields: Fields = { grant_type: name, ...(scope && { scope }), ...(audience && { audience }), ...own }
  const { client_id: id, client_secret: secret } = given
  if (secret === '') throw invalidAuth('oauth2.client_secret', 'a non-empty string, or left out', secret)
  const url = buildUrl(given.token_url, undefined, baseUrl)
  const grant: Grant = { url, id, secret, inBody: how === 'body' || secret === undefined, fields }
  return {
    headers: ['authorization'],
    async authorize(request, context) {
      const { value } = await getToken(grant, context)
      return setHeader(request, 'authorization', `Bearer ${value}`)
    },
  }
}

/** The token for these settings, cached while it is valid. Failures are not cached. */
async function getToken(grant: Grant, context: AuthContext): Promise<Token> {
  const { tokens } = context
  const key = JSON.stringify(grant)
  const known = tokens.get(key)
  const token = await known?.catch((error: RequestProblem) => {
    // A refusal holds for all that wait for it, a time limit only for the request that has it.
    if (error.code === 'OAUTH2_REFUSED') throw error
    return undefined
  })
  if (token && token.fetchedAt <= Date.now() && Date.now() < token.renewAt) return token
  // Another request renews it already.
  if (tokens.get(key) !== known) return getToken(grant, context)
  const fetching = fetchToken(grant, context, token?.refreshToken)
  tokens.set(key, fetching)
  fetching.catch(() => tokens.delete(key))
  return fetching
}

/** `newest`: the refresh token that came with the last token; a server may accept each only once. */
async function fetchToken(
  { url, id, secret, inBody, fields }: Grant,
  context: AuthContext,
  newest?: string,
): Promise<Token> {
  const form = new URLSearchParams(fields)
  if (newest !== undefined && form.has('refresh_token')) form.set('refresh_token', newest)
  const headers: [string, string][] = [
    ['accept', 'application/json'],
    ['content-type', 'application/x-www-form-urlencoded'],
  ]
  if (inBody) {
    form.set('client_id', id)
    if (secret !== undefined) form.set('client_secret', secret)
  } else {
    // Both are form-encoded first (RFC 6749, 2.3.1).
    headers.push(['authorization', `Basic ${btoa(`${encodeText(id)}:${encodeText(secret)}`)}`])
  }
  const body = Buffer.from(form.toString())
  const { timeout } = context
  return readToken(await context.send({ method: 'POST', url, headers, body, timeout, maxRedirects: 0 }))
}

function encodeText(text = ''): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}

function readToken({ request: { url }, response, failure }: Exchange): Token {
  if (failure !== undefined || response === undefined)
    throw createStop('OAUTH2_TOKEN', failure?.common ?? failure?.message ?? `POST ${url} had no response`)
  const read = readData(Buffer.from(response.body).toString())
  const answer = isJsonObject(read) ? read : {}
  const { access_token: value, refresh_token: refreshToken } = answer
  // RFC 6749, 5.1, says 200, but some frameworks answer a POST with 201.
  const isAnswered = response.statusCode >= 200 && response.statusCode < 300
  // The token is not shown: it becomes known as a secret only when it is sent.
  if (!isAnswered || typeof value !== 'string' || !/^(?! *$)[ -~\x80-\xff]+$/.test(value)) {
    const { error, error_description: description } = answer
    const reason = [error, description].filter((text) => typeof text === 'string').join(': ')
    const status = `the token endpoint POST ${url} answered with status ${response.statusCode}`
    throw createStop('OAUTH2_REFUSED', `${status} (${reason || 'without a valid access_token'})`)
  }
  const lifetime = Number(answer['expires_in'] ?? Number.POSITIVE_INFINITY) * 1000
  // 30 s before it expires, or after half its lifetime if that is under a minute.
  const fetchedAt = Date.now()
  const renewAt = fetchedAt + lifetime - Math.min(30_000, lifetime / 2)
  return { value, fetchedAt, renewAt, ...(typeof refreshToken === 'string' && { refreshToken }) }
}

function createStop(code: string, message: string): RequestProblem {
  const hint = 'Check `auth.oauth2`: token_url, client_id, client_secret, client_auth, scope and grant'
  return new RequestProblem(message, code, hint)
}
