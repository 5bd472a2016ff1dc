import { TemplateError } from '../../../../src/interpolation/errors.ts'
import { findFreeNames } from '../../../../src/interpolation/syntax/free-names.ts'
import { parseJavaScript, type SyntaxNode } from '../../../../src/interpolation/syntax/javascript.ts'
import { nameMember } from '../../../contract/parse-module.ts'
import type { LiftedFunction } from './lift-functions.ts'

/**
 * Finds in the text of a function what it reads of its argument, which tells which steps and suites it needs: `variables`
 * by path and the `body`, as expressions. Undefined when the text does not tell, such as when all of `variables` is handed on.
 */
export function findReads(call: LiftedFunction['call']): string[] | undefined {
  const node = parseFunction(Function.prototype.toString.call(call))
  const [parameter] = (node?.['params'] ?? []) as SyntaxNode[]
  const taken = parameter ? listTaken(parameter) : []
  const free = node && findFreeNames(node['body'] as SyntaxNode)
  if (!taken || !free || free.some(({ name }) => name === 'arguments')) return undefined
  const reads = taken.flatMap((part) =>
    free.filter(({ name }) => name === part.name).map(({ path }) => part.path.concat(path.map(String))),
  )
  if (reads.some(([root, name]) => root === undefined || (root === 'variables' && name === undefined)))
    return undefined
  const names = reads.flatMap(([root, ...path]) =>
    root === 'variables' ? [writeRead(path.slice(0, 2))] : root === 'body' ? ['body'] : [],
  )
  return [...new Set(names)]
}

/** A method has no `function` before its name: it is read as part of an object. */
function parseFunction(text: string): SyntaxNode | undefined {
  for (const source of [`(${text})`, `({${text}})`]) {
    const node = parse(source)?.['expression'] as SyntaxNode | undefined
    const [property] = (node?.['properties'] ?? []) as SyntaxNode[]
    const found = (property?.['value'] as SyntaxNode | undefined) ?? node
    if (found && /Function/.test(found.type)) return found
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

/** A part of the values that a function is given, and its name in the function. */
type Taken = { name: string; path: string[] }

/** What a parameter takes of the values: `values`, `{ variables, body }`, `{ variables: { token } }`. */
function listTaken(pattern: SyntaxNode, path: string[] = []): Taken[] | undefined {
  if (pattern.type === 'Identifier') return [{ name: pattern['name'] as string, path }]
  if (pattern.type !== 'ObjectPattern') return undefined
  const parts = (pattern['properties'] as SyntaxNode[]).map((property) => {
    const name = nameMember(property)
    return name === undefined ? undefined : listTaken(property['value'] as SyntaxNode, [...path, name])
  })
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined
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
