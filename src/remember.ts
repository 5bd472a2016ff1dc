/** Results for texts longer than this, in characters, are not cached. */
const longestText = 10_000

/** Caches the results of `make` by text. At `capacity`, all are dropped, so `make` must be cheap. */
export function rememberTexts<Value extends {} | null>(
  capacity: number,
  make: (text: string) => Value,
): (text: string) => Value {
  const made = new Map<string, Value>()
  return (text) => {
    const known = made.get(text)
    if (known !== undefined) return known
    const value = make(text)
    if (text.length > longestText) return value
    // Dropping only the oldest takes ten times as long.
    if (made.size >= capacity) made.clear()
    made.set(text, value)
    return value
  }
}

/** Caches `make` by object, for as long as the object lives. */
export function rememberObjects<Source extends object, Value extends {} | null>(
  make: (source: Source) => Value,
): (source: Source) => Value {
  const made = new WeakMap<Source, Value>()
  return (source) => {
    const known = made.get(source)
    if (known !== undefined) return known
    const value = make(source)
    made.set(source, value)
    return value
  }
}
