import { relative } from 'node:path'
import { vi } from 'vitest'
import type { WorkerOptions } from '../../contract/worker-options.ts'

/** One for the worker: its hooks are those of all suites. */
let extended: Promise<void> | undefined

/** Makes known what the module of the option `extend` has, before the first suite of a worker is loaded. Rejects with what is wrong with it. */
export async function useExtension({ extend: path, shownFrom }: WorkerOptions): Promise<void> {
  if (path === undefined) return
  extended ??= readAndRun(path, shownFrom)
  await extended
}

async function readAndRun(path: string, shownFrom: string): Promise<void> {
  const [{ readExtension }, { loadExtension }] = await Promise.all([
    import('../../contract/read-extension.ts'),
    import('../extension/load-extension.ts'),
  ])
  await readExtension(path, relative(shownFrom, path).replaceAll('\\', '/'))
  await loadExtension(() => vi.importActual(path), { path, shownFrom })
}
