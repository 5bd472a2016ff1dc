import { readHeaderText, token } from '../build/build-headers.ts'
import { BuildProblem, describeValue } from '../build-problem.ts'
import { addCookies } from '../cookies.ts'
import { readSettings, setHeader } from './auth-scheme.ts'
import type { AuthScheme } from './auth-scheme.ts'

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
  if (!token.test(name)) throw invalid('name', 'letters, digits and hyphens', name)
  if (place === 'header') {
    const text = readHeaderText(name, value)
    return { headers: [name.toLowerCase()], authorize: (request) => setHeader(request, name, text) }
  }
  if (place !== 'cookie') throw invalid('in', '`header`, `query` or `cookie`', place)
  // What a cookie's value is made of (RFC 6265, 4.1.1).
  if (!/^[!#-+\--:<-[\]-~]*$/.test(value))
    throw invalid('value', 'without blanks, quotes, commas, semicolons and backslashes', '…')
  return {
    headers: [],
    authorize: (request) => ({ ...request, headers: addCookies(request.headers, `${name}=${value}`) }),
  }
}

function invalid(key: string, expected: string, got: string): BuildProblem {
  return new BuildProblem(
    'INVALID_AUTH',
    `Expected \`auth.api_key.${key}\` to be ${expected}, got ${describeValue(got)}`,
  )
}
