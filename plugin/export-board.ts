import { isAlive, type Owner } from './is-alive.ts'
import { RunProgress, type KnownSuites } from './run-progress.ts'
import { DEFAULT_SUITE_LIMIT } from './time-limit.ts'

/** What one suite hands to the others once it has run. */
export type Published = {
  /** Exported values that are there. */
  values: Record<string, unknown>
  /** Why the suite failed: the failed step, in words. */
  failure?: string
  /** Serialised outcomes by row and step id, when another suite ran this one's steps ahead of its own file. */
  outcomes?: Record<string, unknown>
}

/** A worker asks for a suite: its own (`origin` is the same) or one that the suite `origin` reads. */
export type ClaimRequest = { nodeId: string; origin: string; owner: Owner }

/** Answer to a claim. */
export type Claim =
  /** Run it: all, or what the `wanted` exports need; `reported` when its own file tells how it came out. */
  | { state: 'run'; wanted?: string[]; reported: boolean }
  /** It ran: this is what it gave. */
  | { state: 'done'; published: Published }
  /** It did not end in time. */
  | { state: 'late'; waited: number }

type Entry = ClaimRequest & { values: Record<string, unknown>; published?: Published }

/** How often those who wait look whether the worker they wait for is still there, in ms. */
const LOOK = 250

/**
 * Keeps each exporting suite to one run: the first claim gets to run it, every later one waits for what it
 * publishes. Lives in the main process, so that it holds across workers.
 */
export class ExportBoard {
  readonly progress: RunProgress
  /** The longest wait in ms. */
  limit: number
  #entries = new Map<string, Entry>()
  #run = 0

  constructor(progress: RunProgress, limit: number) {
    this.progress = progress
    this.limit = limit
  }

  /** Starts a new run with nothing published; whoever still waits is freed. */
  reset(): void {
    for (const entry of this.#entries.values()) this.#settle(entry, { failure: 'the run ended' })
    this.#entries.clear()
    this.#run++
    this.progress.changed()
  }

  /** Frees those who wait, for a run that ends early: they would keep it from ending. */
  cancel(): void {
    this.progress.cancel()
    this.reset()
  }

  /** Answers when the suite is to be run by the asker, or has run. */
  async claim(request: ClaimRequest): Promise<Claim> {
    const { nodeId, origin } = request
    const run = this.#run
    const since = performance.now()
    for (;;) {
      if (run !== this.#run) return { state: 'done', published: { values: {}, failure: 'the run ended' } }
      const entry = this.#entries.get(nodeId)
      if (entry?.published) return { state: 'done', published: entry.published }
      // Rows of a suite claim it one after the other.
      if (entry && origin === nodeId && entry.origin === origin) return { state: 'run', reported: true }
      if (!entry) {
        const ended = origin === nodeId ? undefined : this.progress.readEnd(nodeId)
        if (ended) return { state: 'done', published: { values: {}, ...ended } }
        if (origin === nodeId || !this.progress.comesFirst(nodeId, origin)) return this.#start(request)
      }
      const waited = performance.now() - since
      if (waited > this.limit) return { state: 'late', waited: Math.round(waited) }
      await this.progress.nextChange(LOOK)
      if (entry && !(await isAlive(entry.owner)))
        this.abandon(nodeId, 'its worker ended before the suite did')
    }
  }

  async #start(request: ClaimRequest): Promise<Claim> {
    const { nodeId, origin } = request
    this.#entries.set(nodeId, { ...request, values: Object.create(null) as Entry['values'] })
    this.progress.changed()
    if (origin === nodeId) return { state: 'run', reported: true }
    const reported = this.progress.isReported(nodeId)
    const wanted = reported ? undefined : await this.progress.findWanted(nodeId)
    return { state: 'run', reported, ...(wanted && { wanted }) }
  }

  /** Takes what a suite gave; of several rows the last one's values count, and `more` says that another row follows. */
  publish(nodeId: string, published: Published, more = false): void {
    const entry = this.#entries.get(nodeId)
    // A worker that was given up can still answer.
    if (!entry || entry.published) return
    Object.assign(entry.values, published.values)
    if (!more || published.failure !== undefined) this.#settle(entry, published)
  }

  /** Frees those who wait for a suite that will not publish any more, such as when its worker died. */
  abandon(nodeId: string, reason: string): void {
    const entry = this.#entries.get(nodeId)
    if (entry) this.#settle(entry, { failure: reason })
  }

  /** Frees those who wait for what a test file was running: it has ended. */
  endFile(nodeId: string): void {
    for (const entry of this.#entries.values()) {
      if (entry.origin !== nodeId) continue
      const rowsRan = Object.keys(entry.values).length > 0
      this.#settle(entry, rowsRan ? {} : { failure: 'it ended without its exports' })
    }
  }

  #settle(entry: Entry, { failure, outcomes }: Partial<Published>): void {
    entry.published ??= {
      values: entry.values,
      ...(failure !== undefined && { failure }),
      ...(outcomes && { outcomes }),
    }
    this.progress.changed()
  }
}

/** The board of a project, which learns of its suites when Vitest has set it up. */
export function createBoard(project: {
  files: KnownSuites | undefined
  options: { limits?: { suite?: number | undefined } | undefined }
}): ExportBoard {
  const limit = project.options.limits?.suite ?? DEFAULT_SUITE_LIMIT
  return new ExportBoard(new RunProgress(() => project.files), limit)
}
