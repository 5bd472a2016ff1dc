import { compile } from '@jmespath-community/jmespath'
import { didYouMean } from '../text/suggest.ts'
import { functionNames, readArity } from './interpreter.ts'
import { listChildren, listRootPaths, readSegments, type PathNode } from './path-node.ts'
import { joinPieces, locatePathError } from './locate-path-error.ts'
import { DIGITS, rewritePath } from './rewrite-path.ts'
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
const MAX_CACHED = 2000
const cached = new Map<string, CompiledPath | PathError>()

/** Compiles a JMESPath expression (community specification, with the liberties of `rewritePath`), once per text. */
export function compilePath(source: string): CompiledPath | PathError {
  const known = cached.get(source)
  if (known) return known
  const compiled = compileNew(source)
  if (cached.size >= MAX_CACHED) cached.clear()
  cached.set(source, compiled)
  return compiled
}

function compileNew(source: string): CompiledPath | PathError {
  if (source.trim() === '') return { offset: 0, message: 'it is empty' }
  if (source.length > MAX_LENGTH) return { offset: 0, message: `it is longer than ${MAX_LENGTH} characters` }
  const tokens = scanPath(source)
  if ('message' in tokens) return tokens
  const pieces = rewritePath(source, tokens)
  if ('message' in pieces) return pieces
  try {
    const node = compile(joinPieces(pieces))
    const error = prepareNode(node, { isArgument: false, isRoot: true })
    if (error) return { offset: findName(tokens, error.name), message: error.message }
    const segments = readSegments(node)
    return { source, node, ...(segments && { segments }), rootPaths: listRootPaths(node) }
  } catch (error) {
    return error instanceof RangeError
      ? { offset: 0, message: 'it nests too deeply' }
      : locatePathError(source, pieces, error as Error)
  }
}

function findName(tokens: readonly { text: string; start: number }[], name: string): number {
  return tokens.find(({ text }) => text === name)?.start ?? 0
}

/** Makes a node and those in it what the interpreter shall see; says what is wrong with one. `isRoot`: it is evaluated on the response itself. */
function prepareNode(
  node: PathNode,
  { isArgument, isRoot }: { isArgument: boolean; isRoot: boolean },
): { name: string; message: string } | undefined {
  if (node.type === 'Function') {
    const message = checkCall(node.name, node.children.length)
    if (message) return { name: node.name, message }
  } else if (node.type === 'ExpressionReference' && !isArgument)
    return { name: '&', message: '`&` can only stand before an argument of a function' }
  else if (node.type === 'Literal' && typeof node.value === 'string' && node.value.startsWith(DIGITS))
    Object.assign(node, { value: BigInt(node.value.slice(DIGITS.length)) })
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

function checkCall(name: string, count: number): string | undefined {
  const arity = readArity(name)
  if (arity === undefined) return `there is no function \`${name}()\`${didYouMean(name, functionNames)}`
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
