import { mask } from './secret-names.ts'

/** Replaces what was redacted in a line with asterisks; the length stays, because the caret below counts columns. */
export function starOut(line: string, redacted: string): string {
  return replaceHidden(line, redacted, (hidden) => '*'.repeat(hidden.length))
}

/** Adds the line ends of what was redacted in a file, so that its lines keep their numbers. */
export function keepLines(text: string, redacted: string): string {
  return replaceHidden(text, redacted, (hidden) => mask + hidden.replaceAll(/[^\n]+/g, ''))
}

function replaceHidden(text: string, redacted: string, replace: (hidden: string) => string): string {
  const [first = '', ...rest] = redacted.split(mask)
  let at = first.length
  return rest.reduce((shown, part, index) => {
    const isLast = index === rest.length - 1
    const next = Math.max(at, isLast ? text.length - part.length : text.indexOf(part, at + 1))
    const hidden = text.slice(at, next)
    at = next + part.length
    return shown + replace(hidden) + part
  }, first)
}

/** The same for the lines of a code frame; if whole lines were hidden, returns the redacted text. */
export function starOutLines(text: string, redacted: string): string {
  const [lines, hidden] = [text.split('\n'), redacted.split('\n')]
  if (lines.length !== hidden.length) return redacted
  return lines.map((line, index) => starOut(line, hidden[index] as string)).join('\n')
}
