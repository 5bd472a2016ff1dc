/** A `{{…}}` that starts a value without quotes around it: `at` is its column from 0. */
export type UnquotedTemplate = { text: string; at: number; hint: string }

const start = /(^\s*|[:\-?,[{]\s+|[[,{]\s*)(?=\{\{)/g
const MAX_LINE = 2000

/** Finds the unquoted `{{` nearest before a column of a line: YAML reads it as a map in a map, or stumbles over what follows it. */
export function findUnquotedTemplate(line: string, column: number): UnquotedTemplate | undefined {
  if (line.length > MAX_LINE) return undefined
  let found: number | undefined
  for (const match of line.matchAll(start)) {
    const at = match.index + match[0].length
    if (at < column && !isQuoted(line.slice(0, at))) found = at
  }
  if (found === undefined) return undefined
  const text = readValue(line.slice(found))
  return { text, at: found, hint: hintQuotes(text) }
}

/** Says how to write a text that starts with a template. */
export function hintQuotes(text: string): string {
  const quoted = text.includes("'") ? JSON.stringify(text) : `'${text}'`
  return `Put quotes around it: ${quoted}.`
}

// Up to a blank, a comment, or what ends a value in a flow collection.
function readValue(rest: string): string {
  return /^(?:\{\{.*?\}\}[^\s,\]{}#]*)+/.exec(rest)?.[0] ?? rest.trimEnd()
}

function isQuoted(before: string): boolean {
  const plain = before.replaceAll(/\\./g, '')
  return (plain.split("'").length - 1) % 2 === 1 || (plain.split('"').length - 1) % 2 === 1
}
