// Wide: East Asian wide and fullwidth forms, and pictographs; without width: marks and joiners.
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u
const zero = /\p{M}|[\u200b-\u200d]/u

/** Number of terminal columns a text without control characters takes. */
export function measureText(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  let columns = 0
  for (const character of text) columns += zero.test(character) ? 0 : wide.test(character) ? 2 : 1
  return columns
}

/** Shortens a text to so many columns, the last of them an ellipsis. */
export function fitText(text: string, columns: number): string {
  if (measureText(text) <= columns) return text
  let fitted = ''
  for (const character of text) {
    if (measureText(fitted + character) > columns - 1) break
    fitted += character
  }
  return columns < 1 ? '' : `${fitted}…`
}

export type Column = {
  align: 'left' | 'right'
  /** Shrinks when the table is too wide. */ flexible?: boolean
}

const gap = 2

/** Lays out rows of plain texts in at most `width` columns; flexible columns are shortened first, in equal parts. */
export function layOutTable(
  rows: readonly (readonly string[])[],
  columns: readonly Column[],
  width: number,
): string[] {
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => measureText(row[index] ?? ''))))
  const flexible = columns.flatMap((column, index) => (column.flexible ? [index] : []))
  let excess = widths.reduce((sum, one) => sum + one + gap, -gap) - width
  while (excess > 0) {
    const widest = flexible.toSorted((a, b) => (widths[b] as number) - (widths[a] as number))[0]
    if (widest === undefined || (widths[widest] as number) <= 6) break
    widths[widest] = (widths[widest] as number) - 1
    excess -= 1
  }
  return rows.map((row) =>
    columns
      .map(({ align }, index) => pad(row[index] ?? '', widths[index] as number, align))
      .join(' '.repeat(gap))
      .trimEnd(),
  )
}

function pad(text: string, columns: number, align: Column['align']): string {
  const fitted = fitText(text, columns)
  const space = ' '.repeat(Math.max(0, columns - measureText(fitted)))
  return align === 'left' ? fitted + space : space + fitted
}

/** Breaks a text at blanks into lines of at most `columns`, those behind the first indented; a longer word has a line of its own. */
export function wrapText(text: string, columns: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && measureText(`${last} ${word}`) <= columns)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(last === undefined ? word : `  ${word}`)
  }
  return lines
}
