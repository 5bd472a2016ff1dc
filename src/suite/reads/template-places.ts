import { findAtMost, type Range } from '../../source.ts'

/** Offsets at which `{{` occurs in a text. */
export function findOpenings(text: string): number[] {
  const offsets: number[] = []
  for (let at = text.indexOf('{{'); at !== -1; at = text.indexOf('{{', at + 2)) offsets.push(at)
  return offsets
}

/** Index of the `{{` that an offset belongs to: the last one that starts at or before it. */
export function findOpening(openings: readonly number[], offset: number): number {
  return Math.max(0, findAtMost(openings, offset))
}

/** Where the parts of a text are in the file it is written in. */
export type TemplatePlaces = {
  /** File offset of each `{{` of the text. */
  openings: readonly number[]
  /** File offset of an offset in the text; exact unless escapes are between it and its `{{`. */
  locate(offset: number): number
}

/** Finds the templates of a text again in the file, where it is quoted, escaped or folded in some way. */
export function placeTemplates(text: string, file: string, range: Range): TemplatePlaces {
  const inText = findOpenings(text)
  const written = findOpenings(file.slice(range[0], range[1]))
  // Escaped braces (`\x7b`) cannot be matched one by one: then the start of the text is as good as it gets.
  const isSame = written.length === inText.length
  const openings = inText.map((_, index) => (isSame ? range[0] + (written[index] as number) : range[0]))
  return {
    openings,
    locate(offset) {
      const index = findOpening(inText, offset)
      const [from = 0, start = range[0]] = [inText[index], openings[index]]
      // Where a text is folded or a block, the file has other blanks.
      const words = text.slice(from, offset + 1).split(/\s+/)
      const written = new RegExp(words.map((word) => word.replaceAll(/\W/g, '\\$&')).join('\\s+'), 'y')
      written.lastIndex = start
      return written.test(file) ? Math.max(start, written.lastIndex - 1) : start
    },
  }
}
