/** The text of whatever was thrown: an error's message, anything else as text; never throws itself. */
export function describeThrown(error: unknown): string {
  try {
    const { message, name } = error instanceof Error ? error : { message: writeValue(error), name: '' }
    return message === '' ? name : message
  } catch {
    // A getter or `toString` of what was thrown threw in turn.
    return 'something that cannot be shown'
  }
}

function writeValue(value: unknown): string {
  return typeof value === 'object' && value !== null ? (JSON.stringify(value) ?? 'an object') : String(value)
}
