/** A map that forgets its oldest entries, for results that are cheap to make again. Texts above 10,000 units are not kept. */
export type BoundedCache<Value> = {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
}

const longestKey = 10_000

/** Creates a cache of at most `capacity` entries; the one put in first leaves first. */
export function createBoundedCache<Value>(capacity: number): BoundedCache<Value> {
  const entries = new Map<string, Value>()
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      if (key.length > longestKey) return
      if (entries.size >= capacity) {
        const oldest = entries.keys().next()
        if (!oldest.done) entries.delete(oldest.value)
      }
      entries.set(key, value)
    },
  }
}
