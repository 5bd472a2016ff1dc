import type { Vitest } from 'vitest/node'
import { CARRIER, declaresProjects, isCarrier, type WrittenTest } from './describe-project.ts'

/** Pattern that matches the carrier, and what Vitest derives from it for browsers or benchmarks. */
const PASS = `${CARRIER}*`

/**
 * The `--project` filter of a root configuration. Vitest applies it before plugins can add projects, and stops if
 * nothing is left. So the project that holds the plugin is let through first and removed afterwards.
 */
export class ProjectFilter {
  #kept: string[] | undefined

  /** Lets the project with the plugin pass while the options are read: the carrier, or the only project there is. */
  keep(test: WrittenTest | undefined): void {
    const written = [test?.project ?? []].flat()
    if (!test || written.includes(PASS)) return
    if (declaresProjects(test)) {
      if (written.some((pattern) => !pattern.startsWith('!'))) test.project = [...written, PASS]
    } else if (written.some((pattern) => /^suites|\*|^!/i.test(pattern))) {
      this.#kept = written
      test.project = []
    }
  }

  /** Removes the carrier and the projects that the filter excludes. */
  apply(vitest: Vitest): void {
    vitest.config.project = this.#kept ?? vitest.config.project.filter((pattern) => pattern !== PASS)
    vitest.projects = vitest.projects.filter(
      (project) => !isCarrier(project) && (!this.#kept || vitest.matchesProjectFilter(project.name)),
    )
  }
}

/** Whether a project of suites runs. Suites of a workspace project run with that project, unless a `!pattern` excludes them. */
export function isMeant(vitest: Vitest, name: string, isRoot: boolean): boolean {
  const filter = vitest.config.project
  vitest.config.project = isRoot ? filter : filter.filter((pattern) => pattern.startsWith('!'))
  try {
    return vitest.matchesProjectFilter(name)
  } finally {
    vitest.config.project = filter
  }
}
