import { Composer, CST, Parser, type Document, type ErrorCode } from 'yaml'
import type { Range } from '../../source.ts'

/** A syntax error in the words of the YAML library. */
export type SyntaxProblem = { code: ErrorCode; message: string; range: Range }

/** The documents of a YAML text and what is wrong with its syntax. */
export type ParsedYaml = { documents: Document.Parsed[]; errors: SyntaxProblem[] }

const MAX_ERRORS = 100

/** Parses a YAML stream; what follows a hundred errors between values or as many documents is not read. Throws a `RangeError` for what nests too deep for the library. */
export function parseYaml(text: string): ParsedYaml {
  const composer = new Composer({
    uniqueKeys: false,
    resolveKnownTags: false,
    logLevel: 'silent',
    version: '1.2',
  })
  const documents: Document.Parsed[] = []
  const trees: CST.Document[] = []
  const errors: SyntaxProblem[] = []
  for (const token of new Parser().parse(text)) {
    if (errors.length + trees.length > MAX_ERRORS) break
    const range: Range = [token.offset, token.offset + ('source' in token ? token.source.length : 1)]
    if (token.type === 'document') trees.push(token)
    if (token.type === 'error') errors.push({ code: 'UNEXPECTED_TOKEN', message: token.message, range })
    else documents.push(...composer.next(token))
  }
  documents.push(...composer.end(true, text.length))
  for (const { code, message, pos } of documents.flatMap((each) => [...each.errors, ...each.warnings])) {
    if (code === 'RESOURCE_EXHAUSTION') throw new RangeError(message)
    errors.push({ code, message, range: pos })
  }
  const first = errors.toSorted((a, b) => a.range[0] - b.range[0]).slice(0, MAX_ERRORS)
  return { documents, errors: first.map((error) => findOpening(error, trees)) }
}

/** Where the end of a quote or bracket is missing is of less use than where the last open one begins. */
function findOpening(error: SyntaxProblem, trees: readonly CST.Document[]): SyntaxProblem {
  const [at] = error.range
  const isQuote = /closing ["']quote/.test(error.message)
  if (!isQuote && !/end with a [\]}]$/.test(error.message)) return error
  let range = error.range
  for (const tree of trees)
    CST.visit(tree, ({ key, value }) => {
      for (const token of [key, value])
        if (token && token.offset < at && (isQuote ? endsAt(token, at) : isUnclosed(token)))
          range = [token.offset, token.offset + 1]
    })
  return { ...error, range }
}

/** True for a quoted text that ends, without its closing quote, at an offset. */
function endsAt(token: CST.Token, end: number): boolean {
  return /quoted/.test(token.type) && 'source' in token && token.offset + token.source.length === end
}

function isUnclosed(token: CST.Token): boolean {
  if (token.type !== 'flow-collection') return false
  const closing = token.start.source === '{' ? '}' : ']'
  return !token.end.some(({ source }) => source === closing)
}
