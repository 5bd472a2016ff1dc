import type { SuitePlan } from '../../../src/suite/plan/plan.ts'
import { usesApp } from '../../contract/uses-app.ts'

/** What watch mode needs to know of the suites of a project. */
export type WatchedSuites = {
  index(): Promise<ReadonlyMap<string, unknown>>
  link(path: string): Promise<{ plan: SuitePlan; needs: ReadonlyMap<string, string> }>
}

/**
 * Suites that are affected by an edit of a file beside those whose modules import it: Vitest follows imports only from files
 * that are no test files, and knows nothing of files that a suite reads.
 */
export class WatchReaders {
  /** Suite → files it reads, those of other suites included. */
  #reads: ReadonlyMap<string, readonly string[]> = new Map()
  /** The same of modules with suites in TypeScript. */
  #typed = new Map<string, readonly string[]>()
  /** File → suites that read it or what it exports. */
  #readers = new Map<string, Set<string>>()
  /** Suites that use the application under test. */
  #appUsers = new Set<string>()
  #listApp: () => ReadonlySet<string> = () => new Set()

  /** Takes what tells the files of the application. */
  useApp(list: () => ReadonlySet<string>): void {
    this.#listApp = list
  }

  /** Notes which files the suites of a module in TypeScript read, and whether they use the application. */
  note(path: string, { reads, usesApp: isUser }: { reads: readonly string[]; usesApp: boolean }): void {
    this.#typed.set(path, reads)
    this.#noteApp(path, isUser)
  }

  #noteApp(path: string, isUser: boolean): void {
    if (isUser) this.#appUsers.add(path)
    else this.#appUsers.delete(path)
  }

  /** Looks anew at who reads what; called when a run has ended and before the next edit. */
  async refresh(suites: WatchedSuites): Promise<void> {
    const reads = new Map<string, readonly string[]>()
    for (const path of (await suites.index()).keys()) {
      // A suite that cannot be loaded just now, such as one being written, reads what it read before.
      const linked = await suites.link(path).catch(() => undefined)
      const files = linked ? [...linked.needs.values(), ...linked.plan.files] : this.#reads.get(path)
      reads.set(path, files ?? [])
      if (linked) this.#noteApp(path, usesApp(linked.plan))
    }
    const readers = new Map<string, Set<string>>()
    for (const [path, files] of [...reads, ...this.#typed])
      for (const file of files) readers.set(file, (readers.get(file) ?? new Set()).add(path))
    this.#reads = reads
    this.#readers = readers
  }

  /** Files that suites read or that others read of them. */
  files(): string[] {
    return [...this.#readers.keys()]
  }

  /** Suites to run again after an edit of a file, the file itself included if it is one; undefined if no suite reads it. */
  list(path: string): string[] | undefined {
    const affected = new Set([
      ...(this.#readers.get(path) ?? []),
      ...(this.#listApp().has(path) ? this.#appUsers : []),
    ])
    if (affected.size === 0) return undefined
    for (const each of affected) for (const reader of this.#readers.get(each) ?? []) affected.add(reader)
    return this.#reads.has(path) ? [path, ...affected] : [...affected]
  }
}
