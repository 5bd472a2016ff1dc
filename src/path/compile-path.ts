import { compile } from '@jmespath-community/jmespath'
import { messageOf } from '../errors.ts'
import { mapLeaves, type Json } from '../json.ts'
import { rememberTexts } from '../remember.ts'
import { didYouMean } from '../text/suggest.ts'
import { functionNames, readArity } from './interpreter.ts'
import { listChildren, listRootPaths, readSegments, type PathNode } from './path-node.ts'
import { DIGITS, rewritePath, type PathPiece } from './rewrite-path.ts'
import { scanPath, type PathError } from './scan-path.ts'

/** A JMESPath expression ready to be evaluated. */
export type CompiledPath = {
  source: string
  node: PathNode
  /** The segments, when the expression is a plain path such as `body.items[0].id`. */
  segments?: readonly (string | number)[]
  /** The plain paths in it that start at the response, for messages. */
  rootPaths: readonly (string | number)[][]
}

const MAX_LENGTH = 10_000

/** Compiles a JMESPath expression (community specification, with the liberties of `rewritePath`), once per text. */
export const compilePath = rememberTexts(2000, (source): CompiledPath | PathError => {
  if (source.trim() === '') return { offset: 0, message: 'it is empty' }
  if (source.length > MAX_LENGTH) return { offset: 0, message: `it is longer than ${MAX_LENGTH} characters` }
  const tokens = scanPath(source)
  if ('message' in tokens) return tokens
  const pieces = rewritePath(source, tokens)
  if ('message' in pieces) return pieces
  try {
    const node = compile(joinPieces(pieces))
    const error = prepareNode(node, { isArgument: false, isRoot: true })
    if (error)
      return { offset: tokens.find(({ text }) => text === error.name)?.start ?? 0, message: error.message }
    const segments = readSegments(node)
    return { source, node, ...(segments && { segments }), rootPaths: listRootPaths(node) }
  } catch (error) {
    return error instanceof RangeError
      ? { offset: 0, message: 'it nests too deeply' }
      : locatePathError(source, pieces, error as Error)
  }
})

/** Makes a node and those in it what the interpreter shall see; says what is wrong with one. `isRoot`: it is evaluated on the response itself. */
function prepareNode(
  node: PathNode,
  { isArgument, isRoot }: { isArgument: boolean; isRoot: boolean },
): { name: string; message: string } | undefined {
  if (node.type === 'Function') {
    const message = checkCall(node.name, node.children.length)
    if (message) return { name: node.name, message }
  } else if (node.type === 'ExpressionReference' && !isArgument)
    return { name: '&', message: '`&` is only allowed before an argument of a function' }
  else if (node.type === 'Literal') Object.assign(node, { value: readDigits(node.value) })
  else if (node.type === 'Subexpression' && isRoot) {
    const left = readSegments(node.left)?.join('.')
    // The context has header names in lower case.
    if (left === 'headers' || left === 'request.headers') lowerFirst(node.right)
  }
  for (const child of listChildren(node)) {
    const place = { isArgument: node.type === 'Function', isRoot: isRoot && child.sameScope }
    const mistake = prepareNode(child.node, place)
    if (mistake) return mistake
  }
  return undefined
}

/** A literal with the integers that a double cannot hold. */
function readDigits(value: Json): Json {
  return mapLeaves(value, (leaf) =>
    typeof leaf === 'string' && leaf.startsWith(DIGITS) ? BigInt(leaf.slice(DIGITS.length)) : leaf,
  )
}

const OTHER_NAMES = { count: 'length', len: 'length', size: 'length' }

function checkCall(name: string, count: number): string | undefined {
  const arity = readArity(name)
  if (arity === undefined)
    return `there is no function \`${name}()\`${didYouMean(name, functionNames, OTHER_NAMES)}`
  const { least, most } = arity
  if (count >= least && count <= most) return undefined
  const wanted =
    most === least ? String(least) : most === Infinity ? `at least ${least}` : `${least} to ${most}`
  return `\`${name}()\` takes ${wanted} argument${/\b1$/.test(wanted) ? '' : 's'}, got ${count}`
}

function lowerFirst(node: PathNode): void {
  if (node.type === 'Field') (node as { name: string }).name = node.name.toLowerCase()
  else if ('left' in node) lowerFirst(node.left)
}

/** The text of an expression as the library reads it. */
function joinPieces(pieces: readonly PathPiece[]): string {
  return pieces.map(({ text }) => text).join(' ')
}

/**
 * Finds the wrong token of an expression: the library's errors have no place. A start of the expression that ends before
 * that token is whole or ends too early; one that has it is wrong: so the token is found by halving.
 */
function locatePathError(source: string, pieces: readonly PathPiece[], error: Error): PathError {
  if (endsEarly(error.message)) return { offset: source.trimEnd().length, message: 'it ends too early' }
  let [low, high] = [0, pieces.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    const message = messageOf(() => compile(joinPieces(pieces.slice(0, middle + 1))))
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
    message: `\`${text}\` is not allowed here`,
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
