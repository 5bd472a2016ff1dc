import type { Json, JsonObject } from '../json.ts'
import { InterpolationError, TemplateError } from './errors.ts'
import { maxDepth } from './measure.ts'
import { hasTemplate, parseTemplate } from './template.ts'
import type { Template } from './template.ts'

type Path = readonly (string | number)[]

/** Where the templates of a value are, so that a value is searched and parsed once. */
export type CompiledValue =
  | { kind: 'text'; template: Template; path: Path }
  | { kind: 'list'; source: Json[]; holes: readonly (readonly [index: number, CompiledValue])[] }
  | { kind: 'object'; source: JsonObject; holes: readonly (readonly [key: string, CompiledValue])[] }

type Compiled = WeakMap<object, CompiledValue | 'plain'>

const compiled: { plain: Compiled; compat: Compiled } = { plain: new WeakMap(), compat: new WeakMap() }

/**
 * Finds the templates in a value; `undefined` when there are none. Lists and objects are remembered by identity, so they
 * must not change. Keys are not templates. Throws an `InterpolationError` for a bad template.
 */
export function compileValue(value: Json, compat: boolean): CompiledValue | undefined {
  const mode = { compat, known: compat ? compiled.compat : compiled.plain }
  if (typeof value !== 'object' || value === null) return compileNode(value, [], mode)
  const known = mode.known.get(value)
  if (known !== undefined) return known === 'plain' ? undefined : known
  const result = compileNode(value, [], mode)
  if (result) mode.known.set(value, result)
  return result
}

type Mode = { compat: boolean; known: Compiled }

function compileNode(value: Json, path: Path, mode: Mode): CompiledValue | undefined {
  if (typeof value === 'string') return hasTemplate(value) ? compileText(value, path, mode.compat) : undefined
  if (typeof value !== 'object' || value === null || mode.known.get(value) === 'plain') return undefined
  if (path.length >= maxDepth) {
    const message = `Expected at most ${maxDepth} levels of nesting, got more (or a value that contains itself)`
    throw new InterpolationError('limit', message, { expression: '', path: path.slice(0, 20), offset: 0 })
  }
  const node = Array.isArray(value) ? compileList(value, path, mode) : compileObject(value, path, mode)
  // Without templates the place does not matter: data shared by many places is searched once.
  if (node.holes.length === 0) mode.known.set(value, 'plain')
  return node.holes.length === 0 ? undefined : node
}

function compileList(source: Json[], path: Path, mode: Mode): Extract<CompiledValue, { kind: 'list' }> {
  const nodes = source.map(
    (item, index) =>
      [index, isConstant(item) ? undefined : compileNode(item, [...path, index], mode)] as const,
  )
  return { kind: 'list', source, holes: keepHoles(nodes) }
}

function compileObject(
  source: JsonObject,
  path: Path,
  mode: Mode,
): Extract<CompiledValue, { kind: 'object' }> {
  const nodes = Object.entries(source).map(
    ([key, item]) => [key, isConstant(item) ? undefined : compileNode(item, [...path, key], mode)] as const,
  )
  return { kind: 'object', source, holes: keepHoles(nodes) }
}

/** Most of a request: no path is made for it. */
function isConstant(value: Json): boolean {
  return typeof value === 'string' ? !hasTemplate(value) : typeof value !== 'object' || value === null
}

function keepHoles<Key>(
  entries: readonly (readonly [Key, CompiledValue | undefined])[],
): [Key, CompiledValue][] {
  return entries.flatMap(([key, node]) => (node ? [[key, node] satisfies [Key, CompiledValue]] : []))
}

function compileText(text: string, path: Path, compat: boolean): CompiledValue {
  try {
    return { kind: 'text', template: parseTemplate(text, { compat }), path }
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    const expression = text.slice(error.offset, error.offset + 80)
    throw new InterpolationError('template', `${error.message}. ${error.hint}`, {
      expression,
      path,
      offset: error.offset,
    })
  }
}
