import { createHash } from 'node:crypto'
import { dirname, resolve } from 'node:path'
import type { SuiteGlance } from '../src/suite/suite-index.ts'

/** A quick look at a file, and the digest of its text. */
export type KnownGlance = SuiteGlance & { hash: string }

/** All suite files of a project, by path and by node id. */
export type KnownSuiteFiles = {
  glances: ReadonlyMap<string, KnownGlance>
  byNode: ReadonlyMap<string, readonly string[]>
}

/**
 * A digest of what a suite's module depends on beside its text, as far as a quick look tells: node ids and texts of all
 * suites that it names, and of those they name in turn. Undefined when it names a file that is not among them.
 */
export function fingerprintSuite(path: string, { glances, byNode }: KnownSuiteFiles): string | undefined {
  const related = new Set([path])
  for (const file of related) {
    const glance = glances.get(file)
    if (!glance) return undefined
    for (const name of [...glance.mentions, glance.nodeId])
      for (const named of byNode.get(name) ?? []) related.add(named)
    for (const name of glance.files) related.add(resolve(dirname(file), name))
  }
  const parts = [...related].map((file) => {
    const { nodeId, hash } = glances.get(file) as KnownGlance
    return file === path ? nodeId : [file, nodeId, hash]
  })
  return createHash('sha1').update(JSON.stringify(parts)).digest('hex')
}
