import { Composer, Lexer, Parser, type CST, type Document, type ErrorCode } from 'yaml'
import type { Range } from '../../source.ts'
import { findDeepToken, findOpenBracket, findOpenQuote, MAX_LEVELS } from './find-deep-token.ts'

/** A syntax error in the words of the YAML library. */
export type SyntaxProblem = { code: ErrorCode; message: string; range: Range }

/** The documents of a YAML text and what is wrong with its syntax; `refused` says why the reading was given up. */
export type ParsedYaml = {
  documents: Document.Parsed[]
  errors: SyntaxProblem[]
  refused?: { reason: 'too-deep' | 'too-many'; range: Range }
}

const MAX_ERRORS = 100
// About 750,000 values or 400,000 entries: beyond, the syntax tree takes more memory than a worker should need.
const MAX_LEXEMES = 3_000_000

/** Parses a YAML stream without ever running out of stack or memory, whatever the text. */
export function parseYaml(text: string): ParsedYaml {
  const parsed: ParsedYaml = { documents: [], errors: [] }
  const tokens = readTokens(text, parsed)
  if (parsed.refused) return parsed
  composeDocuments(tokens, text, parsed)
  const deep = findDeepToken(tokens)
  // Lines that are wrong can look nested: then what is wrong with them says more.
  if (deep !== undefined && parsed.errors.length === 0)
    parsed.refused = { reason: 'too-deep', range: [deep, deep + 1] }
  return parsed
}

// The parser leaves open collections by recursion, which at some 2,500 of them is more than the stack holds.
const MAX_OPEN = 1000

/** Syntax tree tokens, one per document; the lexer of the library is iterative. */
function readTokens(text: string, parsed: ParsedYaml): CST.Token[] {
  const tokens: CST.Token[] = []
  const parser = new Parser()
  const state = { count: 0, offset: 0, level: 0, last: '' }
  for (const lexeme of new Lexer().lex(text)) {
    const reason = findExcess(lexeme, state)
    if (reason) return refuse(parsed, reason, Math.min(state.offset, text.length - 1))
    if (parser['stack'].length > MAX_OPEN) {
      const deep = parser['stack'].filter((token) => 'items' in token)[MAX_LEVELS]
      return refuse(parsed, 'too-deep', deep?.offset ?? 0)
    }
    for (const token of parser.next(lexeme)) tokens.push(token)
  }
  for (const token of parser.end()) tokens.push(token)
  return tokens
}

function refuse(parsed: ParsedYaml, reason: 'too-deep' | 'too-many', start: number): [] {
  parsed.refused = { reason, range: [start, start + 1] }
  return []
}

type LexerState = { count: number; offset: number; level: number; last: string }

// The lexer announces a scalar, which may consist of a bracket, by this character, which is not in the text.
const SCALAR = '\x1f'
const MARKS = new Set([SCALAR, '\x02', '\x18'])

/** Gives up early on what would take seconds to be refused: a million brackets, millions of values. */
function findExcess(lexeme: string, state: LexerState): 'too-deep' | 'too-many' | undefined {
  state.count += 1
  // Brackets and marks are single characters; most lexemes are not.
  if (lexeme.length === 1 && state.last !== SCALAR) {
    if (lexeme === '[' || lexeme === '{') state.level += 1
    else if (lexeme === ']' || lexeme === '}') state.level -= 1
  }
  if (state.level > MAX_LEVELS) return 'too-deep'
  if (state.count > MAX_LEXEMES) return 'too-many'
  state.last = lexeme
  if (lexeme.length > 1 || !MARKS.has(lexeme)) state.offset += lexeme.length
  return undefined
}

class TooManyErrors extends Error {}

function composeDocuments(tokens: readonly CST.Token[], text: string, parsed: ParsedYaml): void {
  const composer = new Composer({
    uniqueKeys: false,
    resolveKnownTags: false,
    logLevel: 'silent',
    version: '1.2',
  })
  // Private in the library's types. Its own list is unbounded: 5 MB of `{{a}}` give 5 million errors.
  const onError = (source: ErrorSource, code: ErrorCode, message: string): void => {
    // The library catches what is thrown inside a collection, and reports it.
    if (parsed.errors.length >= MAX_ERRORS || code === 'RESOURCE_EXHAUSTION') throw new TooManyErrors()
    const range = toRange(source)
    // Where the end of a quote or bracket is missing is of less use than where it was opened.
    const opened = /closing ["']quote/.test(message)
      ? findOpenQuote(tokens, range[0])
      : /end with a [\]}]$/.test(message)
        ? findOpenBracket(tokens, range[0])
        : undefined
    parsed.errors.push({ code, message, range: opened === undefined ? range : [opened, opened + 1] })
  }
  composer['onError'] = onError
  try {
    for (const token of tokens) {
      if (token.type === 'error') onError(token, 'UNEXPECTED_TOKEN', token.message)
      else for (const document of composer.next(token)) parsed.documents.push(document)
    }
    for (const document of composer.end(true, text.length)) parsed.documents.push(document)
  } catch (error) {
    if (!(error instanceof TooManyErrors)) throw error
    if (parsed.errors.length === 0) parsed.refused = { reason: 'too-deep', range: [0, 1] }
  }
}

type ErrorSource = number | readonly number[] | { offset: number; source?: string }

function toRange(source: ErrorSource): Range {
  if (typeof source === 'number') return [source, source + 1]
  if ('offset' in source) return [source.offset, source.offset + (source.source?.length ?? 1)]
  const [start = 0, end = start + 1] = source
  return [start, end]
}
