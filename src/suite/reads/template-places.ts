import { findAtMost, type Range } from '../../source.ts'

/** Offsets at which `{{` occurs in a text. */
export function findOpenings(text: string): number[] {
  return Array.from(text.matchAll(/\{\{/g), ({ index }) => index)
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
  let signs: Record<'own' | 'other', ReturnType<typeof listSigns>> | undefined
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
      if (file.startsWith(text.slice(from, offset + 1), start)) return start + Math.max(0, offset - from)
      // Where a text is folded or a block, the file has other blanks.
      const { own, other } = (signs ??= { own: listSigns(text), other: listSigns(file.slice(...range)) })
      const [first, last] = [findAtMost(own.places, from), findAtMost(own.places, offset)]
      const to = findAtMost(other.places, start - range[0]) + last - first
      const isThere = other.text.startsWith(own.text.slice(first, last + 1), to - last + first)
      return isThere ? range[0] + (other.places[to] as number) : start
    },
  }
}

/** A text without its blanks, and where its characters were. */
function listSigns(text: string): { text: string; places: number[] } {
  return { text: text.replaceAll(/\s/g, ''), places: Array.from(text.matchAll(/\S/g), ({ index }) => index) }
}
