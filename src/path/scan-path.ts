import { tryTo, type ProblemText } from '../errors.ts'
import { parseJson, type Json } from '../json.ts'
import { quoteCode } from '../text/show-value.ts'
import { pathRoots } from './exchange-fields.ts'

/** A token of a JMESPath expression as the library is to read it, and where the author wrote it. */
export type PathPiece = { text: string; start: number; end: number }

/** The tokens of an expression. The text of a literal is its index in `literals`, in backticks. */
export type ScannedPath = { pieces: PathPiece[]; literals: Json[] }

/** Why a text is not a JMESPath expression; `offset` counts UTF-16 units from its start. */
export type PathError = { offset: number; message: string; hint?: string }

/** What to write where an expression looks like JavaScript. */
const SCRIPTS = {
  expression: 'Captures are JMESPath, such as `body.token`: write JavaScript over `body` in `{{js: …}}`.',
  condition: 'Scenario conditions are JMESPath: write JavaScript in `{{js: …}}`.',
  filter: undefined,
}

/** Turns a `PathError` into a problem of the suite that contains the expression. */
export function describePathError(
  source: string,
  what: 'expression' | 'condition' | 'filter',
  { offset, message, hint }: PathError,
): ProblemText {
  const isScript = /[=!]==|\btypeof\b|\?\.|=>|\.\w+\(\)|\.(?:find|get|match|replace|slice|split)\(/.test(
    source,
  )
  const advice = (isScript && SCRIPTS[what]) || hint
  return {
    code: 'bad-path',
    message: `${quoteCode(source)} is not a JMESPath ${what}: at character ${offset + 1}, ${message}.`,
    ...(advice && { hint: advice }),
  }
}

// The library reads the `-1` in `a -1` as a number, so all numbers but indexes and slices become literals.
const PATTERNS = {
  space: /[ \t\r\n]+/y,
  index: /\[\s*(?:-?\d+\s*)?(?::\s*(?:-?\d+\s*)?){0,2}(?:\]|$)/y,
  name: /[A-Za-z_](?:[\w-]*\w)?/y,
  number: /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y,
  quoted: /"(?:[^"\\]|\\.)*"/sy,
  text: /'(?:[^'\\]|\\.)*'/sy,
  json: /`(?:[^`\\]|\\.)*`/sy,
  sign: /==|!=|<=|>=|&&|\|\||\/\/|\[\?|[()*,.:@\]{}+%?\u2212\u00d7\u00f7$![<>=&|/-]/y,
}
const WORDS = new Set(['true', 'false', 'null'])
const COMPARATORS = new Set(['==', '!=', '<', '<=', '>', '>='])
/** The start of a call, up to the text, or a text in the list, that `contains` and the like look for. */
const PART =
  /\b(?:contains\s*\(\s*\[(?:\s*(?:"[^"]*"|'[^']*')\s*,)*\s*|(?:contains|(?:starts|ends)_with)\s*\((?:[^()]|\([^()]*\))*,\s*)$/

/**
 * Splits an expression into tokens for the library. Extensions: bare numbers, `true`, `false` and `null` are
 * literals; names after `headers.` and `cookies.` may have hyphens. Whatever JMESPath would silently read in
 * another way than authors mean it (`=`, text in double quotes, hyphens in names) is an error.
 */
export function scanPath(source: string): ScannedPath | PathError {
  const scanned: ScannedPath = { pieces: [], literals: [] }
  for (let at = 0; at < source.length;) {
    const token = matchToken(source, at)
    if ('message' in token) return token
    const piece = token.kind === 'space' ? token : readToken(token, source, scanned)
    if ('message' in piece) return piece
    if (token.kind !== 'space') scanned.pieces.push(piece)
    at = piece.end
  }
  return scanned
}

type Token = PathPiece & { kind: keyof typeof PATTERNS }

function matchToken(source: string, start: number): Token | PathError {
  for (const [kind, pattern] of Object.entries(PATTERNS)) {
    pattern.lastIndex = start
    const text = pattern.exec(source)?.[0]
    if (text) return { kind: kind as Token['kind'], text, start, end: start + text.length }
  }
  const character = String.fromCodePoint(source.codePointAt(start) as number)
  const isOpen = `"'\``.includes(character)
  const message = isOpen ? `the ${character} is never closed` : `unexpected character \`${character}\``
  return { offset: start, message, hint: isOpen ? `Add the closing ${character}.` : 'Quote the name: "…".' }
}

function readToken(token: Token, source: string, { pieces, literals }: ScannedPath): PathPiece | PathError {
  const { kind, text, start, end } = token
  const before = pieces.at(-1)?.text ?? ''
  const after = /\S?/.exec(source.slice(end).trimStart())?.[0] as string
  const literal = (value: Json): PathPiece => ({ text: `\`${literals.push(value) - 1}\``, start, end })
  const refuse = (message: string, hint: string): PathError => ({ offset: start, message, hint })
  if ((text === '{' && after === '{') || (text.includes('{{') && text.includes('}}')))
    return refuse(
      '`{{…}}` is not filled in inside a path',
      'Write it in JavaScript, as `{{js: …}}` or a `custom` check. In a condition, write `variables.name`; in a filter of a condition, `$.variables.name`.',
    )
  if (kind === 'text') return literal(text.slice(1, -1).replaceAll(/\\(['\\])/g, '$1'))
  if (kind === 'number' || kind === 'json') {
    if (kind === 'number' && before === '[' && pieces.at(-2)?.text === '.')
      return refuse(`${text} is not an index here`, 'Write each index in brackets: `list.[[0], [1]]`.')
    const inner = text.replaceAll(/^`|`$/g, '')
    const value = tryTo(() => parseJson(inner.replaceAll('\\`', '`')))
    if (value !== undefined) return literal(value)
    return refuse(`${text} is not a JSON value`, `Write text in single quotes: '${inner}'.`)
  }
  if (kind === 'quoted') {
    if (tryTo(() => parseJson(text)) === undefined)
      return { offset: start, message: `${text} is not a JSON string` }
    const isText = COMPARATORS.has(before) || PART.test(source.slice(0, start))
    if (!isText || after === '.' || after === '[') return token
    return refuse(
      `${text} in double quotes is the name of a field`,
      `Write text in single quotes: '${text.slice(1, -1)}'. For the field, write \`@.${text}\`.`,
    )
  }
  if (text === '=') return refuse('a single `=` does not compare', 'Write `==`.')
  if (kind !== 'name') return token
  if (text.includes('-')) return readHyphenated(token, pieces)
  const isKey = after === ':' && (before === '{' || before === ',')
  return WORDS.has(text) && before !== '.' && after !== '(' && !isKey ? literal(JSON.parse(text)) : token
}

/** Reads a name with hyphens: allowed after `headers.` and `cookies.`; elsewhere `a-b` is a subtraction. */
function readHyphenated({ text, start, end }: Token, pieces: readonly PathPiece[]): PathPiece | PathError {
  if (pieces.at(-1)?.text === '.' && /^(?:headers?|cookies?)$/.test(pieces.at(-2)?.text ?? ''))
    return { text: JSON.stringify(text), start, end }
  const [first = '', second = ''] = text.split('-')
  if (pathRoots.includes(second) || /^\d/.test(second))
    return { text: first, start, end: start + first.length }
  return {
    offset: start,
    message: `\`${text}\` is a subtraction here`,
    hint: `Write "${text}" in double quotes for a field with this name, or put spaces around the minus.`,
  }
}
