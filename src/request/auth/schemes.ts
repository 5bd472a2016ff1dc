import { isJsonObject, type Json } from '../../json.ts'
import { invalidAuth, readSettings, writeHeader, type AuthScheme } from './auth-scheme.ts'
import { digest } from './digest.ts'
import { oauth2 } from './oauth2.ts'
import { BuildProblem, describeValue, readText } from '../build-problem.ts'
import { readHeaderText, readHeaders, token } from '../build/build-headers.ts'
import { appendParams } from '../build/build-url.ts'
import { addCookies } from '../cookies.ts'
import { findHeader, groupHeaders, type Authorizer } from '../exchange.ts'

/** HTTP Basic in UTF-8 (RFC 7617). */
const basic: AuthScheme = (settings) => {
  const { username, password } = readSettings(settings, 'basic', { needed: ['username', 'password'] })
  if (username.includes(':')) throw invalidAuth('basic.username', 'without a colon', username)
  return writeHeader('authorization', `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`)
}

/** A bearer token (RFC 6750). */
const bearer: AuthScheme = (settings) => {
  const text = readFilled(settings, 'bearer')
  if (/^bearer\s/i.test(text))
    throw invalidAuth('bearer', 'the token alone: `Bearer` is put before it', 'Bearer …')
  return writeHeader('authorization', readHeaderText('authorization', `Bearer ${text}`))
}

/** A text with something in it: a credential that is empty is one that was not found. */
function readFilled(value: Json, label: string): string {
  const text = readText(value, `auth.${label}`)
  if (text.trim() === '') throw invalidAuth(label, 'a text that is not empty', text)
  return text
}

/** A key in a header, in the query or in a cookie. */
const apiKey: AuthScheme = (settings) => {
  const given = readSettings(settings, 'api_key', { needed: ['name', 'value'], optional: ['in'] })
  const { name, value, in: place = 'header' } = given
  readFilled(value, 'api_key.value')
  if (place === 'query') return addParam(name, value)
  if (!token.test(name)) throw invalidAuth('api_key.name', 'letters, digits and hyphens', name)
  if (place === 'header') return writeHeader(...(readHeaders({ [name]: value }).lines[0] as [string, string]))
  if (place !== 'cookie') throw invalidAuth('api_key.in', '`header`, `query` or `cookie`', place)
  // What a cookie's value is made of (RFC 6265, 4.1.1).
  if (!/^[!#-+\--:<-[\]-~]*$/.test(value))
    throw invalidAuth('api_key.value', 'without blanks, quotes, commas, semicolons and backslashes', '…')
  return {
    authorize: (request) => ({ ...request, headers: addCookies(request.headers, `${name}=${value}`) }),
  }
}

function addParam(name: string, value: string): Authorizer {
  return {
    param: name,
    authorize(request) {
      // A redirect may have kept it.
      if (new URL(request.url).searchParams.has(name)) return request
      return { ...request, url: appendParams(request.url, { [name]: value }) }
    },
  }
}

/** AWS Signature Version 4, made anew for each request. */
const aws: AuthScheme = (settings) => {
  const given = readSettings(settings, 'aws', {
    needed: ['region', 'service', 'access_key_id', 'secret_access_key'],
    optional: ['session_token'],
  })
  const written = ['authorization', 'x-amz-date', 'x-amz-content-sha256', 'x-amz-security-token']
  return {
    headers: written,
    async authorize(request) {
      const { AwsV4Signer } = await import('aws4fetch')
      const { method, url, headers, body } = request
      const signer = new AwsV4Signer({
        method,
        // As its server sees them: a header `host` in the url's place, repeated ones in one line.
        url: url.replace(/(?<=:\/\/)[^/]+/, findHeader(headers, 'host') ?? '$&'),
        headers: Object.entries(groupHeaders(headers)).map(([name, value]) => [name, String(value)]),
        body: body === undefined ? null : new Uint8Array(body),
        accessKeyId: given.access_key_id,
        secretAccessKey: given.secret_access_key,
        ...(given.session_token !== undefined && { sessionToken: given.session_token }),
        region: given.region,
        service: given.service,
      })
      const signed = await signer.sign()
      const added = [...signed.headers].filter(([name]) => written.includes(name))
      return { ...request, headers: [...headers, ...added] }
    },
  }
}

const ownSchemes: Readonly<Record<string, AuthScheme>> = {
  basic,
  bearer,
  api_key: apiKey,
  digest,
  oauth2,
  aws,
}

/** The schemes of this package, by their keys in `auth`. */
export const ownSchemeNames: readonly string[] = Object.keys(ownSchemes)

let schemes = ownSchemes

/** Makes schemes of the user's own known, instead of those known before. */
export function giveSchemes(given: Readonly<Record<string, AuthScheme>>): void {
  schemes = { ...ownSchemes, ...given }
}

/** The keys that `auth` may have. */
export function listSchemes(): string[] {
  return Object.keys(schemes)
}

/** Reads the `auth` of a request; `none` is the same as nothing. Throws a BuildProblem. */
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
    throw new BuildProblem(
      `Expected \`auth\` to be none or one of ${listSchemes().join(', ')}, got ${got}`,
      'INVALID_AUTH',
    )
  }
  return scheme(settings, context)
}
