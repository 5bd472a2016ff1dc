import { relative } from 'node:path'
import { isError, readMessage } from '../../src/errors.ts'
import { dropOwnFrames } from '../contract/package-files.ts'

/** Matches the lines of a stack that name a file, which Node's own code does not. */
const FRAME = /^\s+at (?:.*\()?(?:file:\/{2,3})?((?:\/|[A-Z]:[\\/]).*:\d+:\d+)\)?$/gim

/** The message of what the author's code threw, with up to 3 places in it, innermost first. Never throws. */
export function describeThrown(thrown: unknown, shownFrom: string): string {
  const message = readMessage(thrown)
  try {
    const stack = isError(thrown) ? dropOwnFrames(String(thrown.stack)) : ''
    const places = Array.from(stack.matchAll(FRAME), ([, place = '']) => relative(shownFrom, place))
    const own = places.filter((place) => !place.includes('node_modules')).slice(0, 3)
    return own.length === 0 ? message : `${message} (${own.join(', called at ').replaceAll('\\', '/')})`
  } catch {
    // The stack, or the message that it begins with, has a getter that throws.
    return message
  }
}
