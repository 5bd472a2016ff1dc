import { readHeaderText } from '../build/build-headers.ts'
import { readText } from '../build-problem.ts'
import { setHeader } from './auth-scheme.ts'
import type { AuthScheme } from './auth-scheme.ts'

/** A bearer token (RFC 6750). */
export const bearer: AuthScheme = (settings) => {
  const value = readHeaderText('authorization', `Bearer ${readText(settings, 'auth.bearer')}`)
  return {
    headers: ['authorization'],
    authorize: (request) => setHeader(request, 'authorization', value),
  }
}
