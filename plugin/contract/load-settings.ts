import type { JsonObject } from '../../src/json.ts'
import type { LoadOptions } from '../../src/suite/load-context.ts'
import type { ResolvedOptions } from './options.ts'

/** What the loading of every suite gets from the options and the environment variables: of variables, the names. */
export function pickLoadSettings(
  options: Omit<ResolvedOptions, 'include' | 'exclude' | 'report'>,
  env: Readonly<Record<string, string | undefined>>,
): Partial<LoadOptions> {
  const { app, compat, defaults, environmentFile, extend, unresolved, variables } = options
  return {
    variables: [...Object.keys(variables), ...Object.keys(readEnvVariables(options, env))],
    compat: compat !== undefined,
    hasApp: app !== undefined,
    isStrict: unresolved === 'error',
    defaults: defaults as JsonObject | undefined,
    extension: extend,
    environment: environmentFile,
  }
}

/** The variables that environment variables set for suites of flow-test-engine: `FLOW_TEST_BASE_URL` is `base_url`. */
export function readEnvVariables(
  { compat }: Pick<ResolvedOptions, 'compat'>,
  env: Readonly<Record<string, string | undefined>>,
): JsonObject {
  const variables = Object.create(null) as JsonObject
  for (const [name, value] of compat ? Object.entries(env) : []) {
    const [, own] = /^FLOW_TEST_(.+)$/.exec(name) ?? []
    if (own !== undefined && value !== undefined) variables[own.toLowerCase()] = value
  }
  return variables
}
