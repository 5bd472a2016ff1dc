import { randomBytes } from 'node:crypto'
import type { Vitest } from 'vitest/node'
import { rememberObjects } from '../../../src/remember.ts'
import { createSecretSearch, type SecretSearch } from '../../../src/secrets/secret-search.ts'
import type { ResolvedOptions } from '../../contract/options.ts'

/** The secrets that no output of a run may contain, collected from all projects with suites. */
export type RunSecrets = {
  /** Key that workers seal secrets with. */
  key: string
  /** Knows the secret values found by workers, with the names of what held them. */
  search: SecretSearch
  rules: ResolvedOptions['redact'][]
}

/** The secrets of a Vitest instance. Projects add to them; the reporter reads them, whoever installed it. */
export const secretsOf: (vitest: Vitest) => RunSecrets = rememberObjects(() => ({
  key: randomBytes(32).toString('base64url'),
  search: createSecretSearch(),
  rules: [],
}))

/** Adds secrets, except short ones within a path: without paths no output would say which suite failed. */
export function addSecrets(vitest: Vitest, secrets: Iterable<[value: string, name: string]>): void {
  const { search } = secretsOf(vitest)
  // Only called for short secrets: a large run has many files, and secrets in each.
  const isInPath = (value: string): boolean =>
    vitest.state.getPaths().some((path) => path.toLowerCase().includes(value.toLowerCase()))
  for (const [value, name] of secrets) if (value.length > 5 || !isInPath(value)) search.add(value, name)
}
