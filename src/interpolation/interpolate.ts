import { maxDepth, stringifyJson, type Json, type JsonObject, type ValuePath } from '../json.ts'
import { EngineError, InterpolationError, TemplateError } from './errors.ts'
import { measureJson } from './expressions/measure.ts'
import { findReferences } from './references.ts'
import { evaluateOnce } from './sandbox/wait-for-calls.ts'
import { findGap, lookup, type Scope } from './variables/scope.ts'
import { findUnset } from './find-unset.ts'
import { lowerHeaderKey, lowerHeaderNames } from './header-names.ts'
import { hintReference } from './suggest-reference.ts'
import { hasTemplate, parseTemplate, type DynamicPart, type Template } from './template.ts'
import { cut } from '../text/show-value.ts'
import { defaultLimits } from '../limits.ts'

/** A `{{…}}` that has no value and was left as written. */
export type Unresolved = {
  /** Path to the string in the value. */
  path: ValuePath
  /** UTF-16 offset of the `{{` in that string. */
  offset: number
  /** Says that it has no value, and why or what was meant. */
  message: string
  /** What is missing in the end: if this names a variable without a value, what that variable lacks. */
  cause: string
}

/** A value with its templates filled in, and the templates that have no value. */
export type Interpolated = { value: Json; unresolved: readonly Unresolved[] }

/** `templates` counts strings with templates; `length` is the size so far, `limit` the most (characters). */
type Run = { scope: Scope; unresolved: Unresolved[]; templates: number; length: number; limit: number }

/** Arrays and objects without templates: most are the same in every step, some are used in many places. */
const plain = new WeakSet<object>()

/**
 * Fills in the templates of a value at every depth, but not in keys or in what was inserted. A string that is exactly one
 * `{{…}}` takes the type of its value; within longer text, objects become JSON and null becomes empty. Arrays and objects
 * without templates are remembered, so they must not change. Throws an `InterpolationError`.
 */
export function interpolate(value: Json, scope: Scope): Interpolated {
  const limit = scope.maxLength ?? defaultLimits.interpolation
  const run: Run = { scope, unresolved: [], templates: 0, length: 0, limit }
  return { value: render(value, [], run), unresolved: run.unresolved }
}

function render(value: Json, path: ValuePath, run: Run): Json {
  if (typeof value === 'string') return hasTemplate(value) ? renderText(value, path, run) : value
  if (typeof value !== 'object' || value === null || plain.has(value)) return value
  const before = run.templates
  const isList = Array.isArray(value)
  let copy: Json[] | JsonObject | undefined
  for (const [key, item] of Object.entries(value)) {
    // Most of a request is constant: skipping it saves building its path.
    if (typeof item === 'string' ? !hasTemplate(item) : typeof item !== 'object') continue
    const filled = render(item, [...path, isList ? Number(key) : key], run)
    if (filled === item) continue
    // The spread copies an own `__proto__` as an own property, so this assignment does not set the prototype.
    copy ??= isList ? [...value] : { ...value }
    ;(copy as JsonObject)[key] = filled
  }
  if (run.templates === before) plain.add(value)
  return copy ?? value
}

function renderText(text: string, path: ValuePath, run: Run): Json {
  const parts = readTemplate(text, path)
  run.templates += 1
  let result = ''
  for (const part of parts) {
    if (part.kind === 'literal') {
      result += part.text
      run.length += part.text.length
      continue
    }
    const value = resolvePart(part, path, run)
    if (parts.length === 1) {
      if (value === undefined) return text
      // A YAML block adds a line break: text keeps it, other types drop it.
      return typeof value === 'string' ? value + text.slice(part.range[1]) : value
    }
    if (value === undefined) result += text.slice(part.range[0], part.range[1])
    else {
      const inserted = value === null ? '' : typeof value === 'object' ? stringifyJson(value) : String(value)
      result += run.scope.embed ? run.scope.embed(inserted, result, value) : inserted
    }
  }
  return result
}

function readTemplate(text: string, path: ValuePath): Template {
  try {
    return parseTemplate(text)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    throw new InterpolationError(`${error.message}. ${error.hint}`, path, error.offset)
  }
}

/** The value of one `{{…}}`; undefined if it has none, which is recorded. Throws an `InterpolationError`. */
function resolvePart(part: DynamicPart, path: ValuePath, run: Run): Json | undefined {
  const { scope, unresolved } = run
  const refuse = (message: string): InterpolationError => new InterpolationError(message, path, part.range[0])
  let value: Json | undefined
  try {
    value = evaluatePart(part, scope)
  } catch (error) {
    if (!(error instanceof EngineError || error instanceof TemplateError)) throw error
    throw refuse(`The expression \`${cut(part.source, 200)}\` failed. ${error.message}`)
  }
  const gap = explainGap(part, value, scope)
  if (value === undefined || gap !== undefined) {
    const hint = gap === undefined ? hintReference(part, scope) : `: ${gap}`
    const message = `\`${part.source}\` has no value${hint}`
    unresolved.push({ path, offset: part.range[0], message, cause: gap ?? message })
    return undefined
  }
  const { size, depth } =
    typeof value === 'object' && value !== null
      ? measureJson(value, run.limit - run.length)
      : { size: String(value).length, depth: 0 }
  if (depth > maxDepth)
    throw refuse(`The value of \`${part.source}\` is nested deeper than ${maxDepth} levels`)
  run.length += size
  if (run.length <= run.limit) return value
  const most = `${run.limit} characters (option \`limits.interpolation\`)`
  throw refuse(`Inserting \`${part.source}\` makes the result longer than ${most}`)
}

/** Why a value is missing, incomplete, or wrong because a name in it is missing; else undefined. */
function explainGap(part: DynamicPart, value: Json | undefined, scope: Scope): string | undefined {
  // Most values are strings and numbers, which are never incomplete.
  if (part.kind === 'reference' && (value === undefined || typeof value === 'object'))
    return findGap(scope, part.root, part.path)
  if (part.kind !== 'expression' || value === undefined) return undefined
  const unset = findUnset(part.expression.source, scope)
  // An expression with a default or a condition can do without.
  return unset === undefined || findReferences([part]).some(({ gap }) => gap) ? undefined : unset
}

function evaluatePart(part: DynamicPart, scope: Scope): Json | undefined {
  const { locals } = scope
  if (part.kind === 'reference') return lookup(scope, part.root, lowerHeaderKey(part.root, part.path, locals))
  return evaluateOnce(() => {
    if (part.kind === 'expression')
      return scope.engine.evaluate(lowerHeaderNames(part.expression.source, locals), scope)
    if (!scope.faker) throw new EngineError('missing', 'Generated data is not loaded here')
    const { source } = part.arguments
    // Most calls have no arguments and need no sandbox.
    const passed = source === '[]' ? [] : scope.engine.evaluate(source, scope)
    return scope.faker.call(part.path, passed as Json[])
  })
}
