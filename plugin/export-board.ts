/** What one suite hands to the others once it has run. */
export type Published = {
  /** Exported values that were captured. */
  values: Record<string, unknown>
  /** Why some are missing: the failed step, in words. */
  failure?: string
  /** Serialised outcomes, when another suite ran this one's steps ahead of its own file. */
  outcomes?: unknown
}

/** Answer to a claim: run the suite yourself, or take what its one run published. */
export type Claim = { state: 'run' } | { state: 'done'; published: Published }

type Entry = { done: Promise<Published>; settle: (published: Published) => void; settled: boolean }

/**
 * Keeps each exporting suite to one run: the first claim gets to run it, every later one waits for what it
 * publishes. Lives in the main process, so that it holds across workers.
 */
export class ExportBoard {
  #entries = new Map<string, Entry>()

  /** Starts a new run with nothing published. */
  reset(): void {
    for (const nodeId of this.#entries.keys()) this.abandon(nodeId, 'a new run started')
    this.#entries.clear()
  }

  async claim(nodeId: string): Promise<Claim> {
    const entry = this.#entries.get(nodeId)
    if (entry) return { state: 'done', published: await entry.done }
    this.#entries.set(nodeId, createEntry())
    return { state: 'run' }
  }

  publish(nodeId: string, published: Published): void {
    const entry = this.#entries.get(nodeId) ?? createEntry()
    this.#entries.set(nodeId, entry)
    entry.settled = true
    entry.settle(published)
  }

  /** Frees those who wait for a suite that will not publish any more, such as when its worker died. */
  abandon(nodeId: string, reason: string): void {
    const entry = this.#entries.get(nodeId)
    if (entry && !entry.settled) this.publish(nodeId, { values: {}, failure: reason })
  }
}

function createEntry(): Entry {
  const { promise, resolve } = Promise.withResolvers<Published>()
  return { done: promise, settle: resolve, settled: false }
}
