import type { JsonObject } from '../../src/json.ts'
import type { LoadOptions } from '../../src/suite/load-context.ts'
import type { ResolvedOptions } from './options.ts'

/** What workers need of the options and the project, as plain data. */
export type WorkerOptions = ResolvedOptions & {
  /** Values of `.env` files. */
  env: Record<string, string>
  /** Name of the project of suites, one for each plugin of a workspace. */
  project: string
  /** Absolute path of the project. */
  root: string
  /** Absolute path of the folder Vitest runs in, to which shown paths are relative. */
  shownFrom: string
  /** Failures show more of an answer: the reporter `verbose` is asked for. */
  verbose: boolean
  /** Key that secrets are sealed with on their way to the main process. */
  key: string
}

declare module 'vitest' {
  interface ProvidedContext {
    suitecase: WorkerOptions
  }
}

/** The settings that every suite is loaded with. `env` has the variables of `.env` files, beside those of the process; of variables the names are enough. */
export function pickLoadSettings(
  options: ResolvedOptions,
  env: Readonly<Record<string, string | undefined>> = {},
): Partial<LoadOptions> {
  const { app, compat, defaults, environmentFile, extend, unresolved, variables } = options
  // The environment is large, and looked at for every suite.
  const fromEnv = compat && readEnvVariables(options, { ...env, ...process.env })
  return {
    variables: [...Object.keys(variables), ...Object.keys(fromEnv ?? {})],
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
