import type { Json, JsonObject } from '../json.ts'
import { InterpolationError, TemplateError } from './errors.ts'
import { maxDepth } from './expressions/measure.ts'
import { hasTemplate, parseTemplate, type Template } from './template.ts'

type Path = readonly (string | number)[]

/** Where the templates of a value are, so that a value is searched and parsed once. */
export type CompiledValue =
  | { kind: 'text'; template: Template; path: Path }
  | {
      kind: 'container'
      source: Json[] | JsonObject
      holes: readonly (readonly [key: string, CompiledValue])[]
    }

const compiled = new WeakMap<object, CompiledValue | 'plain'>()

/**
 * Finds the templates in a value; `undefined` when there are none. Lists and objects are remembered by identity, so they
 * must not change. Keys are not templates. Throws an `InterpolationError` for a bad template.
 */
export function compileValue(value: Json): CompiledValue | undefined {
  if (typeof value !== 'object' || value === null) return compileNode(value, [])
  const known = compiled.get(value)
  if (known !== undefined) return known === 'plain' ? undefined : known
  const result = compileNode(value, [])
  if (result) compiled.set(value, result)
  return result
}

function compileNode(value: Json, path: Path): CompiledValue | undefined {
  if (typeof value === 'string') return hasTemplate(value) ? compileText(value, path) : undefined
  if (typeof value !== 'object' || value === null || compiled.get(value) === 'plain') return undefined
  if (path.length >= maxDepth) {
    const message = `Expected at most ${maxDepth} levels of nesting, got more (or a value that contains itself)`
    throw new InterpolationError('limit', message, { expression: '', path: path.slice(0, 20), offset: 0 })
  }
  const holes: [string, CompiledValue][] = []
  for (const [key, item] of Object.entries(value)) {
    // Most of a request is constant: no path is made for it.
    if (typeof item === 'string' ? !hasTemplate(item) : typeof item !== 'object' || item === null) continue
    const node = compileNode(item, [...path, Array.isArray(value) ? Number(key) : key])
    if (node) holes.push([key, node])
  }
  if (holes.length > 0) return { kind: 'container', source: value, holes }
  // Without templates the place does not matter: data shared by many places is searched once.
  compiled.set(value, 'plain')
  return undefined
}

function compileText(text: string, path: Path): CompiledValue {
  try {
    return { kind: 'text', template: parseTemplate(text), path }
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    const expression = text.slice(error.offset, error.offset + 80)
    const place = { expression, path, offset: error.offset }
    throw new InterpolationError('template', `${error.message}. ${error.hint}`, place)
  }
}
