import { compile } from '@jmespath-community/jmespath'
import { messageOf, type ProblemText } from '../errors.ts'
import type { Json } from '../json.ts'
import { rememberTexts } from '../remember.ts'
import { captureRoots, findUnknownRoot, pathRoots, type ExchangeKind } from './exchange-fields.ts'
import { explainBadCall } from './interpreter.ts'
import { isChain, listPathChildren, listRootPaths, readSegments, type PathNode } from './path-node.ts'
import { describePathError, scanPath, type PathError, type PathPiece } from './scan-path.ts'

/** A JMESPath expression ready to be evaluated. */
export type CompiledPath = {
  source: string
  node: PathNode
  /** The keys and indexes, if the expression is a plain path such as `body.items[0].id`. */
  segments: readonly (string | number)[] | undefined
  /** The plain paths in it that start at the response; used in messages. */
  rootPaths: readonly (string | number)[][]
}

const MAX_LENGTH = 10_000

/** Compiles JMESPath (community edition without `let`, plus the extensions of `scanPath`). Caches by text. */
export const compilePath = rememberTexts(2000, (source): CompiledPath | PathError => {
  if (source.trim() === '') return { offset: 0, message: 'it is empty' }
  if (source.length > MAX_LENGTH) return { offset: 0, message: `it is longer than ${MAX_LENGTH} characters` }
  const scanned = scanPath(source)
  if ('message' in scanned) return scanned
  const { pieces, literals } = scanned
  try {
    const node = compilePieces(pieces)
    const wrong = prepareNode(node, { literals, isRoot: true, isArgument: false })
    if (wrong)
      return { offset: pieces.find(({ text }) => text === wrong.name)?.start ?? 0, message: wrong.message }
    return { source, node, segments: readSegments(node), rootPaths: listRootPaths(node) }
  } catch (error) {
    return error instanceof RangeError
      ? { offset: 0, message: 'it nests too deeply' }
      : locateError(source, pieces)
  }
})

/** Explains why a path does not parse or, as a `doubt`, that it reads something that no response has. */
export function explainBadPath(
  source: string,
  what: 'expression' | 'condition',
  kind: ExchangeKind | undefined,
): ProblemText | undefined {
  const compiled = compilePath(source)
  if ('message' in compiled) return describePathError(source, what, compiled)
  const unknown = findUnknownRoot(compiled, what === 'condition' ? pathRoots : captureRoots, kind)
  return unknown && { code: 'bad-path', severity: 'doubt', ...unknown }
}

function compilePieces(pieces: readonly PathPiece[]): PathNode {
  return compile(pieces.map(({ text }) => text).join(' '))
}

type Within = { literals: readonly Json[]; isArgument: boolean; isRoot: boolean }

/** Adapts a node and its children; returns the first problem. `isRoot`: its value is the response itself. */
function prepareNode(node: PathNode, place: Within): { name: string; message: string } | undefined {
  negateWhole(node)
  if (node.type === 'Function') {
    const message = explainBadCall(node)
    if (message) return { name: node.name, message }
  }
  if (node.type === 'ExpressionReference' && !place.isArgument)
    return { name: '&', message: '`&` is only allowed before an argument of a function' }
  if (node.type === 'Literal') Object.assign(node, { value: place.literals[node.value as number] })
  if (node.type === 'Subexpression' && place.isRoot) {
    const left = readSegments(node.left)?.join('.')
    // Responses store header names in lower case.
    if (left === 'headers' || left === 'request.headers') lowerFirst(node.right)
  }
  for (const child of listPathChildren(node)) {
    const isRoot = place.isRoot && child.sameScope
    const wrong = prepareNode(child.node, { ...place, isArgument: node.type === 'Function', isRoot })
    if (wrong) return wrong
  }
  return undefined
}

/** Applies `!` to a whole path: the library reads `!a.b` as `(!a).b`, which is always null. */
function negateWhole(node: PathNode): void {
  const key = node.type === 'Flatten' ? 'child' : isChain(node) && node.type !== 'Pipe' ? 'left' : undefined
  if (key === undefined) return
  const left = Reflect.get(node, key) as PathNode
  negateWhole(left)
  if (left.type !== 'NotExpression') return
  const child = { ...node, [key]: left.child } as PathNode
  negateWhole(child)
  for (const name of Object.keys(node)) Reflect.deleteProperty(node, name)
  Object.assign(node, { type: 'NotExpression', child })
}

function lowerFirst(node: PathNode): void {
  if (node.type === 'Field') Object.assign(node, { name: node.name.toLowerCase() })
  else if ('left' in node) lowerFirst(node.left)
}

/** What to write instead of an operator in words. */
const OPERATORS: readonly (readonly [words: RegExp, operator: string])[] = [
  [/^(?:eq|is|equals?)$/i, '=='],
  [/^(?:ne|neq)$/i, '!='],
  [/^(?:in|contains?|includes?|has)$/i, 'contains(list, value)'],
  [/^starts?_?with$/i, 'starts_with(text, part)'],
  [/^ends?_?with$/i, 'ends_with(text, part)'],
]

/** Finds the wrong token by bisection, because the library's errors have no position. */
function locateError(source: string, pieces: readonly PathPiece[]): PathError {
  let [low, high] = [0, pieces.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const message = messageOf(() => compilePieces(pieces.slice(0, middle + 1)))
    if (message === undefined || /\bEOF\b/.test(message)) low = middle + 1
    else high = middle
  }
  const piece = pieces[low]
  if (piece === undefined) return { offset: source.trimEnd().length, message: 'it ends too early' }
  const text = source.slice(piece.start, piece.end)
  const before = pieces[low - 1]?.text ?? ''
  const isIndex = before === '.' && /^\d+$/.test(text)
  const isWord = [text, before].some((word) => /^(?:and|or|not)$/i.test(word))
  const operator = OPERATORS.find(([words]) => words.test(text))?.[1]
  return {
    offset: piece.start,
    message: `\`${text}\` is not allowed here`,
    ...(before === '[' &&
      /^["']/.test(text) && { hint: `Write \`."${text.slice(1, -1)}"\`, without brackets.` }),
    ...(isIndex && { hint: `Write \`items[${text}]\`.` }),
    ...(operator && { hint: `Write \`${operator}\`.` }),
    ...(isWord && { hint: 'Join conditions with `&&` or `||`, and negate one with `!`.' }),
  }
}
