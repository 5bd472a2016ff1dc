import type { JsonObject } from '../../src/json.ts'
import type { LoadOptions } from '../../src/suite/load-context.ts'
import type { ResolvedOptions } from './options.ts'

/** What the loading of every suite gets from the options beside the names of variables. */
export function pickLoadSettings(
  options: Pick<ResolvedOptions, 'compat' | 'defaults' | 'environmentFile' | 'extend' | 'unresolved'>,
): Partial<LoadOptions> {
  const { compat, defaults, environmentFile, extend, unresolved } = options
  return {
    compat: compat !== undefined,
    isStrict: unresolved === 'error',
    ...(defaults && { defaults: defaults as JsonObject }),
    ...(extend !== undefined && { extension: extend }),
    ...(environmentFile !== undefined && { environment: environmentFile }),
  }
}
