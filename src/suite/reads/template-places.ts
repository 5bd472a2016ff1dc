import { findAtMost, type Range } from '../../source.ts'

/** Offsets of all `{{` in a text. */
export function findOpenings(text: string): number[] {
  const offsets: number[] = []
  for (let at = text.indexOf('{{'); at !== -1; at = text.indexOf('{{', at + 2)) offsets.push(at)
  return offsets
}

/** Index of the `{{` that an offset belongs to: the last one that starts at or before it. */
export function findOpening(openings: readonly number[], offset: number): number {
  return Math.max(0, findAtMost(openings, offset))
}

/** Maps offsets in a text to its file. */
export type TemplatePlaces = {
  /** File offset of each `{{` of the text. */
  openings: readonly number[]
  /** File offset for an offset in the text; exact unless there are escapes between it and its `{{`. */
  locate(offset: number): number
}

/** Finds the templates of a text in its file, where it may be quoted, escaped or folded. */
export function placeTemplates(text: string, file: string, range: Range): TemplatePlaces {
  const inText = findOpenings(text)
  const written = findOpenings(file.slice(range[0], range[1]))
  // With escaped braces (`\x7b`), they cannot be matched one by one; then the start of the text has to do.
  const isSame = written.length === inText.length
  const openings = inText.map((_, index) => (isSame ? range[0] + (written[index] as number) : range[0]))
  return {
    openings,
    locate(offset) {
      const index = findOpening(inText, offset)
      const [from = 0, start = range[0]] = [inText[index], openings[index]]
      // In a folded or block text, whitespace differs in the file.
      const words = text.slice(from, offset + 1).split(/\s+/)
      const written = new RegExp(words.map((word) => word.replaceAll(/\W/g, '\\$&')).join('\\s+'), 'y')
      written.lastIndex = start
      return written.test(file) ? Math.max(start, written.lastIndex - 1) : start
    },
  }
}
