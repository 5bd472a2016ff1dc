import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { vi } from 'vitest'
import { SuiteError } from '../../../src/errors.ts'
import { createSuiteError } from '../../../src/suite/locate-problems.ts'
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
  extended ??= readAndRun(path, show(path), shownFrom)
  await extended.catch((error: SuiteError) => {
    throw new SuiteError(show(suite), error.problems)
  })
}

async function readAndRun(path: string, shown: string, shownFrom: string): Promise<void> {
  const { readExtension } = await import('../../contract/read-extension.ts')
  try {
    await readExtension(path, shown)
    await loadExtension(() => vi.importActual(path), { path, shownFrom })
  } catch (error) {
    if (error instanceof SuiteError) throw error
    const text = await readFile(path, 'utf8').catch(() => '')
    const { message } = error as Error
    throw createSuiteError({ path: shown, text }, [
      { code: 'bad-value', severity: 'error', message, range: [0, 1] },
    ])
  }
}
