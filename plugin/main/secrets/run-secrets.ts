import { randomBytes } from 'node:crypto'
import type { Vitest } from 'vitest/node'
import { rememberObjects } from '../../../src/remember.ts'
import type { ResolvedOptions } from '../../contract/options.ts'

/** What no output of a run may contain, collected from all projects with suites. */
export type RunSecrets = {
  /** Key that workers seal secrets with. */
  key: string
  /** Secret values found by workers, with the names they were under. */
  values: Map<string, string>
  /** The `redact` option of each project. */
  rules: ResolvedOptions['redact'][]
}

/** The secrets of a Vitest instance. Projects add to them; the reporter reads them, whoever installed it. */
export const secretsOf: (vitest: Vitest) => RunSecrets = rememberObjects(() => ({
  key: randomBytes(32).toString('base64url'),
  values: new Map(),
  rules: [],
}))

/** Adds secrets of a run. One of 4 or 5 characters that is part of a path is there by chance: hidden there, no output would say which suite failed. */
export function addSecrets(vitest: Vitest, secrets: Iterable<[value: string, name: string]>): void {
  const { values } = secretsOf(vitest)
  // Asked for short ones only: a large run has many files, and secrets in each.
  const isInPath = (value: string): boolean =>
    vitest.state.getPaths().some((path) => path.toLowerCase().includes(value.toLowerCase()))
  for (const [value, name] of secrets) if (value.length > 5 || !isInPath(value)) values.set(value, name)
}
