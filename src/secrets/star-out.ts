import { mask } from './secret-names.ts'

/** Replaces redacted parts with asterisks, one per character: the caret below must stay in its column. */
export function starOut(text: string, redacted: string): string {
  return replaceHidden(text, redacted, (hidden) => hidden.replaceAll(/[^\n]/g, '*'))
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
