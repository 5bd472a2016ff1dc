import { dropOwnFrames } from '../../contract/package-files.ts'
import type { Redactor } from '../../../src/secrets/redactor.ts'

/** What was thrown, without secrets in its texts and in those of its causes, and without the frames of this package. */
export function hideInError(thrown: unknown, redactor: Redactor): unknown {
  if (typeof thrown === 'string') return redactor.redactText(thrown)
  const seen = new Set<unknown>()
  for (let error = thrown; error instanceof Error && !seen.has(error); error = error.cause) {
    seen.add(error)
    const { message, stack } = error
    // Passwords in addresses.
    redactor.learn({ message })
    Object.assign(error, {
      message: redactor.redactText(message),
      ...(stack !== undefined && { stack: redactor.redactText(dropOwnFrames(stack)) }),
    })
  }
  return thrown
}
