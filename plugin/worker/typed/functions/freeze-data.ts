/** Values that are frozen all the way down. */
const frozen = new WeakSet<object>()

/**
 * Freezes data deep, in place, once: what a function or schema reads is what later checks and reports read. Iterates,
 * since a response can nest deeper than the stack.
 */
export function freezeData<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || frozen.has(value)) return value
  const open: object[] = [value]
  for (let part = open.pop(); part; part = open.pop()) {
    frozen.add(Object.freeze(part))
    for (const child of Object.values(part) as unknown[])
      if (typeof child === 'object' && child !== null && !frozen.has(child)) open.push(child)
  }
  return value
}
