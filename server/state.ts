/** What a server instance remembers between requests. */
export interface ServerState {
  /** Requests seen by `/flaky` and `/sequence`, by route and key. */
  counters: Map<string, number>
}

/** A server that has seen nothing. */
export function createState(): ServerState {
  return { counters: new Map() }
}
