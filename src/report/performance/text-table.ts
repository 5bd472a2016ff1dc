import { styleText } from 'node:util'
import { measureText } from '../../text/measure-text.ts'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'reset'

/** A line of a table: how it is painted, and its cells. */
export type TableRow = readonly [Style, ...string[]]

const gap = '  '

/** Colours a text. */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { validateStream: false })
}

/** Lays out rows of plain texts in at most `width` columns, the widest shortened where there is no room; `sides` has `<` for a column on the left and `>` for one on the right. */
export function layOutTable(rows: readonly TableRow[], sides: string, width: number): string[] {
  const widths = sides
    .split('')
    .map((_, index) => Math.max(...rows.map((row) => measureText(row[index + 1] ?? ''))))
  let excess = widths.reduce((sum, one) => sum + gap.length + one) - width
  for (; excess > 0; excess -= 1) {
    const widest = Math.max(...widths)
    widths[widths.indexOf(widest)] = widest - 1
  }
  return rows.map(([style, ...cells]) => {
    const padded = widths.map((width, index) => {
      const text = fitText(cells[index] ?? '', width)
      const space = ' '.repeat(width - measureText(text))
      return sides[index] === '<' ? text + space : space + text
    })
    return paint(style, padded.join(gap).trimEnd())
  })
}

/** Shortens a text to so many columns, the last of them an ellipsis. */
function fitText(text: string, columns: number): string {
  if (measureText(text) <= columns) return text
  let fitted = ''
  for (const character of text) {
    if (measureText(fitted + character) > columns - 1) break
    fitted += character
  }
  return `${fitted}…`
}
