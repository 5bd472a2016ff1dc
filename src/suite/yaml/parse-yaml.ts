import { Composer, Lexer, Parser, type CST, type Document, type ErrorCode } from 'yaml'
import type { Range } from '../../source.ts'
import { findDeepToken, findOpenBracket, findOpenQuote } from './find-deep-token.ts'

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
  const tokens = readTokens(text)
  if (!Array.isArray(tokens)) return refuse(tokens, 0)
  const composed = compose(tokens, text)
  const deep = findDeepToken(tokens)
  const isExhausted = composed.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')
  // Lines that are wrong can look nested: then what is wrong with them says more.
  if (isExhausted || (deep !== undefined && composed.errors.length === 0))
    return refuse('too-deep', deep ?? 0)
  const errors = composed.errors
    .toSorted((a, b) => a.range[0] - b.range[0])
    .slice(0, MAX_ERRORS)
    .map((error) => findOpening(error, tokens))
  return { ...composed, errors }
}

function refuse(reason: 'too-deep' | 'too-many', start: number): ParsedYaml {
  return { documents: [], errors: [], refused: { reason, range: [start, start + 1] } }
}

/** Syntax tree tokens, one per document, or why there are too many. */
function readTokens(text: string): CST.Token[] | 'too-deep' | 'too-many' {
  const tokens: CST.Token[] = []
  const parser = new Parser()
  let count = 0
  try {
    for (const lexeme of new Lexer().lex(text)) {
      count += 1
      if (count > MAX_LEXEMES) return 'too-many'
      for (const token of parser.next(lexeme)) tokens.push(token)
    }
    for (const token of parser.end()) tokens.push(token)
    return tokens
  } catch (error) {
    // The parser leaves open collections by recursion: thousands of them are more than the stack holds.
    if (error instanceof RangeError) return 'too-deep'
    throw error
  }
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
  for (const token of tokens) {
    const range: Range = [token.offset, token.offset + ('source' in token ? token.source.length : 1)]
    if (token.type === 'error') errors.push({ code: 'UNEXPECTED_TOKEN', message: token.message, range })
    else documents.push(...composer.next(token))
  }
  documents.push(...composer.end(true, text.length))
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
