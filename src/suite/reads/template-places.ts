import { findAtMost, type Range } from '../../source.ts'

/** Offsets of all `{{` in a text. */
export function findOpenings(text: string): number[] {
  return Array.from(text.matchAll(/\{\{/g), ({ index }) => index)
}

/** Index of the `{{` that an offset belongs to: the last one that starts at or before it. */
export function findOpening(openings: readonly number[], offset: number): number {
  return Math.max(0, findAtMost(openings, offset))
}

/** Finds the templates of a text in its file, where it may be quoted, escaped or folded. */
export function placeTemplates(text: string, file: string, range: Range) {
  let signs: Record<'own' | 'other', ReturnType<typeof listSigns>> | undefined
  const inText = findOpenings(text)
  const written = findOpenings(file.slice(range[0], range[1]))
  // If braces are escaped (`\x7b`), they cannot be matched one by one. Then the start of the text has to do.
  const isSame = written.length === inText.length
  const openings = inText.map((_, index) => (isSame ? range[0] + (written[index] as number) : range[0]))
  return {
    /** File offset of each `{{` of the text. */
    openings,
    /** File offset for an offset in the text; exact unless there are escapes between it and its `{{`. */
    locate(offset: number): number {
      const index = findOpening(inText, offset)
      const [from = 0, start = range[0]] = [inText[index], openings[index]]
      if (file.startsWith(text.slice(from, offset + 1), start)) return start + Math.max(0, offset - from)
      // In the file, a folded or block text has other whitespace.
      const { own, other } = (signs ??= { own: listSigns(text), other: listSigns(file.slice(...range)) })
      const [first, last] = [findAtMost(own.places, from), findAtMost(own.places, offset)]
      const to = findAtMost(other.places, start - range[0]) + last - first
      const isThere = other.text.startsWith(own.text.slice(first, last + 1), to - last + first)
      return isThere ? range[0] + (other.places[to] as number) : start
    },
  }
}

/** A text without whitespace, and where its characters were. */
function listSigns(text: string): { text: string; places: number[] } {
  return { text: text.replaceAll(/\s/g, ''), places: Array.from(text.matchAll(/\S/g), ({ index }) => index) }
}
