/** The text of whatever was thrown: an error's message, anything else as text; never throws itself. */
export function describeThrown(error: unknown): string {
  try {
    if (error instanceof Error) return error.message || error.name
    return typeof error === 'object' && error !== null
      ? (JSON.stringify(error) ?? 'an object')
      : String(error)
  } catch {
    // A getter or `toString` of what was thrown threw in turn.
    return 'something that cannot be shown'
  }
}
