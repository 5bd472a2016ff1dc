import type { SuitePlan } from '../src/suite/plan.ts'
import { mayHoldSuites } from './may-hold-suites.ts'
import { mayMatch } from './may-match.ts'

/** What progress needs to know of the suites of a project. */
export type KnownSuites = {
  index(): Promise<ReadonlyMap<string, { nodeId: string }>>
  link(path: string): Promise<{ plan: SuitePlan; needs: ReadonlyMap<string, string> }>
}

/** A test file of a run, and the pattern that its tests are selected by. */
export type RunFile = { path: string; pattern?: RegExp | undefined }

type FileState = {
  nodeId: string
  pattern: RegExp | undefined
  /** Place in the order in which files are handed to workers. */
  order: number
  /** Whether any of its tests is selected, once it is collected. */
  selected?: boolean
  /** Whether it has ended, and the failed test if there is one. */
  ended?: { failure?: string }
}

/** How far the test files of a run are, as Vitest tells it: who comes before whom, which ran, and which are only passed through by a filter. */
export class RunProgress {
  #suites: () => KnownSuites | undefined
  #files = new Map<string, FileState>()
  /** Test files that are no suite files, and whether any of their tests is selected, once they are collected. */
  #others = new Map<string, boolean | undefined>()
  #paths = new Map<string, string>()
  #waiting = new Set<() => void>()
  #isCancelled = false

  constructor(suites: () => KnownSuites | undefined) {
    this.#suites = suites
  }

  /** Begins a run with these test files. */
  async start(files: readonly RunFile[]): Promise<void> {
    this.#isCancelled = false
    const index = (await this.#suites()?.index()) ?? new Map()
    this.#paths = new Map([...index].map(([path, { nodeId }]) => [nodeId, path]))
    this.#files = new Map(
      files.flatMap(({ path, pattern }, order) => {
        const nodeId = index.get(path)?.nodeId
        return nodeId === undefined ? [] : [[path, { nodeId, order, pattern }]]
      }),
    )
    this.#others = new Map(files.filter(({ path }) => !index.has(path)).map(({ path }) => [path, undefined]))
    this.changed()
  }

  /** Takes the order in which the files are handed to workers. */
  order(paths: readonly string[]): void {
    for (const [order, path] of paths.entries()) {
      const file = this.#files.get(path)
      if (file) file.order = order
    }
  }

  collected(path: string, selected: boolean): void {
    const file = this.#files.get(path)
    if (file) file.selected = selected
    else if (this.#others.has(path)) this.#others.set(path, selected)
    this.changed()
  }

  /** Notes the end of a test file, and returns its node id. */
  ended(path: string, failure?: string): string | undefined {
    const file = this.#files.get(path)
    if (file) file.ended = failure === undefined ? {} : { failure }
    this.changed()
    return file?.nodeId
  }

  /** Notes that the run ends early: nothing more is wanted of any suite. */
  cancel(): void {
    this.#isCancelled = true
  }

  /** Wakes all who wait for something to change. */
  changed(): void {
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }

  /** Resolves at the next change, or after some ms. */
  nextChange(patience: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(wake)
        resolve()
      }, patience)
      this.#waiting.add(wake)
    })
  }

  /** True for a suite whose own file reports its steps in this run. */
  isReported(nodeId: string): boolean {
    const file = this.#find(nodeId)
    return file !== undefined && file.selected !== false
  }

  /**
   * True if the file of a suite is running or runs before that of another without waiting for it: Vitest hands
   * files out in order, and a worker runs them one after the other.
   */
  comesFirst(nodeId: string, other: string): boolean {
    const file = this.#find(nodeId)
    const asking = this.#find(other)
    return file !== undefined && file.selected !== false && !file.ended && file.order < (asking?.order ?? -1)
  }

  /** How a suite came out that ran in its own file and published nothing; undefined while it runs, or if none of its tests was selected. */
  readEnd(nodeId: string): { failure?: string } | undefined {
    const file = this.#find(nodeId)
    return file?.selected === false ? undefined : file?.ended
  }

  /** Names that the suites of this run read of a suite, directly or through suites that they need; undefined for all. */
  async findWanted(nodeId: string): Promise<string[] | undefined> {
    if (this.#isCancelled) return []
    // What suites in TypeScript read is not known before they run.
    for (const [path, selected] of this.#others)
      if (selected !== false && (await mayHoldSuites(path))) return undefined
    const names = new Set<string>()
    const paths = new Set<string>()
    for (const [path, file] of this.#files)
      if (file.nodeId !== nodeId && (await this.#isSelected(path, file))) paths.add(path)
    for (const path of paths) {
      const linked = await this.#link(path)
      if (!linked) continue
      if (linked.plan.depends.includes(nodeId)) return undefined
      for (const { root, name } of linked.plan.foreign) {
        if (root !== nodeId) continue
        if (name === undefined) return undefined
        names.add(name)
      }
      for (const needed of linked.needs.values()) paths.add(needed)
    }
    return [...names]
  }

  /** Whether a filter selects something of a file of this run; before the file is collected its names tell. */
  async #isSelected(path: string, { selected, pattern }: FileState): Promise<boolean> {
    if (selected !== undefined || pattern === undefined) return selected ?? true
    const linked = await this.#link(path)
    return linked !== undefined && mayMatch(linked.plan, pattern)
  }

  /** A suite that cannot be loaded wants nothing, and says what is wrong when its own file runs. */
  async #link(path: string): Promise<Awaited<ReturnType<KnownSuites['link']>> | undefined> {
    return this.#suites()
      ?.link(path)
      .catch(() => undefined)
  }

  #find(nodeId: string): FileState | undefined {
    return this.#files.get(this.#paths.get(nodeId) ?? '')
  }
}
