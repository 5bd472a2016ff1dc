import * as imported from 'vitest'

/** The Vitest that runs the file. This package may import another copy, if linked or installed by pnpm. */
const running: typeof imported = Reflect.get(globalThis, '__vitest_index__') ?? imported
export const { beforeAll, describe, expect, inject, test, TestRunner, vi } = running

/** The state of the worker that runs the file. Undefined where Vitest does not run. */
export function workerState(): imported.WorkerGlobalState | undefined {
  return Reflect.get(globalThis, '__vitest_worker__')
}
