import type { TestProject } from 'vitest/node'
import { listSteps } from '../../../src/suite/plan/plan.ts'
import type { SuiteFiles } from '../suites/suite-files.ts'

/** Vitest wants every tag declared: those of the suites are, as the files have them. */
export async function declareTags({ config }: TestProject, files: SuiteFiles): Promise<void> {
  const known = new Set(config.tags?.map(({ name }) => name))
  for (const [path, { hasTags }] of await files.index()) {
    if (!hasTags) continue
    // A suite that cannot be loaded says so when its test file is run.
    const loaded = await files.load(path).catch(() => undefined)
    const plan = loaded?.plan
    for (const name of plan ? [...plan.tags, ...listSteps(plan).flatMap(({ tags }) => tags)] : []) {
      if (known.has(name)) continue
      known.add(name)
      config.tags.push({ name })
    }
  }
}
