import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { TestProject, Vitest } from 'vitest/node'
import type { ResolvedOptions } from './options.ts'
import { MESSAGE_PREFIX, PLAN_QUERY } from './messages.ts'
import type { SuiteFiles } from './suite-files.ts'

/** The project whose suites are cached. */
type CachedProject = { options: ResolvedOptions; files: SuiteFiles | undefined; owns(id: string): boolean }

type KeyGenerator = (input: { id: string; sourceCode: string }) => string | false | undefined

/** The part of Vitest that keeps transformed modules on disk between runs; internal, so nothing is taken for granted. */
type ModuleCache = { defineCacheKeyGenerator?(config: unknown, generator: KeyGenerator): void }

/**
 * Makes Vitest's module cache aware of all that goes into a suite's module beside its text: this package, the options,
 * the suites it reads. Without a way to say so, the cache is off for suites.
 */
export function keyCache(vitest: Vitest, project: TestProject, owner: CachedProject): void {
  const cache = Reflect.get(vitest.cache, '_modules') as ModuleCache | undefined
  if (!cache?.defineCacheKeyGenerator) {
    project.config.fsModuleCache = false
    return
  }
  const self = statSync(fileURLToPath(import.meta.url)).mtimeMs
  const base = createHash('sha1')
    .update(JSON.stringify([self, listInputs(owner.options)]))
    .digest('hex')
  cache.defineCacheKeyGenerator(project.config, ({ id, sourceCode }) => {
    if (isOwnModule(id)) return false
    if (!owner.owns(id)) return undefined
    // Rows, schemas and bodies come from further files.
    if (/\bfile\s*["']?\s*:/.test(sourceCode)) return false
    const others = owner.files?.fingerprint(id)
    return others === undefined ? false : `${base}${others}`
  })
}

/** True for modules that depend on more than any text tells: messages and plans. */
export function isOwnModule(id: string): boolean {
  return id.includes(MESSAGE_PREFIX) || id.endsWith(PLAN_QUERY)
}

/** The options that go into a suite's module; the others are told to the workers, run by run. */
function listInputs({ variables, compat, limits, app, redact }: ResolvedOptions): unknown[] {
  return [Object.keys(variables), compat, limits?.fileSize, app, redact && redact.map(String)]
}
