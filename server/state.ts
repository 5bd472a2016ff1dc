/** What a server instance remembers between requests. */
export interface ServerState {
  /** Requests seen by `/flaky` and `/sequence`, by route and key; the longest unused first. */
  readonly counters: Map<string, number>
}

/** A server that has seen nothing. */
export function createState(): ServerState {
  return { counters: new Map() }
}

/** Counts a request and returns its number, from 1. Beyond `maxKeys` the longest unused key is forgotten. */
export function countRequest({ counters }: ServerState, key: string, maxKeys: number): number {
  const number = (counters.get(key) ?? 0) + 1
  counters.delete(key)
  counters.set(key, number)
  const [oldest] = counters.size > maxKeys ? counters.keys() : []
  if (oldest !== undefined) counters.delete(oldest)
  return number
}

/** Forgets a key and returns how many requests were counted for it. */
export function forgetRequests({ counters }: ServerState, key: string): number {
  const number = counters.get(key) ?? 0
  counters.delete(key)
  return number
}
