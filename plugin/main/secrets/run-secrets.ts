import { randomBytes } from 'node:crypto'
import type { Vitest } from 'vitest/node'
import { rememberObjects } from '../../../src/remember.ts'
import type { ResolvedOptions } from '../../contract/options.ts'

/** What no output of a run may contain, collected from all projects with suites. */
export type RunSecrets = {
  /** Key that workers seal secrets with. */
  key: string
  /** Secret values found by workers. */
  values: Set<string>
  /** The `redact` option of each project. */
  rules: ResolvedOptions['redact'][]
}

/** The secrets of a Vitest instance. Projects add to them; the reporter reads them, whoever installed it. */
export const secretsOf: (vitest: Vitest) => RunSecrets = rememberObjects(() => ({
  key: randomBytes(32).toString('base64url'),
  values: new Set(),
  rules: [],
}))
