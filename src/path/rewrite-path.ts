import { pathRoots } from './exchange-fields.ts'
import type { PathError, PathToken } from './scan-path.ts'

/** A token as the JMESPath library shall read it, with its place in the author's text. */
export type PathPiece = { text: string; start: number }

/** Marks a literal that stands for an integer above 2⁵³. */
export const DIGITS = '\u0000digits:'

const COMPARATORS = new Set(['==', '!=', '<', '<=', '>', '>='])
const WORDS = new Set(['true', 'false', 'null'])

/**
 * Turns what authors write into strict JMESPath: bare numbers and `true`, `false`, `null` are literals, and names after
 * `headers.` and `cookies.` may have hyphens. What would silently mean something else (`=`, a text in double quotes, a hyphen in a
 * name) is an error.
 */
export function rewritePath(source: string, tokens: readonly PathToken[]): PathPiece[] | PathError {
  const pieces: PathPiece[] = []
  const closeAfter: number[] = []
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] as PathToken
    const error = findMistake(tokens, index)
    if (error) return error
    // The library wants the minus of `[-1]` right before the number.
    if (token.text === '-' && tokens[index + 1]?.kind === 'number' && isIndex(tokens, index + 1)) {
      index += 1
      pieces.push({ text: `-${(tokens[index] as PathToken).text}`, start: token.start })
      continue
    }
    const hyphenated = readHyphenated(source, tokens, index)
    if (hyphenated === undefined) pieces.push({ text: writeToken(tokens, index), start: token.start })
    else if ('message' in hyphenated) return hyphenated
    else {
      pieces.push({ text: JSON.stringify(hyphenated.name), start: token.start })
      while ((tokens[index + 1]?.start ?? Infinity) < hyphenated.end) index += 1
    }
    if (token.text === '!' && token.kind === 'sign') {
      pieces.push({ text: '(', start: token.end })
      closeAfter.push(findOperandEnd(tokens, index + 1))
    }
    for (; index >= (closeAfter.at(-1) ?? Infinity); closeAfter.pop())
      pieces.push({ text: ')', start: (tokens[index] as PathToken).end })
  }
  return pieces
}

// The library reads `!a.b` as `(!a).b`, which is always null: the whole path gets parentheses.
function findOperandEnd(tokens: readonly PathToken[], from: number): number {
  let open = 0
  for (let index = from; index < tokens.length; index += 1) {
    const { kind, text } = tokens[index] as PathToken
    if (kind !== 'sign') continue
    if (text === '[' || text === '[?' || text === '{' || text === '(') open += 1
    else if (open > 0) open -= Number(text === ']' || text === '}' || text === ')')
    else if (
      text !== '.' &&
      text !== '[]' &&
      text !== '@' &&
      text !== '$' &&
      text !== '!' &&
      !isStar(tokens, index)
    )
      return index - 1
  }
  return tokens.length - 1
}

function isStar(tokens: readonly PathToken[], index: number): boolean {
  return tokens[index]?.text === '*' && tokens[index - 1]?.text === '.'
}

function writeToken(tokens: readonly PathToken[], index: number): string {
  const token = tokens[index] as PathToken
  const [before, after] = [tokens[index - 1]?.text, tokens[index + 1]?.text]
  if (token.kind === 'quoted') return JSON.stringify(token.text)
  if (token.kind === 'literal') return writeLiteral(JSON.stringify(token.value, markDigits))
  if (token.kind === 'number') return isIndex(tokens, index) ? token.text : writeNumber(token.text)
  const isKey = after === ':' && (before === '{' || before === ',')
  const isWord = token.kind === 'name' && WORDS.has(token.text)
  return isWord && before !== '.' && after !== '(' && !isKey ? writeLiteral(token.text) : token.text
}

function writeNumber(text: string): string {
  const isExact = !/^\d+$/.test(text) || Number.isSafeInteger(Number(text))
  return writeLiteral(isExact ? text : JSON.stringify(DIGITS + text))
}

// The library reads numbers as doubles: digits that one cannot hold go as a text with a mark, see `readDigits`.
function markDigits(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? DIGITS + value : value
}

// The library unescapes only the first backtick of a literal, so none is left in it.
function writeLiteral(json: string): string {
  return `\`${json.replaceAll('`', '\\u0060')}\``
}

// `[0]`, `[-1]` and the parts of `[1:2]` stay numbers.
function isIndex(tokens: readonly PathToken[], index: number): boolean {
  const after = tokens[index + 1]?.text
  if (after !== ']' && after !== ':' && after !== undefined) return false
  let at = index - 1
  while (tokens[at]?.text === ':' || tokens[at]?.text === '-' || tokens[at]?.kind === 'number') at -= 1
  return tokens[at]?.kind === 'sign' && tokens[at]?.text === '['
}

function findMistake(tokens: readonly PathToken[], index: number): PathError | undefined {
  const token = tokens[index] as PathToken
  const [before, after] = [tokens[index - 1], tokens[index + 1]]
  if (token.kind === 'sign' && token.text === '=' && before?.kind !== 'variable')
    return { offset: token.start, message: 'a single `=` compares nothing', hint: 'Write `==`.' }
  if (token.text === '{' && after?.text === '{')
    return {
      offset: token.start,
      message: '`{{…}}` is not filled in inside a path',
      hint: 'Make the whole value one `{{…}}`, or name a variable as `variables.name` in a condition.',
    }
  const isOperand = before?.kind === 'sign' && COMPARATORS.has(before.text)
  if (token.kind === 'quoted' && isOperand && after?.text !== '.' && after?.text !== '[')
    return {
      offset: token.start,
      message: `${JSON.stringify(token.text)} in double quotes is the name of a field`,
      hint: `Write text in single quotes: '${token.text}'.`,
    }
  return undefined
}

/** Reads a name with hyphens after `headers.` or `cookies.`; elsewhere such a name needs quotes, as `a-b` is a subtraction. */
function readHyphenated(
  source: string,
  tokens: readonly PathToken[],
  index: number,
): { name: string; end: number } | PathError | undefined {
  const token = tokens[index] as PathToken
  if (token.kind !== 'name') return undefined
  const name = /[A-Za-z_](?:[\w-]*\w)?/y
  name.lastIndex = token.start
  const whole = (name.exec(source) as RegExpExecArray)[0]
  if (!whole.includes('-')) return undefined
  if (tokens[index - 1]?.text === '.' && /^(?:headers?|cookies?)$/.test(tokens[index - 2]?.text ?? ''))
    return { name: whole, end: token.start + whole.length }
  const [, second = ''] = whole.split('-')
  if (pathRoots.includes(second) || /^\d/.test(second)) return undefined
  return {
    offset: token.start,
    message: `\`${whole}\` is a subtraction here`,
    hint: `Write "${whole}" in double quotes for a field with this name, or put spaces around the minus.`,
  }
}
