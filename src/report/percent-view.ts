/** A text with its percent-escapes of ASCII characters undone, and where each of its characters stood. */
export type PercentView = { text: string; offsets: Uint32Array }

const escape = /%[0-7][\da-f]/i
const everyEscape = new RegExp(escape, 'gi')

/**
 * Reads a text as a URL would be read, whichever of its characters were escaped: encoders differ in what they escape.
 * With `plus`, a plus sign is a space. Undefined when that changes nothing.
 */
export function decodePercent(text: string, plus: boolean): PercentView | undefined {
  const spaced = plus && text.includes('+') ? text.replaceAll('+', ' ') : text
  const escapes = text.includes('%') ? [...text.matchAll(everyEscape)] : []
  if (spaced === text && escapes.length === 0) return undefined
  const offsets = new Uint32Array(text.length - 2 * escapes.length + 1)
  let decoded = ''
  let done = 0
  const keep = (end: number): void => {
    for (let at = done; at < end; at += 1) offsets[decoded.length + at - done] = at
    decoded += spaced.slice(done, end)
  }
  for (const { index, 0: written } of escapes) {
    keep(index)
    offsets[decoded.length] = index
    decoded += String.fromCharCode(Number.parseInt(written.slice(1), 16))
    done = index + written.length
  }
  keep(text.length)
  offsets[decoded.length] = text.length
  return { text: decoded, offsets }
}
