import type { JsonObject } from '../../src/json.ts'
import type { LoadOptions } from '../../src/suite/load-context.ts'
import type { ResolvedOptions } from './options.ts'

/** The options and the facts about the project that workers need, as plain data. */
export type WorkerOptions = ResolvedOptions & {
  /** Seed of generated data: the option `seed`, or a new one for each run. */
  seed: number
  /** Values of `.env` files. */
  env: Record<string, string>
  /** Absolute path of the project. */
  root: string
  /** Absolute path of the folder that Vitest runs in. Shown paths are relative to it. */
  shownFrom: string
  /** Show more of the response in failures. Set when the reporter `verbose` is in use. */
  verbose: boolean
  /** Key that seals secrets on their way to the main process. */
  key: string
}

declare module 'vitest' {
  interface ProvidedContext {
    suitecase: WorkerOptions
  }
}

/** The settings for loading any suite. `env` has the variables of `.env` files; those of the process win. */
export function pickLoadSettings(
  options: ResolvedOptions,
  env: Readonly<Record<string, string | undefined>> = {},
): Partial<LoadOptions> {
  const { app, compat, defaults, environmentFile, extend, limits, templates, unresolved, variables } = options
  // Copied only if needed: the environment is large, and this runs for every suite.
  const fromEnv = compat && readEnvVariables({ ...env, ...process.env })
  return {
    variables: [...Object.keys(variables), ...Object.keys(fromEnv ?? {})],
    compat: compat !== undefined,
    hasApp: app !== undefined,
    isStrict: unresolved === 'error',
    defaults: defaults as JsonObject | undefined,
    templates,
    extension: extend,
    environment: environmentFile,
    fileSize: limits.fileSize,
  }
}

/** Variables that the environment gives to flow-test-engine suites: `FLOW_TEST_BASE_URL` sets `base_url`. */
export function readEnvVariables(env: Readonly<Record<string, string | undefined>>): JsonObject {
  const variables = Object.create(null) as JsonObject
  for (const [name, value] of Object.entries(env))
    if (/^FLOW_TEST_./.test(name) && value !== undefined) variables[name.slice(10).toLowerCase()] = value
  return variables
}
