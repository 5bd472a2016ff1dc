import { isCollection, isScalar, visit, type Document, type ErrorCode, type YAMLError } from 'yaml'
import type { Problem, ProblemCode } from '../../errors.ts'
import type { Range } from '../../source.ts'
import { cut } from '../../text/show-value.ts'
import { hintSpace } from '../schema/suggest-key.ts'

const MAX_ERRORS = 100

/** Messages about an unclosed quote or bracket. */
const UNCLOSED: RegExp = /closing ["']quote|end with a [\]}]$/

/** The start of the last unclosed quote or bracket before a place, which helps more than the place where its end is missing. */
function findOpening(document: Document.Parsed, text: string, [at, to]: Range): Range {
  let range: Range = [at, to]
  visit(document, (_, node) => {
    if (!(isScalar(node) || (isCollection(node) && node.flow)) || !node.range) return
    const [start, end] = node.range
    const closing = { '[': ']', '{': '}', '"': '"', "'": "'" }[text[start] as string]
    const isOpen = end < start + 2 || text[end - 1] !== closing
    if (closing && isOpen && start < at && end >= at) range = [start, start + 1]
  })
  return range
}

/** Errors of the YAML library after which the rest of the file can still be read, as codes of ours. */
const READABLE: Partial<Record<ErrorCode, ProblemCode>> = {
  TAG_RESOLVE_FAILED: 'unknown-tag',
  BAD_ALIAS: 'unknown-alias',
  MULTIPLE_DOCS: 'several-documents',
}

/** True if nothing can be said about the rest of the file. */
export function isFatal({ code }: YAMLError): boolean {
  return READABLE[code] === undefined
}

/** The syntax errors of a document, without those that follow from earlier ones: one for each line, and none after a quote or bracket without its other one. */
export function listSyntaxErrors(document: Document.Parsed, text: string): Problem[] {
  const problems: Problem[] = []
  let [last, lastCode] = [-1, '']
  const errors = [...document.errors, ...document.warnings].toSorted((a, b) => a.pos[0] - b.pos[0])
  for (const error of errors.slice(0, MAX_ERRORS)) {
    const isUnclosed = UNCLOSED.test(error.message)
    const range = isUnclosed ? findOpening(document, text, error.pos) : error.pos
    const { start } = readLine(text, Math.min(range[0], text.length - 1))
    // Every hyphen of a list in brackets is such an error, and every line with tabs.
    if (/BLOCK_IN_FLOW|TAB_AS_INDENT/.test(error.code) && lastCode === error.code) continue
    if (start !== last || !isFatal(error)) problems.push(describeSyntax(text, error, range))
    if (isFatal(error)) [last, lastCode] = [start, error.code]
    // The rest of the file may be inside the unclosed one, or is no longer read.
    if (isUnclosed || error.message.includes('in YAML stream')) break
  }
  return problems
}

const MISSING = 'Look for a quote, bracket, comma, colon or hyphen that is missing here or above.'
const QUOTES = 'Put quotes around texts with special characters, and check the indentation.'

/** Messages and hints for errors of the YAML library. The first pattern found in `<character at its place> <code> <message>` wins. */
const WORDS: readonly [test: RegExp, message: string, hint: string][] = [
  [/closing ["']quote/, 'This quote is not closed.', MISSING],
  [/end with a [\]}]$/, 'This bracket is not closed.', 'Close every `[` with `]` and every `{` with `}`.'],
  [/map keys need to be followed/, 'A key has no colon behind it.', MISSING],
  [
    /scalar at node end/,
    'The value ends before this.',
    `${QUOTES} A quote between single quotes is written twice, one between double quotes \`\\"\`.`,
  ],
  [/-start at node|^[[{] .*between/, 'Quotes around this bracket or a comma before it are missing.', QUOTES],
  [/\btab|TAB/i, 'Tabs are not allowed as indentation.', 'Indent with spaces, not tabs.'],
  [
    /same column|without -|INDENT/,
    'This line is not indented like those above it.',
    'Indent keys of a map alike.',
  ],
  [
    /BLOCK_AS/,
    'This value is followed by another key.',
    'Quote a text with `: `, and indent keys of a map alike.',
  ],
  [
    /BLOCK_IN/,
    'A comma is missing in these brackets, or there is a hyphen, or a text with `: `.',
    'Write commas, no hyphens: `[a, b]`. Quote a text with `: `.',
  ],
  [/block-seq-ind/, 'A list cannot start on the line of its key.', 'Start a new line before the hyphen.'],
  [/-end token in/, 'This bracket closes nothing.', MISSING],
  [
    /MULTIPLE_DOCS/,
    'The file holds several YAML documents.',
    'Keep one suite per file; remove the line with `---` or `...`.',
  ],
  [/MULTILINE/, 'This line is neither a key with its value nor the rest of a text.', MISSING],
  [/DQ_ESCAPE/, 'This backslash is no escape.', 'Double it, or use single quotes, which know no escapes.'],
  [
    /TAG_/,
    'This tag is not known here, or does not fit its value.',
    'Remove it, or put quotes around the text.',
  ],
]

/** Describes a syntax error of the YAML library, with a hint on what its author probably meant. */
function describeSyntax(text: string, error: YAMLError, range: Range): Problem {
  const start = Math.max(0, Math.min(range[0], text.length - 1))
  const line = readLine(text, start)
  const template = isFatal(error) ? findUnquotedTemplate(line.text, start - line.start + 1) : undefined
  if (template) {
    const from = line.start + template.at
    return describeTemplate(template.text, [from, from + template.text.length])
  }
  const [, message = `${error.message.replace(/\.?$/, '')}.`, hint = QUOTES] =
    WORDS.find(([test]) => test.test(`${text[start]} ${error.code} ${error.message}`)) ?? []
  return {
    code: READABLE[error.code] ?? 'yaml-syntax',
    severity: 'error',
    message,
    hint:
      (error.code === 'MULTILINE_IMPLICIT_KEY' && hintSpace(line.text.trim().replace(/^[\s-]+/, ''))) || hint,
    range: [start, Math.max(start + 1, Math.min(range[1], text.length))],
  }
}

/** The problem of an unquoted `{{…}}` at the start of a value. */
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

/** Finds the last unquoted `{{` of a line before a column. YAML reads it as a map in a map, or fails at what follows it. */
function findUnquotedTemplate(line: string, column: number): { text: string; at: number } | undefined {
  if (line.length > 2000) return undefined
  const starts = [...line.matchAll(/(?:^\s*|[:\-?,[{]\s+|[[,{])(?=\{\{)/g)]
  const at = starts
    .map((match) => match.index + match[0].length)
    // Not inside a quoted text, where an odd number of quotes precedes it.
    .findLast((offset) => offset < column && /^(?:[^'"]|'[^']*'|"[^"]*")*$/.test(line.slice(0, offset)))
  // Up to a space, a comment, or the end of a value in a flow collection.
  const text = at === undefined ? undefined : /^(?:\{\{.*?\}\}[^\s,\]{}#]*)+|^.*/.exec(line.slice(at))?.[0]
  return at === undefined || !text ? undefined : { text: text.trimEnd(), at }
}

function readLine(text: string, offset: number): { text: string; start: number } {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const end = text.indexOf('\n', offset)
  return { text: text.slice(start, end === -1 ? text.length : end), start }
}
