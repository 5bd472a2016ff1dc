import type { Problem, ProblemCode } from '../../errors.ts'
import type { Range } from '../../source.ts'
import { cut } from '../../text/show-value.ts'
import type { SyntaxProblem } from './parse-yaml.ts'

/** True when nothing can be said about the rest of the file. */
export function isFatal({ code }: SyntaxProblem): boolean {
  return code !== 'TAG_RESOLVE_FAILED' && code !== 'BAD_ALIAS'
}

/** Leaves out what follows from an error before: the first of a line is told, and nothing after a quote or bracket that is not closed where it should be. */
export function keepCauses(text: string, errors: readonly SyntaxProblem[]): SyntaxProblem[] {
  const kept: SyntaxProblem[] = []
  let last = -1
  for (const error of errors) {
    const { start } = readLine(text, Math.min(error.range[0], text.length - 1))
    // Each hyphen of a list in brackets is one, and each line with tabs.
    if (/BLOCK_IN_FLOW|TAB_AS_INDENT/.test(error.code) && kept.at(-1)?.code === error.code) continue
    if (start !== last || !isFatal(error)) kept.push(error)
    if (isFatal(error)) last = start
    // What the rest of the file opens it should close.
    if (/closing ["']quote|end with a [\]}]$/.test(error.message)) break
  }
  return kept
}

/** Words a syntax error of the YAML library, with what its author probably meant. */
export function describeSyntax(text: string, error: SyntaxProblem): Problem {
  const start = Math.max(0, Math.min(error.range[0], text.length - 1))
  const range: Range = [start, Math.max(start + 1, Math.min(error.range[1], text.length))]
  const line = readLine(text, start)
  const template = isFatal(error) ? findUnquotedTemplate(line.text, start - line.start + 1) : undefined
  if (template)
    return describeTemplate(template.text, [
      line.start + template.at,
      line.start + template.at + template.text.length,
    ])
  return {
    code: CODES[error.code] ?? 'yaml-syntax',
    severity: 'error',
    message: cleanMessage(error),
    hint: findHint(error, line.text),
    range,
  }
}

const CODES: Partial<Record<string, ProblemCode>> = {
  BAD_ALIAS: 'unknown-alias',
  TAG_RESOLVE_FAILED: 'unknown-tag',
}

/** A `{{…}}` that starts a value without quotes around it. */
export function describeTemplate(text: string, range: Range): Problem {
  const shown = cut(text)
  const quoted = shown.includes("'") ? JSON.stringify(shown) : `'${shown}'`
  return {
    code: 'unquoted-template',
    severity: 'error',
    message: `The unquoted \`${shown}\` is not text: \`{\` starts a map in YAML.`,
    hint: `Put quotes around it: ${quoted}.`,
    range,
  }
}

const MAX_LINE = 2000

/** Finds the unquoted `{{` nearest before a column of a line: YAML reads it as a map in a map, or stumbles over what follows it. */
function findUnquotedTemplate(line: string, column: number): { text: string; at: number } | undefined {
  if (line.length > MAX_LINE) return undefined
  const at = [...line.matchAll(/(^\s*|[:\-?,[{]\s+|[[,{]\s*)(?=\{\{)/g)]
    .map((match) => match.index + match[0].length)
    .findLast((offset) => offset < column && !isQuoted(line.slice(0, offset)))
  if (at === undefined) return undefined
  const rest = line.slice(at)
  // Up to a blank, a comment, or what ends a value in a flow collection.
  return { text: /^(?:\{\{.*?\}\}[^\s,\]{}#]*)+/.exec(rest)?.[0] ?? rest.trimEnd(), at }
}

function isQuoted(before: string): boolean {
  const plain = before.replaceAll(/\\./g, '')
  return (plain.split("'").length - 1) % 2 === 1 || (plain.split('"').length - 1) % 2 === 1
}

function readLine(text: string, offset: number): { text: string; start: number } {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const end = text.indexOf('\n', offset)
  return { text: text.slice(start, end === -1 ? text.length : end), start }
}

function cleanMessage(error: SyntaxProblem): string {
  const { code, message } = error
  if (/closing ["']quote/.test(message)) return 'This quote is not closed.'
  if (/end with a [\]}]$/.test(message)) return 'This bracket is not closed.'
  if (/flow-\w+-start at node end/.test(message))
    return 'A bracket in a text without quotes starts a list or map here.'
  if (/scalar at node end/.test(message)) return 'The value ends before this.'
  if (/map keys need to be followed/.test(message)) return 'A key has no colon behind it.'
  if (isIndent(error)) return 'This line is not indented like those above it.'
  return MESSAGES[code] ?? `${message.replace(/\.?$/, '')}.`
}

function isIndent({ message }: SyntaxProblem): boolean {
  return /same column|without - indicator/.test(message)
}

const MESSAGES: Partial<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'This value is followed by another key.',
  BAD_INDENT: 'The indentation does not fit what is above it.',
  TAG_RESOLVE_FAILED: 'This tag is not known here, or does not fit its value.',
  TAB_AS_INDENT: 'Tabs are not allowed as indentation.',
  BLOCK_IN_FLOW:
    'Inside these brackets a comma is missing, a text with `: ` has no quotes, or there is a hyphen.',
  MULTILINE_IMPLICIT_KEY: 'This line is neither a key with its value nor the rest of a text.',
}

const HINT = 'Put quotes around texts with special characters, and check the indentation.'

const HINTS: Partial<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'Put quotes around a text with `: ` in it, and indent the keys of one map alike.',
  BAD_INDENT: 'Indent keys of one map alike, and close every `[` with `]` and every `{` with `}`.',
  MISSING_CHAR:
    'Look for a quote, bracket, comma, colon or hyphen that is missing here or on the lines above.',
  BAD_DQ_ESCAPE: 'Double the backslash, or use single quotes, which know no escapes.',
  TAG_RESOLVE_FAILED:
    'Remove the tag, or put quotes around the text. Known are !!str, !!int, !!float, !!bool, !!null, !!map and !!seq.',
  BAD_DIRECTIVE: 'Remove the line that starts with `%`.',
  BLOCK_IN_FLOW: 'Between brackets write commas and no hyphens: `[a, b]`. Or remove the brackets.',
  MULTILINE_IMPLICIT_KEY: 'Write the key on one line, and look for a quote that is not closed.',
}

function findHint(error: SyntaxProblem, line: string): string {
  const { code, message } = error
  if (/^\s*\t/.test(line) || /\btab/i.test(message)) return 'Indent with spaces, not tabs.'
  if (/end with a [\]}]$/.test(message) && /\s#/.test(line))
    return 'A `#` after a space begins a comment: put quotes around it, or close the bracket before it.'
  if (isIndent(error)) return 'Indent the keys of one map alike, and start each item of a list with a hyphen.'
  if (code === 'MULTILINE_IMPLICIT_KEY') return hintSpace(line.replace(/^[\s-]+/, '')) ?? HINTS[code] ?? HINT
  if (code === 'UNEXPECTED_TOKEN' && line.includes("'"))
    return `${HINT} A quote between single quotes is written twice.`
  if (code === 'UNEXPECTED_TOKEN' && line.includes('"'))
    return `${HINT} A quote between double quotes is written \`\\"\`.`
  const key = code === 'MISSING_CHAR' && /[{,]\s*([^\s"'{},:]+\[[^\],{}]*\][^\s,:{}]*):/.exec(line)?.[1]
  if (key) return `Put quotes around the key: \`'${cut(key)}'\`.`
  return HINTS[code] ?? HINT
}

/** Says that a text looks like a key and its value with no space between them; undefined for any other one. The value, which may be secret, is not repeated. */
export function hintSpace(text: unknown): string | undefined {
  const [, key] = (typeof text === 'string' && /^([a-z_][\w.-]*):(?!\/\/)\S.*$/i.exec(text)) || []
  return key === undefined ? undefined : `Put a space after the colon: \`${key}: …\`.`
}
