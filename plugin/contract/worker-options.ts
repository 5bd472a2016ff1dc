import type { JsonObject } from '../../src/json.ts'
import type { LoadOptions } from '../../src/suite/load-context.ts'
import type { ResolvedOptions } from './options.ts'

/** How long a suite, or a hook of an extension, may take in ms, unless `limits.suite` says otherwise. */
export const defaultSuiteLimit = 600_000

/** The options and the facts about the project that workers need, as plain data. */
export type WorkerOptions = ResolvedOptions & {
  /** Another one for each run, unless the option gives it. */
  seed: number
  /** Values of `.env` files. */
  env: Record<string, string>
  /** Absolute path of the project. */
  root: string
  /** Absolute path of the folder that Vitest runs in. Shown paths are relative to it. */
  shownFrom: string
  /** Show more of the answer in failures. Set when the reporter `verbose` is in use. */
  verbose: boolean
  /** Key that seals secrets on their way to the main process. */
  key: string
}

declare module 'vitest' {
  interface ProvidedContext {
    suitecase: WorkerOptions
  }
}

/** The settings for loading any suite. `env` holds the variables of `.env` files, in addition to those of the process. Of variables with plain values, only the names matter. */
export function pickLoadSettings(
  options: ResolvedOptions,
  env: Readonly<Record<string, string | undefined>> = {},
): Partial<LoadOptions> {
  const { app, compat, defaults, environmentFile, extend, templates, unresolved, variables } = options
  // The environment is large, and this runs for every suite.
  const fromEnv = compat && readEnvVariables(options, { ...env, ...process.env })
  return {
    variables: [...Object.keys(variables), ...Object.keys(fromEnv ?? {})],
    compat: compat !== undefined,
    hasApp: app !== undefined,
    isStrict: unresolved === 'error',
    defaults: defaults as JsonObject | undefined,
    templates,
    extension: extend,
    environment: environmentFile,
  }
}

/** The variables that environment variables set for suites of flow-test-engine: `FLOW_TEST_BASE_URL` sets `base_url`. */
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
