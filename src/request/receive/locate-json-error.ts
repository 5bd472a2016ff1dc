const blank = /[ \t\n\r]*/y
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
// A word, number or escape that the text ends in the middle of.
const begun = /(?:-|(?<=\d)(?:\.|[eE][+-]?)|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?|\\(?:u[\da-fA-F]{0,3})?)$/y

/** Where a token ends, or where it goes wrong. */
type Scan = { end: number; broken: boolean }

/**
 * Finds where a text stops being JSON (RFC 8259): the offset of the first character that cannot be (of a wrong word or
 * escape its start), the text's length when it ends too early, or undefined when all of it is JSON. `JSON.parse` names no
 * position for many errors, and jsonc-parser overflows the stack.
 */
export function locateJsonError(text: string): number | undefined {
  const open: string[] = []
  let at = 0
  let expects: 'value' | 'value or end' | 'name' | 'name or end' | 'next' = 'value'
  for (;;) {
    at = scan(blank, text, at).end
    const char = text[at] ?? ''
    if (expects === 'next') {
      const inside = open.at(-1)
      if (inside === undefined) return at < text.length ? findFault(text, at) : undefined
      if (char === (inside === '{' ? '}' : ']')) open.pop()
      else if (char === ',') expects = inside === '{' ? 'name' : 'value'
      else return findFault(text, at)
      at++
    } else if (expects.endsWith('or end') && char === (open.at(-1) === '{' ? '}' : ']')) {
      open.pop()
      expects = 'next'
      at++
    } else if (expects.startsWith('name')) {
      const name = scanString(text, at)
      if (name.broken) return findFault(text, name.end)
      at = scan(blank, text, name.end).end
      if (text[at] !== ':') return at
      at++
      expects = 'value'
    } else if (char === '{' || char === '[') {
      open.push(char)
      expects = char === '{' ? 'name or end' : 'value or end'
      at++
    } else {
      const token = char === '"' ? scanString(text, at) : scan(scalar, text, at)
      if (token.broken) return findFault(text, token.end)
      at = token.end
      expects = 'next'
    }
  }
}

/** The place itself, or the end of a text that ends in the middle of what starts there. */
function findFault(text: string, at: number): number {
  return scan(begun, text, at).broken ? at : text.length
}

function scan(pattern: RegExp, text: string, at: number): Scan {
  pattern.lastIndex = at
  return pattern.test(text) ? { end: pattern.lastIndex, broken: false } : { end: at, broken: true }
}

/** By hand, as a pattern would need a stack as long as the string. */
function scanString(text: string, start: number): Scan {
  if (text[start] !== '"') return { end: start, broken: true }
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return { end: at + 1, broken: false }
    if (code < 0x20) return { end: at, broken: true }
    if (code === 0x5c) {
      const escaped = scan(escape, text, at)
      if (escaped.broken) return escaped
      at = escaped.end - 1
    }
  }
  return { end: text.length, broken: true }
}
