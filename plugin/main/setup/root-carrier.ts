import type { Vitest } from 'vitest/node'

const NAME = 'suitecase:carrier'

/**
 * A project without tests that carries the plugin of a configuration with `projects`: Vitest asks the plugins of
 * projects only, and those of the root only where a project shares its server. Undefined without `projects`.
 */
export function createCarrier(test: { projects?: unknown } | undefined): { projects: object[] } | undefined {
  const { projects } = test ?? {}
  if (!Array.isArray(projects) || projects.length === 0) return undefined
  return { projects: [{ extends: true, test: { name: NAME, include: [] } }] }
}

/** Takes the carrier away, once the suites have a project. */
export function dropCarrier(vitest: Vitest): void {
  vitest.projects = vitest.projects.filter(({ name }) => !name.includes(NAME))
}
