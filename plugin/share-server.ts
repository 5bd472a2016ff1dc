import type { TestProject, Vitest } from 'vitest/node'

/** Where Vitest keeps the `test` options as written. */
const WRITTEN = '_rawTestConfig'

/**
 * Lets the new project use the Vite server that is there: a server of its own costs a tenth of a second. Vitest does
 * so only for configurations that declare `projects`, for which it keeps the options as written; without this
 * property it starts a server, and everything else is the same.
 */
export function shareServer(vitest: Vitest, owner: TestProject, written: object | undefined): void {
  if (owner.vite === vitest.vite)
    Object.assign(vitest.config, { [WRITTEN]: Reflect.get(vitest.config, WRITTEN) ?? written })
}

/** A copy of plain options, before anything is filled in; what cannot be copied (functions, instances) is shared. */
export function copyWritten(options: object): object {
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => [
      key,
      Array.isArray(value) ? [...(value as unknown[])] : value,
    ]),
  )
}
