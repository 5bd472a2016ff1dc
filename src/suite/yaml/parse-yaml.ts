import { Composer, Lexer, Parser, type CST, type Document, type ErrorCode } from 'yaml'
import type { Range } from '../../source.ts'
import { findDeepToken, findDeepLine, findOpenBracket, findOpenQuote, MAX_LEVELS } from './find-deep-token.ts'

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
const MAX_DASHES = 5000

/**
 * Parses a YAML stream; what nests too deep, or has too many values, errors between values or documents, is not read to the
 * end. One document is composed at once, however much is wrong inside of it: that takes about what right values take.
 */
export function parseYaml(text: string): ParsedYaml {
  const tokens = readTokens(text)
  if (!Array.isArray(tokens)) return refuse(tokens)
  const composed = compose(tokens, text)
  const deep = findDeepToken(tokens)
  const isExhausted = composed.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')
  // Lines that are wrong can look nested: then what is wrong with them says more.
  if (isExhausted || (deep !== undefined && composed.errors.length === 0))
    return refuse({ reason: 'too-deep', at: deep ?? 0 })
  const errors = composed.errors
    .toSorted((a, b) => a.range[0] - b.range[0])
    .slice(0, MAX_ERRORS)
    .map((error) => findOpening(error, tokens))
  return { ...composed, errors }
}

type Excess = { reason: 'too-deep' | 'too-many'; at: number }

function refuse({ reason, at }: Excess): ParsedYaml {
  return { documents: [], errors: [], refused: { reason, range: [at, at + 1] } }
}

/** Syntax tree tokens, one per document, or what there is too much of. */
function readTokens(text: string): CST.Token[] | Excess {
  const tokens: CST.Token[] = []
  const parser = new Parser()
  let parts = 0
  const state: LexerState = { count: 0, offset: 0, brackets: 0, hyphens: 0, dashes: 0, last: '' }
  try {
    for (const lexeme of new Lexer().lex(text)) {
      const reason = findExcess(lexeme, state)
      if (reason) return { reason, at: Math.min(state.offset, text.length - 1) }
      for (const token of parser.next(lexeme)) {
        tokens.push(token)
        if (token.type === 'error' || token.type === 'document') parts += 1
      }
      // What is wrong with the end of what was read comes after as many errors as are told.
      if (parts > MAX_ERRORS) break
    }
    for (const token of parser.end()) tokens.push(token)
    return tokens
  } catch (error) {
    // The parser leaves open collections by recursion: thousands of them are more than the stack holds.
    if (error instanceof RangeError)
      return { reason: 'too-deep', at: findDeepLine(text) ?? Math.min(state.offset, text.length - 1) }
    throw error
  }
}

type LexerState = {
  count: number
  offset: number
  brackets: number
  hyphens: number
  dashes: number
  last: string
}

// What the lexer says beside the text: a scalar follows, which may consist of a bracket; brackets end that were not closed.
const SCALAR = '\x1f'
const UNCLOSED = '\x18'
const MARKS = new Set([SCALAR, UNCLOSED, '\x02'])

/** Gives up early on what would take seconds to be refused: a million brackets or hyphens, millions of values. */
function findExcess(lexeme: string, state: LexerState): Excess['reason'] | undefined {
  state.count += 1
  if (lexeme === ',' || lexeme.endsWith('\n')) {
    // Between brackets they are mistakes, each of which would be told.
    if (lexeme === ',') state.dashes += state.hyphens
    state.hyphens = 0
  }
  // Brackets and marks are single characters; most lexemes are not.
  else if (lexeme.length === 1 && state.last !== SCALAR) {
    if (lexeme === '[' || lexeme === '{') state.brackets += 1
    else if (lexeme === ']' || lexeme === '}') state.brackets -= 1
    else if (lexeme === '-') state.hyphens += 1
    else if (lexeme === UNCLOSED) state.brackets = 0
  }
  if (state.brackets > MAX_LEVELS || state.hyphens > MAX_LEVELS) return 'too-deep'
  if (state.count > MAX_LEXEMES || state.dashes > MAX_DASHES) return 'too-many'
  state.last = lexeme
  if (lexeme.length > 1 || !MARKS.has(lexeme)) state.offset += lexeme.length
  return undefined
}

function compose(tokens: readonly CST.Token[], text: string): ParsedYaml {
  const composer = new Composer({
    uniqueKeys: false,
    resolveKnownTags: false,
    logLevel: 'silent',
    version: '1.2',
  })
  const documents: Document.Parsed[] = []
  const errors: SyntaxProblem[] = []
  // The library makes an error for each mistake: without stacks composing them takes a fifth of the time.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    for (const token of tokens) {
      const range: Range = [token.offset, token.offset + ('source' in token ? token.source.length : 1)]
      if (token.type === 'error') errors.push({ code: 'UNEXPECTED_TOKEN', message: token.message, range })
      else documents.push(...composer.next(token))
    }
    documents.push(...composer.end(true, text.length))
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
  for (const { code, message, pos } of documents.flatMap((each) => [...each.errors, ...each.warnings]))
    errors.push({ code, message, range: pos })
  return { documents, errors }
}

/** Where the end of a quote or bracket is missing is of less use than where it was opened. */
function findOpening(error: SyntaxProblem, tokens: readonly CST.Token[]): SyntaxProblem {
  const { message, range } = error
  const opened = /closing ["']quote/.test(message)
    ? findOpenQuote(tokens, range[0])
    : /end with a [\]}]$/.test(message)
      ? findOpenBracket(tokens, range[0])
      : undefined
  return opened === undefined ? error : { ...error, range: [opened, opened + 1] }
}
