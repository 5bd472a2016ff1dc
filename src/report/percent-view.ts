/** A text with its percent-escapes of ASCII characters undone; `locate` tells where one of its offsets was. */
export type PercentView = { text: string; locate: (at: number) => number }

const escapes = /%[0-7][\da-f]/gi

/**
 * Reads a text as a URL would be read, whichever of its characters were escaped: encoders differ in what they escape.
 * With `plus`, a plus sign is a space. Undefined when that changes nothing.
 */
export function decodePercent(text: string, plus: boolean): PercentView | undefined {
  const spaced = plus && text.includes('+') ? text.replaceAll('+', ' ') : text
  // Where escapes stood, counted in the text without those before them.
  const undone: number[] = []
  const decoded = spaced.includes('%')
    ? spaced.replaceAll(escapes, (escape, at: number) => {
        undone.push(at - 2 * undone.length)
        return String.fromCharCode(Number.parseInt(escape.slice(1), 16))
      })
    : spaced
  if (decoded === text) return undefined
  return { text: decoded, locate: (at) => at + 2 * undone.filter((place) => place < at).length }
}
