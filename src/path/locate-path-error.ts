import { compile } from '@jmespath-community/jmespath'
import type { PathPiece } from './rewrite-path.ts'
import type { PathError } from './scan-path.ts'

/** The text of an expression as the library reads it. */
export function joinPieces(pieces: readonly PathPiece[]): string {
  return pieces.map(({ text }) => text).join(' ')
}

/**
 * Finds the wrong token of an expression: the library's errors have no place. A start of the expression that ends before
 * that token is whole or ends too early; one that has it is wrong: so the token is found by halving.
 */
export function locatePathError(source: string, pieces: readonly PathPiece[], error: Error): PathError {
  if (endsEarly(error.message))
    return { offset: source.trimEnd().length, message: 'it ends too early', ...hintEnd(error.message) }
  let [low, high] = [0, pieces.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    const message = findSyntaxError(joinPieces(pieces.slice(0, middle + 1)))
    if (message === undefined || endsEarly(message)) low = middle + 1
    else high = middle
  }
  // Pieces of ours have no text.
  while (low < pieces.length - 1 && readText(source, pieces, low) === '') low += 1
  const piece = pieces[low] as PathPiece
  const text = readText(source, pieces, low)
  if (text === '') return { offset: source.trimEnd().length, message: 'it ends too early' }
  const word = Object.hasOwn(WORDS, text.toLowerCase()) ? WORDS[text.toLowerCase()] : undefined
  const before = pieces[low - 1]?.text
  const isField = before === '[' && /^["'A-Za-z_]/.test(text)
  const meant =
    before === '.' && /^\d+$/.test(text) ? `items[${text}]` : isField ? `.${text.replaceAll("'", '"')}` : word
  return {
    offset: piece.start,
    message: `\`${text}\` cannot stand here`,
    ...(meant !== undefined && { hint: `Write \`${meant}\`.` }),
  }
}

function readText(source: string, pieces: readonly PathPiece[], index: number): string {
  return source.slice(pieces[index]?.start, pieces[index + 1]?.start).trim()
}

function endsEarly(message: string): boolean {
  return /\bEOF\b/.test(message)
}

const WORDS: Readonly<Record<string, string>> = { and: '&&', or: '||', not: '!' }
const CLOSING: Readonly<Record<string, string>> = { Rbracket: ']', Rparen: ')', Rbrace: '}' }

function hintEnd(message: string): { hint?: string } {
  const closing = CLOSING[/expected (\w+), got/.exec(message)?.[1] ?? '']
  return closing === undefined ? {} : { hint: `Add the closing \`${closing}\`.` }
}

function findSyntaxError(text: string): string | undefined {
  try {
    compile(text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
