import type { TestProject, Vitest } from 'vitest/node'
import { isRootOwner } from './describe-project.ts'

/**
 * The `--project` filter. Vitest applies it before plugins can add projects and stops when nothing is left, so a filter
 * that can mean the suites is kept back until theirs is added.
 */
export class ProjectFilter {
  #kept: string[] | undefined

  /** Takes the filter out of the options as they are read. */
  keep(test: { project?: string | string[]; projects?: unknown } | undefined): void {
    const written = [test?.project ?? []].flat()
    const canMean = Array.isArray(test?.projects) || written.some((pattern) => /^suites|\*|^!/.test(pattern))
    if (!test || written.length === 0 || !canMean) return
    this.#kept = written
    test.project = []
  }

  /** Adds a project without a filter: also one that does not run is asked for its suites, by tests in TypeScript. */
  async suspend<Value>(vitest: Vitest, add: () => Promise<Value>): Promise<Value> {
    const filter = this.#kept ?? vitest.config.project
    vitest.config.project = []
    return add().finally(() => {
      vitest.config.project = filter
    })
  }

  /** Leaves out the projects that the filter does not mean, the added one of suites among them. */
  apply(vitest: Vitest, { added, owner }: { added: TestProject; owner: TestProject }): void {
    const isMeant = isRootOwner(vitest, owner)
      ? vitest.matchesProjectFilter(added.name)
      : !isLeftOut(vitest, added.name)
    vitest.projects = vitest.projects.filter((project) => {
      if (project === added) return isMeant
      return !this.#kept || vitest.matchesProjectFilter(project.name)
    })
    this.#kept = undefined
  }
}

/** Suites of a project of a workspace run with that project, unless a `!pattern` names them. */
function isLeftOut(vitest: Vitest, name: string): boolean {
  const filter = vitest.config.project
  vitest.config.project = filter.filter((pattern) => pattern.startsWith('!'))
  const isLeft = !vitest.matchesProjectFilter(name)
  vitest.config.project = filter
  return isLeft
}
