import { BuildProblem, describeValue } from '../build-problem.ts'
import { readSettings, setHeader } from './auth-scheme.ts'
import type { AuthScheme } from './auth-scheme.ts'

/** HTTP Basic in UTF-8 (RFC 7617). */
export const basic: AuthScheme = (settings) => {
  const { username, password } = readSettings(settings, 'basic', { needed: ['username', 'password'] })
  if (username.includes(':')) {
    throw new BuildProblem(
      'INVALID_AUTH',
      `Expected \`auth.basic.username\` to be without a colon, got ${describeValue(username)}`,
    )
  }
  const value = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return {
    headers: ['authorization'],
    authorize: (request) => setHeader(request, 'authorization', value),
  }
}
