import type { Vitest } from 'vitest/node'

/**
 * The `--project` filter. Vitest applies it before plugins can add projects and stops when nothing is left, so a filter
 * that can mean the suites is kept back until theirs is added.
 */
export class ProjectFilter {
  #kept: string[] | undefined

  /** Takes the filter out of the options as they are read. */
  keep(test: { project?: string | string[] } | undefined): void {
    const written = [test?.project ?? []].flat()
    if (!test || !written.some((pattern) => /^suites|\*|^!/.test(pattern))) return
    this.#kept = written
    test.project = []
  }

  /** Puts the filter back, for the projects that are still to come. */
  restore(vitest: Vitest): void {
    if (this.#kept) vitest.config.project = this.#kept
  }

  /** Leaves out the projects that Vitest would have left out. */
  apply(vitest: Vitest): void {
    if (!this.#kept) return
    vitest.projects = vitest.projects.filter(({ name }) => vitest.matchesProjectFilter(name))
    this.#kept = undefined
  }
}
