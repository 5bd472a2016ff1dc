import { isJsonObject, type Json } from '../../json.ts'
import { BuildProblem, describeValue } from '../build-problem.ts'
import type { Authorizer } from '../exchange.ts'
import type { AuthScheme, SchemeContext } from './auth-scheme.ts'
import { aws } from './aws.ts'
import { digest } from './digest.ts'
import { oauth2 } from './oauth2.ts'
import { apiKey, basic, bearer } from './simple-schemes.ts'

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

/** Makes schemes of the user's own known, in the place of those known before. */
export function giveSchemes(given: Readonly<Record<string, AuthScheme>>): void {
  schemes = { ...ownSchemes, ...given }
}

/** The keys that `auth` may have. */
export function listSchemes(): string[] {
  return Object.keys(schemes)
}

/** Reads the `auth` of a request; `none` is the same as nothing. Throws a BuildProblem. */
export function readAuth(auth: Json | undefined, context: SchemeContext = {}): Authorizer | undefined {
  if (auth === undefined || auth === null || auth === 'none') return undefined
  const given = isJsonObject(auth) ? Object.entries(auth) : []
  const [name, settings] = given[0] ?? []
  const scheme = name !== undefined && Object.hasOwn(schemes, name) ? schemes[name] : undefined
  if (scheme === undefined || settings === undefined || given.length > 1) {
    const names = given.map(([key]) => `\`${key}\``).join(' and ')
    const got = names || (isJsonObject(auth) ? 'no credentials' : describeValue(auth))
    throw new BuildProblem(
      'INVALID_AUTH',
      `Expected \`auth\` to be none or one of ${listSchemes().join(', ')}, got ${got}`,
    )
  }
  return scheme(settings, context)
}
