// Wide: East Asian wide and fullwidth forms, and emoji. Zero width: marks and joiners (Unicode TR 11).
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const zero = /\p{M}|[\u200b-\u200d]/u

/** Number of terminal columns a text without control characters takes. */
export function measureText(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  let columns = 0
  for (const character of text) columns += zero.test(character) ? 0 : wide.test(character) ? 2 : 1
  return columns
}
