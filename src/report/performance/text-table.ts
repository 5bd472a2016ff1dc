import { measureText } from '../../text/measure-text.ts'

/** Shortens a text to so many columns, the last of them an ellipsis. */
function fitText(text: string, columns: number): string {
  if (measureText(text) <= columns) return text
  let fitted = ''
  for (const character of text) {
    if (measureText(fitted + character) > columns - 1) break
    fitted += character
  }
  return columns < 1 ? '' : `${fitted}…`
}

const gap = 2

/** Lays out rows of plain texts in at most `width` columns; `sides` has `<` for a column on the left, which is shortened where there is no room, and `>` for one on the right. */
export function layOutTable(rows: readonly (readonly string[])[], sides: string, width: number): string[] {
  const widths = sides
    .split('')
    .map((_, index) => Math.max(...rows.map((row) => measureText(row[index] ?? ''))))
  let excess = widths.reduce((sum, one) => sum + one + gap, -gap) - width
  for (; excess > 0; excess -= 1) {
    const widest = Math.max(...widths.filter((_, index) => sides[index] === '<'))
    if (widest <= 6) break
    widths[widths.findIndex((one, index) => one === widest && sides[index] === '<')] = widest - 1
  }
  return rows.map((row) =>
    widths
      .map((columns, index) => {
        const fitted = fitText(row[index] ?? '', columns)
        const space = ' '.repeat(Math.max(0, columns - measureText(fitted)))
        return sides[index] === '<' ? fitted + space : space + fitted
      })
      .join(' '.repeat(gap))
      .trimEnd(),
  )
}
