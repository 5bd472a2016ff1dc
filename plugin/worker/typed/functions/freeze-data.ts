/** Values that are frozen all the way down. */
const frozen = new WeakSet<object>()

/** Freezes data deep, in place, once: what a function or schema reads is what later checks and reports read. */
export function freezeData<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || frozen.has(value)) return value
  frozen.add(Object.freeze(value))
  for (const child of Object.values(value)) freezeData(child)
  return value
}
