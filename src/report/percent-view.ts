/** A text with its percent-escapes of ASCII characters undone, and where each of its characters stood. */
export type PercentView = { text: string; offsets: Uint32Array }

const escape = /%[0-7][\da-f]/i

/**
 * Reads a text as a URL would be read, whichever of its characters were escaped: encoders differ in what they escape.
 * With `plus`, a plus sign is a space. Undefined when that changes nothing.
 */
export function decodePercent(text: string, plus: boolean): PercentView | undefined {
  if (!escape.test(text) && !(plus && text.includes('+'))) return undefined
  const offsets = new Uint32Array(text.length + 1)
  const units: string[] = []
  let count = 0
  for (let at = 0; at < text.length;) {
    offsets[count++] = at
    const character = text[at] as string
    if (character === '%' && escape.test(text.slice(at, at + 3))) {
      units.push(String.fromCharCode(Number.parseInt(text.slice(at + 1, at + 3), 16)))
      at += 3
    } else {
      units.push(plus && character === '+' ? ' ' : character)
      at += 1
    }
  }
  offsets[count] = text.length
  return { text: units.join(''), offsets }
}
