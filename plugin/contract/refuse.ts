/** Throws a sentence: a stack would only lead into this package. */
export function refuse(message: string): never {
  const error = new TypeError(message)
  error.stack = `${error.name}: ${message}`
  throw error
}
