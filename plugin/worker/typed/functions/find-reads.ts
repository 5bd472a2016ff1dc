import { TemplateError } from '../../../../src/interpolation/errors.ts'
import { findFreeNames } from '../../../../src/interpolation/syntax/free-names.ts'
import { parseJavaScript, type SyntaxNode } from '../../../../src/interpolation/syntax/javascript.ts'
import { nameMember } from '../../../contract/parse-module.ts'
import type { LiftedFunction } from './lift-functions.ts'
import { isJsonObject } from '../../../../src/json.ts'
import type { ValuePath } from '../../../../src/suite/source-tree.ts'

/** What a function reads of its argument: `variables` by path, and whether it looks at the body. */
export type FunctionReads = { variables: string[][]; body: boolean }

/**
 * Finds what a function reads, from its text: which steps it needs and which suites. Undefined when the text does not
 * tell, such as when all of `variables` is handed on.
 */
export function findReads(call: LiftedFunction['call']): FunctionReads | undefined {
  const node = parseFunction(Function.prototype.toString.call(call))
  const [parameter] = (node?.['params'] ?? []) as SyntaxNode[]
  const taken = parameter ? listTaken(parameter) : []
  const free = node && findFreeNames(node['body'] as SyntaxNode)
  if (!taken || !free || free.some(({ name }) => name === 'arguments')) return undefined
  const read = taken.flatMap(({ name, path }) => {
    if (name === undefined) return [path]
    return free.filter((one) => one.name === name).map((one) => path.concat(one.path.map(String)))
  })
  const variables = read.filter(([root]) => root === 'variables').map((path) => path.slice(1, 3))
  if ([...read, ...variables].some((path) => path.length === 0)) return undefined
  return { variables, body: read.some(([root]) => root === 'body') }
}

/** A method has no `function` before its name: it is read as part of an object. */
function parseFunction(text: string): SyntaxNode | undefined {
  for (const source of [`(${text})`, `({${text}})`]) {
    const node = parse(source)?.['expression'] as SyntaxNode | undefined
    if (node && /Function/.test(node.type)) return node
    const [property] = (node?.['properties'] ?? []) as SyntaxNode[]
    const value = property?.['value'] as SyntaxNode | undefined
    if (value && /Function/.test(value.type)) return value
  }
  return undefined
}

function parse(source: string): SyntaxNode | undefined {
  try {
    return parseJavaScript(source).node
  } catch (error) {
    if (error instanceof TemplateError) return undefined
    throw error
  }
}

/** A part of the values that a function is given, and the name it has in the function where what is read of it is still open. */
type Taken = { name?: string; path: string[] }

/** What a parameter takes of the values: `values`, `{ variables, body }`, `{ variables: { token } }`. */
function listTaken(pattern: SyntaxNode, path: string[] = []): Taken[] | undefined {
  if (pattern.type === 'Identifier') return [{ name: pattern['name'] as string, path }]
  if (pattern.type !== 'ObjectPattern') return undefined
  const taken: Taken[] = []
  for (const property of pattern['properties'] as SyntaxNode[]) {
    const name = nameMember(property)
    if (name === undefined) return undefined
    const own = [...path, name]
    const inner =
      own.join('.') === 'variables' ? listTaken(property['value'] as SyntaxNode, own) : [{ path: own }]
    if (!inner) return undefined
    taken.push(...inner)
  }
  return taken
}

const LISTS = ['setup', 'steps', 'teardown']

/** What a function reads, as expressions: where its text does not tell, everything that earlier steps give. */
export function listReads(call: LiftedFunction['call'], path: ValuePath, definition: unknown): string[] {
  const reads = findReads(call)
  if (!reads)
    return [...new Set(listGiven(definition, path)).values().map((name) => writeRead([name])), 'body']
  const names = [...new Set(reads.variables.map(writeRead))]
  return reads.body ? [...names, 'body'] : names
}

/** `variables.auth.token`; a name that is not an identifier is written so that no character of it means anything. */
function writeRead(names: readonly string[]): string {
  return `variables${names.map(writeMember).join('')}`
}

function writeMember(name: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name)) return `.${name}`
  const text = name.replaceAll(/[^\w-]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `['${text}']`
}

/** Names that the steps before the one of a function capture or set. */
function listGiven(definition: unknown, [list, index]: ValuePath): string[] {
  if (!isJsonObject(definition) || typeof index !== 'number') return []
  const earlier = LISTS.slice(0, LISTS.indexOf(String(list)) + 1).flatMap((name) => {
    const steps: unknown = definition[name]
    if (!Array.isArray(steps)) return []
    return (name === list ? steps.slice(0, index) : steps) as unknown[]
  })
  return earlier.flatMap(listNames)
}

function listNames(step: unknown): string[] {
  if (!isJsonObject(step)) return []
  const scenarios: unknown[] = Array.isArray(step['scenarios']) ? step['scenarios'] : []
  const branches = scenarios.flatMap((scenario) =>
    isJsonObject(scenario) ? [scenario['then'], scenario['else']] : [],
  )
  return [step, ...branches].flatMap((part) =>
    isJsonObject(part) ? [part['capture'], part['variables']].flatMap((map) => Object.keys(map ?? {})) : [],
  )
}
