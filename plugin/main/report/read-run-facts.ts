import { execFile } from 'node:child_process'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import type { Vitest } from 'vitest/node'
import { tryTo } from '../../../src/errors.ts'
import { readTextIfThere } from '../../../src/read-file.ts'
import type { RunFacts } from '../../../src/report/performance/compute-performance.ts'
import { nameEnvironment } from '../setup/find-environment.ts'

/** Variables in which CI services name the branch, which a detached checkout does not have. */
const branchVariables = ['GITHUB_HEAD_REF', 'GITHUB_REF_NAME', 'CI_COMMIT_REF_NAME', 'BRANCH_NAME']

/** The commit that is checked out, and its branch unless the checkout is detached. */
export type Checkout = { commit?: string; branch?: string | undefined }

/** What was tested and where, for the head of the page. */
export function readRunFacts(vitest: Vitest, { commit, branch }: Checkout, seed?: number): RunFacts {
  const projects = new Set(vitest.state.getTestModules().map(({ project }) => project))
  const environments = [...projects].map((each) => each.getProvidedContext().suitecase?.environmentFile)
  const environment = [...new Set(environments.filter((file) => file !== undefined))]
    .map(nameEnvironment)
    .join(', ')
  const { root } = vitest.config
  const read = tryTo(() => JSON.parse(readTextIfThere(join(root, 'package.json')) ?? '') as { name: unknown })
  return {
    project: typeof read?.name === 'string' && read.name !== '' ? read.name : basename(root),
    commit,
    branch: branch ?? branchVariables.map((name) => process.env[name]).find(Boolean),
    environment: environment || undefined,
    node: process.version,
    seed,
  }
}

/** How many suites could run at once, in the project that allows most. */
export function findConcurrency(vitest: Vitest): number | undefined {
  const counts = vitest.projects.flatMap((each) => {
    const { suitecase: options } = each.getProvidedContext()
    return options ? [options.app ? options.appConcurrency : options.concurrency] : []
  })
  return counts.length > 0 ? Math.max(...counts) : undefined
}

/** Asks git what is checked out. Empty without a checkout or git. */
export async function readCheckout(cwd: string): Promise<Checkout> {
  try {
    const args = ['show', '--no-patch', '--format=%h%n%D', 'HEAD']
    const { stdout } = await promisify(execFile)('git', args, { cwd, timeout: 2000 })
    const [commit = '', names = ''] = stdout.trim().split('\n')
    const branch = /^HEAD -> ([^,]+)/.exec(names)?.[1]
    return { commit, branch }
  } catch {
    return {}
  }
}
