import { relative } from 'node:path'
import { vi } from 'vitest'
import { SuiteError } from '../../../src/errors.ts'
import { locateProblems } from '../../../src/suite/locate-problems.ts'
import type { WorkerOptions } from '../../contract/worker-options.ts'
import { loadExtension } from '../extension/load-extension.ts'

/** One for the worker: its hooks are those of all suites. */
let extended: Promise<void> | undefined

/**
 * Makes known what the module of the option `extend` has, before the first suite of a worker is loaded. Rejects with a
 * `SuiteError` of the suite at a path, whose problems are in the module.
 */
export async function useExtension({ extend: path, shownFrom }: WorkerOptions, suite: string): Promise<void> {
  if (path === undefined) return
  const show = (file: string): string => relative(shownFrom, file).replaceAll('\\', '/')
  const load = async (): Promise<void> => {
    const { readExtension } = await import('../../contract/read-extension.ts')
    await readExtension(path, show(path))
    await loadExtension(() => vi.importActual(path), { path, shownFrom })
  }
  extended ??= load()
  await extended.catch((error: Error) => {
    const { message } = error
    const place = { code: 'bad-value', severity: 'error', range: [0, 1] } as const
    const problems =
      error instanceof SuiteError
        ? error.problems
        : locateProblems({ path: show(path), text: '' }, [{ ...place, message }])
    throw new SuiteError(show(suite), problems)
  })
}
