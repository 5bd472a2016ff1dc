const NEEDS_ESCAPE = /[^ !#-[\]-~]/
const NOT_ASCII = /[\x7f-\uffff]/
const EVERY_NOT_ASCII = /[\x7f-\uffff]/g

/** The JSON string for `text` in ASCII only: `\uxxxx` in lower case for everything outside 0x20–0x7e (RFC 8259, 7). */
export function quoteString(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return `"${text}"`
  const quoted = JSON.stringify(text)
  return NOT_ASCII.test(quoted) ? quoted.replace(EVERY_NOT_ASCII, escapeUnit) : quoted
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
