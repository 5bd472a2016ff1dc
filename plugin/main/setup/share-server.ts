import type { TestProject, Vitest } from 'vitest/node'
import { isRootOwner } from './describe-project.ts'

/** Where Vitest keeps the `test` options as written. */
const WRITTEN = '_rawTestConfig'

/**
 * Lets the new project use the Vite server that is there: a server of its own costs a tenth of a second. Vitest does
 * so only for configurations that declare `projects`, for which it keeps the options as written; without this
 * property it starts a server, and everything else is the same.
 */
export function shareServer(vitest: Vitest, owner: TestProject, written: object | undefined): void {
  if (isRootOwner(vitest, owner))
    Object.assign(vitest.config, { [WRITTEN]: Reflect.get(vitest.config, WRITTEN) ?? written })
}

/** The user's `test` options as written; Vitest fills its defaults into the object itself. */
export function copyWritten(test: object | undefined): object {
  const { projects: _projects, ...options } = (test ?? {}) as { projects?: unknown }
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => [
      key,
      Array.isArray(value) ? [...(value as unknown[])] : value,
    ]),
  )
}
