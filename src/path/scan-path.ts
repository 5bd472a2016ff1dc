import type { ProblemText } from '../errors.ts'
import { parseJson, type Json } from '../json.ts'

/** A token of a JMESPath expression with its place in the author's text. */
export type PathToken = {
  kind: 'name' | 'quoted' | 'literal' | 'number' | 'variable' | 'sign'
  /** As written; for `quoted` the name without quotes. */
  text: string
  /** Value of a literal (`'text'`, `` `json` ``). */
  value?: Json
  start: number
  end: number
}

/** Why a text is not a JMESPath expression; `offset` counts UTF-16 units from its start. */
export type PathError = { offset: number; message: string; hint?: string }

/** The same as a problem of the suite that has the expression. */
export function describePathError(
  source: string,
  what: 'expression' | 'condition' | 'filter',
  { offset, message, hint }: PathError,
): ProblemText {
  return {
    code: 'bad-path',
    message: `\`${source}\` is not a JMESPath ${what}: at character ${offset + 1}, ${message}.`,
    ...(hint && { hint }),
  }
}

const PATTERNS: readonly [PathToken['kind'] | 'space', RegExp][] = [
  ['space', /[ \t\r\n]+/y],
  ['name', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['variable', /\$[A-Za-z_][A-Za-z0-9_]*/y],
  ['number', /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y],
  ['quoted', /"(?:[^"\\]|\\.)*"/sy],
  ['literal', /'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/sy],
  ['sign', /==|!=|<=|>=|&&|\|\||\/\/|\[\?|\[\]|[()*,.:@\]{}+%?\u2212\u00d7\u00f7$![<>=&|/-]/y],
]

/** Splits a JMESPath expression into tokens (grammar of the JMESPath community specification). */
export function scanPath(source: string): PathToken[] | PathError {
  const tokens: PathToken[] = []
  let at = 0
  while (at < source.length) {
    const token = scanToken(source, at)
    if ('message' in token) return token
    at = token.end
    if (token.kind !== 'space') tokens.push(token as PathToken)
  }
  return tokens
}

type Scanned = Omit<PathToken, 'kind'> & { kind: PathToken['kind'] | 'space' }

function scanToken(source: string, start: number): Scanned | PathError {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = start
    const text = pattern.exec(source)?.[0]
    if (text === undefined) continue
    const token = { kind, text, start, end: start + text.length }
    if (kind === 'quoted') return readQuoted(token)
    return kind === 'literal' ? readLiteral(token) : token
  }
  const character = String.fromCodePoint(source.codePointAt(start) as number)
  if (`"'\``.includes(character))
    return {
      offset: start,
      message: `the ${character} is never closed`,
      hint: `Add the closing ${character}.`,
    }
  return { offset: start, message: `unexpected character \`${character}\`` }
}

function readQuoted(token: Scanned): Scanned | PathError {
  try {
    return { ...token, text: JSON.parse(token.text) as string }
  } catch (error) {
    return { offset: token.start, message: `${token.text} is not a JSON string: ${(error as Error).message}` }
  }
}

function readLiteral(token: Scanned): Scanned | PathError {
  const inner = token.text.slice(1, -1)
  if (token.text.startsWith("'")) return { ...token, value: inner.replaceAll(/\\(['\\])/g, '$1') }
  try {
    return { ...token, value: parseJson(inner.replaceAll('\\`', '`')) }
  } catch {
    return {
      offset: token.start,
      message: `${token.text} is not a JSON value`,
      hint: `Write text in single quotes: '${inner}'.`,
    }
  }
}
