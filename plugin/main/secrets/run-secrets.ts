import { randomBytes } from 'node:crypto'
import type { Vitest } from 'vitest/node'
import { rememberObjects } from '../../../src/remember.ts'
import { createSecretSearch, type Secret } from '../../../src/secrets/secret-search.ts'
import type { ResolvedOptions } from '../../contract/options.ts'

/** The secrets of a Vitest instance, which none of its output may contain. Projects add to them; the reporter reads them, whoever installed it. */
export const secretsOf = rememberObjects((_vitest: Vitest) => ({
  /** Key that workers seal secrets with. */
  key: randomBytes(32).toString('base64url'),
  /** Knows the secret values found by workers, with the names of what held them. */
  search: createSecretSearch(),
  rules: [] as ResolvedOptions['redact'][],
}))

/** Adds secrets, except short ones within a path: without paths no output would say which suite failed. */
export function addSecrets(vitest: Vitest, secrets: Iterable<Secret>): void {
  const { search } = secretsOf(vitest)
  // Only called for short secrets: a large run has many files, and secrets in each.
  const isInPath = (value: string): boolean =>
    vitest.state.getPaths().some((path) => path.toLowerCase().includes(value.toLowerCase()))
  for (const secret of secrets) if (secret[0].length > 5 || !isInPath(secret[0])) search.add(...secret)
}
