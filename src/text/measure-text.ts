// Wide: East Asian wide and full-width characters (Unicode TR 11), and emoji. Zero: marks and joiners.
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const zero = /\p{M}|[\u200b-\u200d]/u

/** The number of terminal columns that a text takes. It must not have control characters. */
export function measureText(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  let columns = 0
  for (const character of text) columns += zero.test(character) ? 0 : wide.test(character) ? 2 : 1
  return columns
}
