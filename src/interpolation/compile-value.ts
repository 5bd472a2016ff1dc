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
  if (typeof value !== 'object' || value === null) return compileNode(value, [], compat)
  const cache = compat ? compiled.compat : compiled.plain
  const known = cache.get(value)
  if (known !== undefined) return known === 'plain' ? undefined : known
  const result = compileNode(value, [], compat)
  cache.set(value, result ?? 'plain')
  return result
}

function compileNode(value: Json, path: Path, compat: boolean): CompiledValue | undefined {
  if (typeof value === 'string') return hasTemplate(value) ? compileText(value, path, compat) : undefined
  if (typeof value !== 'object' || value === null) return undefined
  if (path.length >= maxDepth) {
    const message = `Expected at most ${maxDepth} levels of nesting, got more (or a value that contains itself)`
    throw new InterpolationError('limit', message, { expression: '', path: path.slice(0, 20), offset: 0 })
  }
  if (Array.isArray(value)) {
    const holes = keepHoles(
      value.map((item, index) => [index, compileNode(item, [...path, index], compat)] as const),
    )
    return holes.length > 0 ? { kind: 'list', source: value, holes } : undefined
  }
  const entries = Object.entries(value)
  const holes = keepHoles(
    entries.map(([key, item]) => [key, compileNode(item, [...path, key], compat)] as const),
  )
  return holes.length > 0 ? { kind: 'object', source: value, holes } : undefined
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
