import type { Vitest } from 'vitest/node'
import { CARRIER, declaresProjects, isCarrier, type WrittenTest } from './describe-project.ts'

/**
 * The `--project` filter of a root configuration. Vitest applies it before plugins can add projects, and stops when nothing
 * is left: what the suites are made of passes it, and is left out afterwards.
 */
export class ProjectFilter {
  #written: string[] = []
  #isKept = false

  /** Lets pass, while the options are read, what carries the plugin. */
  keep(test: WrittenTest | undefined): void {
    const written = [test?.project ?? []].flat()
    if (!test || written.length === 0 || written.includes(CARRIER)) return
    this.#written = written
    const isPositive = written.some((pattern) => !pattern.startsWith('!'))
    this.#isKept = !declaresProjects(test) && written.some((pattern) => /^suites|\*|^!/.test(pattern))
    if (declaresProjects(test)) test.project = isPositive ? [...written, CARRIER] : written
    else if (this.#isKept) test.project = []
  }

  /** Leaves out what only carried the plugin, and what the filter does not mean. */
  apply(vitest: Vitest): void {
    if (this.#written.length > 0) vitest.config.project = this.#written
    vitest.projects = vitest.projects.filter(
      (project) => !isCarrier(project) && (!this.#isKept || vitest.matchesProjectFilter(project.name)),
    )
  }
}

/** Whether a project of suites runs: suites of a project of a workspace run with that project, unless a `!pattern` names them. */
export function isMeant(vitest: Vitest, name: string, isRoot: boolean): boolean {
  const filter = vitest.config.project
  vitest.config.project = isRoot ? filter : filter.filter((pattern) => pattern.startsWith('!'))
  try {
    return vitest.matchesProjectFilter(name)
  } finally {
    vitest.config.project = filter
  }
}
