import type { JsonObject } from '../../src/json.ts'
import type { LoadOptions } from '../../src/suite/load-context.ts'
import { readEnvVariables } from './env-variables.ts'
import type { ResolvedOptions } from './options.ts'

type Settings =
  | 'compat'
  | 'defaults'
  | 'environmentFile'
  | 'envPrefix'
  | 'extend'
  | 'unresolved'
  | 'variables'

/** What the loading of every suite gets from the options and the environment variables: of variables, the names. */
export function pickLoadSettings(
  options: Pick<ResolvedOptions, Settings>,
  env: Readonly<Record<string, string | undefined>>,
): Partial<LoadOptions> {
  const { compat, defaults, environmentFile, extend, unresolved, variables } = options
  return {
    variables: [...Object.keys(variables), ...Object.keys(readEnvVariables(options, env))],
    compat: compat !== undefined,
    isStrict: unresolved === 'error',
    ...(defaults && { defaults: defaults as JsonObject }),
    ...(extend !== undefined && { extension: extend }),
    ...(environmentFile !== undefined && { environment: environmentFile }),
  }
}
