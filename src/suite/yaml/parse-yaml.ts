import { Composer, isCollection, isScalar, Parser, visit, type Document, type ErrorCode } from 'yaml'
import type { Range } from '../../source.ts'

/** A syntax error in the words of the YAML library. */
export type SyntaxProblem = { code: ErrorCode; message: string; range: Range }

/** The documents of a YAML text and what is wrong with its syntax. */
export type ParsedYaml = { documents: Document.Parsed[]; errors: SyntaxProblem[] }

/** A quote or bracket whose end is missing. */
export const UNCLOSED: RegExp = /closing ["']quote|end with a [\]}]$/

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
  const errors: SyntaxProblem[] = []
  for (const token of new Parser().parse(text)) {
    if (errors.length + documents.length > MAX_ERRORS) break
    const range: Range = [token.offset, token.offset + ('source' in token ? token.source.length : 1)]
    if (token.type === 'error') errors.push({ code: 'UNEXPECTED_TOKEN', message: token.message, range })
    else documents.push(...composer.next(token))
  }
  documents.push(...composer.end(true, text.length))
  for (const { code, message, pos } of documents.flatMap((each) => [...each.errors, ...each.warnings])) {
    if (code === 'RESOURCE_EXHAUSTION') throw new RangeError(message)
    errors.push({ code, message, range: pos })
  }
  const first = errors.toSorted((a, b) => a.range[0] - b.range[0]).slice(0, MAX_ERRORS)
  const places = first.map((error) =>
    UNCLOSED.test(error.message) ? { ...error, range: findOpening(documents, text, error.range) } : error,
  )
  return { documents, errors: places }
}

/** Where the end of a quote or bracket is missing is of less use than where the last open one begins. */
function findOpening(documents: readonly Document.Parsed[], text: string, [at, to]: Range): Range {
  let range: Range = [at, to]
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
