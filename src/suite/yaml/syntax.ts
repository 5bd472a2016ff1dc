import { Composer, isCollection, isScalar, Parser, visit, type Document, type YAMLError } from 'yaml'
import type { Problem, ProblemCode } from '../../errors.ts'
import type { Range } from '../../source.ts'
import { cut } from '../../text/show-value.ts'
import { hintSpace } from '../schema/suggest-key.ts'

export type ParsedYaml = { documents: Document.Parsed[]; errors: YAMLError[] }

const UNCLOSED: RegExp = /closing ["']quote|end with a [\]}]$/

const MAX_ERRORS = 100

/** Parses a YAML stream, up to a hundred documents and errors between values. Throws a `RangeError` if it nests too deeply for the library. */
export function parseYaml(text: string): ParsedYaml {
  const composer = new Composer({
    uniqueKeys: false,
    resolveKnownTags: false,
    logLevel: 'silent',
    version: '1.2',
  })
  const documents: Document.Parsed[] = []
  let bad = 0
  for (const token of new Parser().parse(text)) {
    if (token.type === 'error') bad += 1
    if (bad + documents.length > MAX_ERRORS) break
    documents.push(...composer.next(token))
  }
  documents.push(...composer.end(true, text.length))
  const found = documents.flatMap((document) => [...document.errors, ...document.warnings])
  const exhausted = found.find(({ code }) => code === 'RESOURCE_EXHAUSTION')
  if (exhausted) throw new RangeError(exhausted.message)
  // Sorted: an end bracket that is indented too little leaves its start unclosed, and then is one too many.
  const errors = found.toSorted((a, b) => a.pos[0] - b.pos[0]).slice(0, MAX_ERRORS)
  for (const error of errors)
    if (UNCLOSED.test(error.message)) error.pos = findOpening(documents, text, error.pos)
  return { documents, errors }
}

/** The start of the last unclosed quote or bracket, which helps more than the place where its end is missing. */
function findOpening(
  documents: readonly Document.Parsed[],
  text: string,
  [at, to]: YAMLError['pos'],
): YAMLError['pos'] {
  let range: YAMLError['pos'] = [at, to]
  const visitNode = (_: unknown, node: unknown): void => {
    if (!(isScalar(node) || (isCollection(node) && node.flow)) || !node.range) return
    const [start, end] = node.range
    const closing = { '[': ']', '{': '}', '"': '"', "'": "'" }[text[start] as string]
    const isOpen = end < start + 2 || text[end - 1] !== closing
    if (closing && isOpen && start < at && end >= at) range = [start, start + 1]
  }
  for (const document of documents) visit(document, visitNode)
  return range
}

export function isFatal({ code }: YAMLError): boolean {
  return code !== 'TAG_RESOLVE_FAILED' && code !== 'BAD_ALIAS'
}

/** Drops errors that follow from others: keeps the first of each line, and none after a quote or bracket without a counterpart. */
export function keepCauses(text: string, errors: readonly YAMLError[]): YAMLError[] {
  const kept: YAMLError[] = []
  let last = -1
  for (const error of errors) {
    const { start } = readLine(text, Math.min(error.pos[0], text.length - 1))
    // One of them is enough: every hyphen of a list in brackets is such an error, and every line with tabs.
    if (/BLOCK_IN_FLOW|TAB_AS_INDENT/.test(error.code) && kept.at(-1)?.code === error.code) continue
    // The `*` of `{ items[*].id: 1 }` is taken for an alias without a name.
    if (start !== last || (!isFatal(error) && !error.message.includes('empty string'))) kept.push(error)
    if (isFatal(error)) last = start
    // The rest of the file may be inside an unclosed one, or is no longer read.
    if (UNCLOSED.test(error.message) || error.message.includes('in YAML stream')) break
  }
  return kept
}

const MISSING = 'Look for a missing quote, bracket, comma, colon or hyphen here or above.'
const QUOTES = 'Put quotes around text with special characters, and check the indentation.'
const EVEN = 'Indent all keys of a map by the same amount.'

/** Messages and hints for frequent errors of the YAML library; others keep its message. The first pattern found in `<code> <message>` wins. */
const WORDS: readonly [test: RegExp, message: string, hint: string][] = [
  [/closing ["']quote/, 'This quote is not closed.', MISSING],
  [/end with a [\]}]$/, 'This bracket is not closed.', 'Close every `[` with `]` and every `{` with `}`.'],
  [/\btab|TAB/i, 'Tabs are not allowed as indentation.', 'Indent with spaces, not tabs.'],
  [
    /same column|without -|INDENT|block seq.*as an/,
    'This line is not indented like the lines above it.',
    EVEN,
  ],
  [/BLOCK_AS/, 'This value is followed by another key.', 'Put quotes around text that contains `: `.'],
  [
    /BLOCK_IN|-start at node|between/,
    'A comma is missing here, or this text needs quotes.',
    "Put quotes around text with brackets or `: `, such as `'items[0].id'`. In `[ ]`, use commas, not hyphens: `[a, b]`.",
  ],
  [
    /MULTILINE|map keys need/,
    'This line is neither a key with a value nor a continuation of the text above it.',
    MISSING,
  ],
  [/block-seq-ind/, 'A list cannot start on the line of its key.', 'Start a new line before the hyphen.'],
  [/-end token in/, 'This closing bracket has no opening bracket.', MISSING],
  [
    /DQ_ESCAPE/,
    'This backslash does not start a valid escape sequence.',
    'Double it, or use single quotes, which have no escapes.',
  ],
]

/** For JSON that was pasted without its indentation, for example. */
const SHALLOW: (typeof WORDS)[number] = [
  /indented/,
  'What is inside this bracket, or the bracket that closes it, is indented too little.',
  'Indent both with more spaces than the line of this bracket.',
]

/** True if the bracket that a text starts with is closed anywhere in it. */
function isClosed(text: string): boolean {
  let depth = 0
  return text
    .matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|'[^']*'|[[\]{}]/g)
    .some(([one]) => (depth += one === '{' || one === '[' ? 1 : one === '}' || one === ']' ? -1 : 0) === 0)
}

/** Describes a syntax error of the YAML library, with a hint on what its author probably meant. */
export function describeSyntax(text: string, error: YAMLError): Problem {
  const start = Math.max(0, Math.min(error.pos[0], text.length - 1))
  const line = readLine(text, start)
  const column = start - line.start
  const template = isFatal(error) ? findTemplate(line.text, column, error.code) : undefined
  if (template) {
    const from = line.start + template.at
    return describeTemplate(template.text, [from, from + template.text.length])
  }
  const code = { TAG_RESOLVE_FAILED: 'unknown-tag', BAD_ALIAS: 'unknown-alias' }[error.code as string]
  const isShallow = error.message.includes('sufficiently indented') && isClosed(text.slice(start))
  const words = isShallow ? SHALLOW : WORDS.find(([test]) => test.test(`${error.code} ${error.message}`))
  const [, message = `${error.message.replace(/\.?$/, '')}.`, hint = QUOTES] = words ?? []
  // A key below a value is told at the value. A value that has a colon itself needs quotes.
  const isBelow = error.message.startsWith('Nested map') && !line.text.slice(column).includes(': ')
  const index = text.slice(0, start).split('\n').length - (isBelow ? 0 : 1)
  const deeper = isBelow || hint === EVEN ? findDeeper(text, index) : undefined
  if (deeper) return { code: 'yaml-syntax', severity: 'error', hint: EVEN, ...deeper }
  return {
    code: (code ?? 'yaml-syntax') as ProblemCode,
    severity: 'error',
    message,
    hint:
      (error.code === 'MULTILINE_IMPLICIT_KEY' && hintSpace(line.text.trim().replace(/^[\s-]+/, ''))) || hint,
    range: [start, Math.max(start + 1, Math.min(error.pos[1], text.length))],
  }
}

/** Compares the first line from `index` on with the line above it, comments aside; undefined if it is not deeper. */
function findDeeper(text: string, index: number): Pick<Problem, 'message' | 'range'> | undefined {
  const lines = text.split('\n')
  const content = /^ *[^\s#]/
  const own = lines.findIndex((line, at) => at >= index && content.test(line))
  const above = lines.findLastIndex((line, at) => at < own && content.test(line))
  const indent = lines[own]?.search(/\S/) ?? 0
  if (above === -1 || indent <= (lines[above] ?? '').search(/[^\s-]/)) return undefined
  const start = [...lines.slice(0, own), ''].join('\n').length + indent
  return { message: `This line is deeper than line ${above + 1}.`, range: [start, start + 1] }
}

/** The problem of an unquoted `{{…}}`, with the text around it. */
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

// Unquoted text with a `{{…}}`, up to a comment, or the end of a value in brackets.
const TEMPLATE =
  /(?<=(?:^|[:\-?,[{])\s*)(?:[^\s'"[\]{},](?:(?!:\s)[^'"[\]{},])*)?(?:\{\{.*?\}\}(?:(?!\s#|:\s)[^'"[\]{},])*)+/g

/** Finds the unquoted template at a column of a line. Outside brackets, only one at the start of a value is an error. */
function findTemplate(
  line: string,
  column: number,
  code: YAMLError['code'],
): { text: string; at: number } | undefined {
  if (line.length > 2000) return undefined
  const isInside = /TOKEN|MISSING|IN_FLOW/.test(code)
  for (const { 0: found, index } of line.matchAll(TEMPLATE)) {
    // After an odd number of quotes, it is inside a quoted text.
    const isQuoted = !/^(?:[^'"]|'[^']*'|"[^"]*")*$/.test(line.slice(0, index))
    const isHere = index <= column && column <= index + found.length
    if (isHere && !isQuoted && (isInside || found.startsWith('{{')))
      return { text: found.trimEnd(), at: index }
  }
  return undefined
}

function readLine(text: string, offset: number): { text: string; start: number } {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const end = text.indexOf('\n', offset)
  return { text: text.slice(start, end === -1 ? text.length : end), start }
}
