/** Throws a `TypeError` without its stack, which would only point into this package. */
export function refuse(message: string): never {
  const error = new TypeError(message)
  error.stack = `${error.name}: ${message}`
  throw error
}
