import { readHeaders, readHeaderText, token } from '../build/build-headers.ts'
import type { Json } from '../../json.ts'
import { readText } from '../build-problem.ts'
import { addCookies } from '../cookies.ts'
import { invalidAuth, readSettings, setHeader, type AuthScheme } from './auth-scheme.ts'

/** HTTP Basic in UTF-8 (RFC 7617). */
export const basic: AuthScheme = (settings) => {
  const { username, password } = readSettings(settings, 'basic', { needed: ['username', 'password'] })
  if (username.includes(':')) throw invalidAuth('basic.username', 'without a colon', username)
  const value = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return { headers: ['authorization'], authorize: (request) => setHeader(request, 'authorization', value) }
}

/** A bearer token (RFC 6750). */
export const bearer: AuthScheme = (settings) => {
  const text = readFilled(settings, 'bearer')
  if (/^bearer\s/i.test(text))
    throw invalidAuth('bearer', 'the token alone: `Bearer` is put before it', 'Bearer …')
  const value = readHeaderText('authorization', `Bearer ${text}`)
  return { headers: ['authorization'], authorize: (request) => setHeader(request, 'authorization', value) }
}

/** A text with something in it: a credential that is empty is one that was not found. */
function readFilled(value: Json, label: string): string {
  const text = readText(value, `auth.${label}`)
  if (text.trim() === '') throw invalidAuth(label, 'a text that is not empty', text)
  return text
}

/** A key in a header, in the query or in a cookie. */
export const apiKey: AuthScheme = (settings) => {
  const { name, value, ...rest } = readSettings(settings, 'api_key', {
    needed: ['name', 'value'],
    optional: ['in'],
  })
  const place = rest.in ?? 'header'
  readFilled(value, 'api_key.value')
  if (place === 'query') {
    const pair = `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`
    return {
      headers: [],
      param: name,
      authorize(request) {
        const { url } = request
        // A redirect may have kept it.
        if (new URL(url).searchParams.has(name)) return request
        return { ...request, url: `${url}${url.includes('?') ? '&' : '?'}${pair}` }
      },
    }
  }
  if (!token.test(name)) throw invalidAuth('api_key.name', 'letters, digits and hyphens', name)
  if (place === 'header') {
    const [[, text] = ['', '']] = readHeaders({ [name]: value }).lines
    return { headers: [name.toLowerCase()], authorize: (request) => setHeader(request, name, text) }
  }
  if (place !== 'cookie') throw invalidAuth('api_key.in', '`header`, `query` or `cookie`', place)
  // What a cookie's value is made of (RFC 6265, 4.1.1).
  if (!/^[!#-+\--:<-[\]-~]*$/.test(value))
    throw invalidAuth('api_key.value', 'without blanks, quotes, commas, semicolons and backslashes', '…')
  return {
    headers: [],
    authorize: (request) => ({ ...request, headers: addCookies(request.headers, `${name}=${value}`) }),
  }
}
