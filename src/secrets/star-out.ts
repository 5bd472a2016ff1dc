import { mask } from './secret-names.ts'

/** Replaces what was redacted in a line with asterisks; the length stays, because the caret below counts columns. */
export function starOut(line: string, redacted: string): string {
  const [first = '', ...rest] = redacted.split(mask)
  return rest.reduce((shown, text, at) => {
    const isLast = at === rest.length - 1
    const next = isLast ? line.length - text.length : line.indexOf(text, shown.length + 1)
    return shown.padEnd(next, '*') + text
  }, first)
}

/** The same for the lines of a code frame; if whole lines were hidden, returns the redacted text. */
export function starOutLines(text: string, redacted: string): string {
  const [lines, hidden] = [text.split('\n'), redacted.split('\n')]
  if (lines.length !== hidden.length) return redacted
  return lines.map((line, index) => starOut(line, hidden[index] as string)).join('\n')
}
