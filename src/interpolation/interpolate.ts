import { stringifyJson, type Json, type JsonObject } from '../json.ts'
import { compileValue, type CompiledValue } from './compile-value.ts'
import { InterpolationError } from './errors.ts'
import { maxDepth, measureJson } from './expressions/measure.ts'
import { resolvePart } from './resolve-part.ts'
import type { Scope } from './variables/scope.ts'
import { suggestReference } from './suggest-reference.ts'
import type { DynamicPart, Template } from './template.ts'

/** A `{{…}}` that names nothing and was left as written. */
export type Unresolved = {
  /** What is between the braces. */
  expression: string
  /** Where its string is in the value. */
  path: readonly (string | number)[]
  /** UTF-16 offset of the `{{` in that string. */
  offset: number
  /** The known name most like it. */
  nearest?: string | undefined
}

/** A value with its templates filled in, and those that could not be. */
export type Interpolated = { value: Json; unresolved: readonly Unresolved[] }

const defaultMaxLength = 10_000_000
const none: readonly Unresolved[] = []

type Run = { scope: Scope; unresolved: Unresolved[] | undefined; length: number; limit: number }
type Path = readonly (string | number)[]

/**
 * Fills in the templates of a value, deep, in one pass: what is inserted is never looked at again. A string that is one
 * `{{…}}` and nothing else takes the value's type; within a text, objects become JSON and null becomes empty. Keys stay.
 * Gives the same value back when it holds no template. Throws an `InterpolationError` when an expression fails or the
 * result is beyond `maxLength`.
 */
export function interpolate(value: Json, scope: Scope): Interpolated {
  const compiled = compileValue(value)
  if (!compiled) return { value, unresolved: none }
  const run: Run = { scope, unresolved: undefined, length: 0, limit: scope.maxLength ?? defaultMaxLength }
  return { value: render(compiled, run), unresolved: run.unresolved ?? none }
}

function render(node: CompiledValue, run: Run): Json {
  if (node.kind === 'text') return renderText(node.template, node.path, run)
  // The spread copies an own `__proto__` as an own property, so the assignment below meets it and not the setter.
  const copy = Array.isArray(node.source) ? [...node.source] : { ...node.source }
  for (const [key, hole] of node.holes) (copy as JsonObject)[key] = render(hole, run)
  return copy
}

function renderText(template: Template, path: Path, run: Run): Json {
  const { parts, text } = template
  const [only] = parts
  if (only && parts.length === 1 && only.kind !== 'literal') {
    const value = resolvePart(only, run.scope, path)
    if (value === undefined) {
      leave(only, path, run)
      return text
    }
    count(value, only, { run, path })
    return value
  }
  let result = ''
  for (const part of parts) {
    if (part.kind === 'literal') {
      result += part.text
      run.length += part.text.length
      continue
    }
    const value = resolvePart(part, run.scope, path)
    if (value === undefined) {
      leave(part, path, run)
      result += text.slice(part.range[0], part.range[1])
    } else {
      const inserted = insertText(value, part, { run, path })
      result += run.scope.embed ? run.scope.embed(inserted, result) : inserted
    }
  }
  return result
}

/** A value within a text. Objects are measured before they are written: what is too deep would overflow the stack. */
function insertText(value: Json, part: DynamicPart, at: { run: Run; path: Path }): string {
  if (value === null) return ''
  if (typeof value === 'object') count(value, part, at)
  const text = typeof value === 'object' ? stringifyJson(value) : String(value)
  count(text, part, at)
  return text
}

/** Adds what is inserted to the length so far and stops at the limit. */
function count(value: Json, part: DynamicPart, { run, path }: { run: Run; path: Path }): void {
  const place = { expression: part.source, path, offset: part.range[0] }
  if (typeof value === 'string') run.length += value.length
  else if (typeof value !== 'object' || value === null) return
  else {
    const { size, depth } = measureJson(value, run.limit - run.length)
    run.length += size
    if (depth > maxDepth) {
      const message = `The value of \`${part.source}\` is nested deeper than ${maxDepth} levels`
      throw new InterpolationError('limit', message, place)
    }
  }
  if (run.length <= run.limit) return
  const message = `Inserting \`${part.source}\` makes the result longer than ${run.limit} characters (option \`limits.interpolation\`)`
  throw new InterpolationError('limit', message, place)
}

function leave(part: DynamicPart, path: Path, run: Run): void {
  const nearest = suggestReference(part, run.scope)
  run.unresolved ??= []
  run.unresolved.push({ expression: part.source, path, offset: part.range[0], nearest })
}
