import type { Vitest } from 'vitest/node'
import { CARRIER, declaresProjects, isCarrier, type WrittenTest } from './describe-project.ts'

/** Lets pass what carries the plugin, also where Vitest makes further projects of it for browsers or benchmarks. */
const PASS = `${CARRIER}*`

/**
 * The `--project` filter of a root configuration. Vitest applies it before plugins can add projects, and stops when nothing
 * is left: what the suites are made of passes it, and is left out afterwards.
 */
export class ProjectFilter {
  #kept: string[] | undefined

  /** Lets pass, while the options are read, what carries the plugin: a project for it, or the one that there is. */
  keep(test: WrittenTest | undefined): void {
    const written = [test?.project ?? []].flat()
    if (!test || written.includes(PASS)) return
    if (declaresProjects(test)) {
      if (written.some((pattern) => !pattern.startsWith('!'))) test.project = [...written, PASS]
    } else if (written.some((pattern) => /^suites|\*|^!/.test(pattern))) {
      this.#kept = written
      test.project = []
    }
  }

  /** Leaves out what only carried the plugin, and what the filter does not mean. */
  apply(vitest: Vitest): void {
    vitest.config.project = this.#kept ?? vitest.config.project.filter((pattern) => pattern !== PASS)
    vitest.projects = vitest.projects.filter(
      (project) => !isCarrier(project) && (!this.#kept || vitest.matchesProjectFilter(project.name)),
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
