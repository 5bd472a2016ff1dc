import { relative } from 'node:path'
import { vi } from 'vitest'
import { SuiteError } from '../../../src/errors.ts'
import { createSuiteError } from '../../../src/suite/locate-problems.ts'
import { readExtension } from '../../contract/read-extension.ts'
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
  extended ??= readExtension(path, show(path)).then(() =>
    loadExtension(() => vi.importActual(path), { path, shownFrom }),
  )
  await extended.catch((error: Error) => {
    const problem = { code: 'bad-value', severity: 'error', message: error.message, range: [0, 1] } as const
    const { problems } =
      error instanceof SuiteError ? error : createSuiteError({ path: show(path), text: '' }, [problem])
    throw new SuiteError(show(suite), problems)
  })
}
