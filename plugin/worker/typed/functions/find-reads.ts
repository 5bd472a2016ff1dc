import { TemplateError } from '../../../../src/interpolation/errors.ts'
import { findFreeNames, type FreeName } from '../../../../src/interpolation/syntax/free-names.ts'
import { parseJavaScript, type SyntaxNode } from '../../../../src/interpolation/syntax/javascript.ts'
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
  if (!node) return undefined
  const reads: FunctionReads = { variables: [], body: false }
  const free = findFreeNames(node['body'] as SyntaxNode)
  if (free.some(({ name }) => name === 'arguments')) return undefined
  if (!parameter) return reads
  const isKnown = parameter.type === 'ObjectPattern' ? readPattern : readIdentifier
  return isKnown(parameter, free, reads) ? reads : undefined
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

type Reader = (parameter: SyntaxNode, free: readonly FreeName[], reads: FunctionReads) => boolean

/** `(values) => values.variables.token` */
const readIdentifier: Reader = (parameter, free, reads) =>
  parameter.type === 'Identifier' &&
  free.every(({ name, path }) => {
    if (name !== parameter['name']) return true
    if (path[0] === 'body') reads.body = true
    return path.length > 0 && (path[0] !== 'variables' || addRead(reads, path.slice(1)))
  })

/** `({ variables, body }) => variables.token` */
const readPattern: Reader = (pattern, free, reads) =>
  (pattern['properties'] as SyntaxNode[]).every((property) => {
    if (property.type !== 'Property' || property['computed']) return false
    const key = readKey(property)
    if (key === 'body') reads.body = true
    return key !== 'variables' || readVariables(property['value'] as SyntaxNode, free, reads)
  })

const readVariables: Reader = (pattern, free, reads) => {
  if (pattern.type === 'ObjectPattern')
    return (pattern['properties'] as SyntaxNode[]).every(
      (property) =>
        property.type === 'Property' && !property['computed'] && addRead(reads, [readKey(property)]),
    )
  return (
    pattern.type === 'Identifier' &&
    free.every(({ name, path }) => name !== pattern['name'] || addRead(reads, path))
  )
}

function readKey(property: SyntaxNode): string {
  const key = property['key'] as SyntaxNode
  return String(key['name'] ?? key['value'])
}

function addRead(reads: FunctionReads, path: readonly (string | number)[]): boolean {
  if (path.length > 0) reads.variables.push(path.slice(0, 2).map(String))
  return path.length > 0
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
  return `["${text}"]`
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
