import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readMessage } from '../../src/errors.ts'
import { dropOwnFrames } from '../contract/package-files.ts'

/** Matches a line of a stack that names a file: not Node's own code. */
const FRAME = /^\s+at (?:.*\()?((?:file:\/\/)?(?:\/|[A-Z]:[\\/]).*):(\d+:\d+)\)?$/gim

/** The message of anything that the author's code threw, with the places of that code, the innermost first. Never throws. */
export function describeThrown(thrown: unknown, shownFrom: string): string {
  const shown = findPlaces(thrown, shownFrom).slice(0, 3).join(', called at ')
  return shown === '' ? readMessage(thrown) : `${readMessage(thrown)} (${shown})`
}

function findPlaces(thrown: unknown, shownFrom: string): string[] {
  try {
    const stack = thrown instanceof Error ? dropOwnFrames(String(thrown.stack)) : ''
    return Array.from(stack.matchAll(FRAME), ([, file = '', place]) => {
      const path = file.startsWith('file:') ? fileURLToPath(file) : file
      return `${relative(shownFrom, path)}:${place}`.replaceAll('\\', '/')
    }).filter((place) => !place.includes('node_modules/'))
  } catch {
    // The stack, or the message that it begins with, has a getter that threw in turn.
    return []
  }
}
