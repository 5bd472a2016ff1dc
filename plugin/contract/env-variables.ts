import type { JsonObject } from '../../src/json.ts'
import type { ResolvedOptions } from './options.ts'

/** The variables that environment variables with the prefix of the options set, in lower case: with `MY_`, `MY_BASE_URL` is `base_url`. */
export function readEnvVariables(
  { envPrefix: prefix }: Pick<ResolvedOptions, 'envPrefix'>,
  env: Readonly<Record<string, string | undefined>>,
): JsonObject {
  const variables = Object.create(null) as JsonObject
  if (prefix === undefined) return variables
  for (const [name, value] of Object.entries(env))
    if (name.startsWith(prefix) && name.length > prefix.length && value !== undefined)
      variables[name.slice(prefix.length).toLowerCase()] = value
  return variables
}
