import { readHeaderText, token } from '../build/build-headers.ts'
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
  const text = readText(settings, 'auth.bearer')
  if (/^bearer\s/i.test(text))
    throw invalidAuth('bearer', 'the token alone: `Bearer` is put before it', 'Bearer …')
  const value = readHeaderText('authorization', `Bearer ${text}`)
  return { headers: ['authorization'], authorize: (request) => setHeader(request, 'authorization', value) }
}

/** A key in a header, in the query or in a cookie. */
export const apiKey: AuthScheme = (settings) => {
  const { name, value, ...rest } = readSettings(settings, 'api_key', {
    needed: ['name', 'value'],
    optional: ['in'],
  })
  const place = rest.in ?? 'header'
  if (place === 'query') {
    const pair = `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`
    return {
      headers: [],
      authorize: (request) => ({
        ...request,
        url: `${request.url}${request.url.includes('?') ? '&' : '?'}${pair}`,
      }),
    }
  }
  if (!token.test(name)) throw invalidAuth('api_key.name', 'letters, digits and hyphens', name)
  if (place === 'header') {
    const text = readHeaderText(name, value)
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
