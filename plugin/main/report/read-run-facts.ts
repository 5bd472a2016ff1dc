import { basename, join } from 'node:path'
import type { Vitest } from 'vitest/node'
import { tryTo } from '../../../src/errors.ts'
import { readTextIfThere } from '../../../src/read-file.ts'
import type { RunFacts } from '../../../src/report/performance/performance-report.ts'
import { nameEnvironment } from '../setup/find-environment.ts'

/** What was tested and where, for the head of the page. */
export function readRunFacts(vitest: Vitest, seed?: number): RunFacts {
  const environments = vitest.projects.map((each) => each.getProvidedContext().suitecase?.environmentFile)
  const environment = [...new Set(environments.filter((file) => file !== undefined))]
    .map(nameEnvironment)
    .join(', ')
  const { root } = vitest.config
  const read = tryTo(() => JSON.parse(readTextIfThere(join(root, 'package.json')) ?? '') as { name: unknown })
  return {
    project: typeof read?.name === 'string' && read.name !== '' ? read.name : basename(root),
    environment: environment || undefined,
    node: process.version,
    seed,
  }
}

/** How many suites could be in flight at once, in the project that allows most. */
export function findConcurrency(vitest: Vitest): number | undefined {
  const counts = vitest.projects.flatMap((each) => {
    const { suitecase: options } = each.getProvidedContext()
    return options ? [options.app ? options.appConcurrency : options.concurrency] : []
  })
  return counts.length > 0 ? Math.max(...counts) : undefined
}
