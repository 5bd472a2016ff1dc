import { isJsonObject, type Json } from '../../json.ts'
import { invalidAuth, readSettings, writeHeader, type AuthScheme } from './auth-scheme.ts'
import { digest } from './digest.ts'
import { oauth2 } from './oauth2.ts'
import { RequestProblem, describeValue, readText } from '../request-problem.ts'
import { readHeaderText, readHeaders, token } from '../build/build-headers.ts'
import { appendParams } from '../build/build-url.ts'
import { addCookies } from '../cookies.ts'
import { findHeader, groupHeaders, type Authorizer } from '../exchange.ts'

const basic: AuthScheme = (settings) => {
  const { username, password } = readSettings(settings, 'basic', ['username', 'password'])
  if (username.includes(':')) throw invalidAuth('basic.username', 'without a colon', username)
  return writeHeader('authorization', `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`)
}

const bearer: AuthScheme = (settings) => {
  const text = readFilled(settings, 'bearer')
  if (/^bearer\s/i.test(text))
    throw invalidAuth('bearer', 'the token alone, because `Bearer` is added in front of it', 'Bearer …')
  return writeHeader('authorization', readHeaderText('authorization', `Bearer ${text}`))
}

function readFilled(value: Json, label: string): string {
  const text = readText(value, `auth.${label}`)
  if (text.trim() === '') throw invalidAuth(label, 'a non-empty string', text)
  return text
}

const apiKey: AuthScheme = (settings) => {
  const { name, value, in: place = 'header' } = readSettings(settings, 'api_key', ['name', 'value'])
  readFilled(value, 'api_key.value')
  if (place === 'query')
    return {
      // The target of a redirect may have it already. Another value stays beside it, so that both are seen.
      authorize: (request) =>
        new URL(request.url).searchParams.has(name, value)
          ? request
          : { ...request, url: appendParams(request.url, { [name]: value }) },
    }
  if (!token.test(name)) throw invalidAuth('api_key.name', 'letters, digits and hyphens', name)
  if (place === 'header') return writeHeader(...(readHeaders({ [name]: value }).lines[0] as [string, string]))
  if (place !== 'cookie') throw invalidAuth('api_key.in', '`header`, `query` or `cookie`', place)
  // Characters allowed in a cookie value (RFC 6265, 4.1.1).
  if (!/^[!#-+\--:<-[\]-~]*$/.test(value))
    throw invalidAuth('api_key.value', 'without spaces, quotes, commas, semicolons or backslashes', '…')
  return {
    authorize: (request) => ({ ...request, headers: addCookies(request.headers, `${name}=${value}`) }),
  }
}

const aws: AuthScheme = (settings) => {
  const needed = ['region', 'service', 'access_key_id', 'secret_access_key'] as const
  const { region, service, session_token: sessionToken, ...keys } = readSettings(settings, 'aws', needed)
  const accessKeyId = readFilled(keys.access_key_id, 'aws.access_key_id')
  const secretAccessKey = readFilled(keys.secret_access_key, 'aws.secret_access_key')
  const written = ['authorization', 'x-amz-date', 'x-amz-content-sha256', 'x-amz-security-token']
  return {
    headers: written,
    async authorize(request) {
      const { AwsV4Signer } = await import('aws4fetch')
      const { method, url, headers, body } = request
      // Not signed, as in AWS's own clients: some proxies, such as that of Google's storage, rewrite it.
      const lines = headers.filter(([name]) => name.toLowerCase() !== 'accept-encoding')
      const signer = new AwsV4Signer({
        method,
        // Sign what the server sees: a `host` header replaces the URL's host, repeated headers are one line.
        url: url.replace(/(?<=:\/\/)[^/]+/, findHeader(headers, 'host') ?? '$&'),
        headers: Object.entries(groupHeaders(lines)).map(([name, value]) => [name, String(value)]),
        body: body === undefined ? null : new Uint8Array(body),
        accessKeyId,
        secretAccessKey,
        ...(sessionToken !== undefined && { sessionToken }),
        region,
        service,
      })
      const signed = await signer.sign()
      const added = [...signed.headers].filter(([name]) => written.includes(name))
      return { ...request, headers: [...headers, ...added] }
    },
  }
}

type Schemes = Readonly<Record<string, AuthScheme>>

export const builtInSchemes = { basic, bearer, api_key: apiKey, digest, oauth2, aws } satisfies Schemes

export const builtInSchemeNames: readonly string[] = Object.keys(builtInSchemes)

let schemes: Schemes = builtInSchemes

/** Registers the user's own schemes; replaces those of an earlier call. */
export function setUserSchemes(given: Schemes): void {
  schemes = { ...builtInSchemes, ...given }
}

export function listSchemes(): string[] {
  return Object.keys(schemes)
}

/** Reads the `auth` of a request; `none` counts as absent. Throws a RequestProblem. */
export function readAuth(
  auth: Json | undefined,
  context: Parameters<AuthScheme>[1] = {},
): Authorizer | undefined {
  if (auth === undefined || auth === null || auth === 'none') return undefined
  const given = isJsonObject(auth) ? Object.entries(auth) : []
  const [name, settings] = given[0] ?? []
  const scheme = name !== undefined && Object.hasOwn(schemes, name) ? schemes[name] : undefined
  if (scheme === undefined || settings === undefined || given.length > 1) {
    const names = given.map(([key]) => `\`${key}\``).join(' and ')
    const got = names || (isJsonObject(auth) ? 'no credentials' : describeValue(auth))
    throw new RequestProblem(`Expected \`auth\` to be none or one of ${listSchemes().join(', ')}, got ${got}`)
  }
  return scheme(settings, context)
}
