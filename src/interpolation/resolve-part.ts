import type { Json } from '../json.ts'
import { EngineError, InterpolationError, TemplateError, type ExpressionPlace } from './errors.ts'
import { FakerError } from './faker.ts'
import { gaps, lookup, type Scope } from './variables/scope.ts'
import type { DynamicPart, FakerPart } from './template.ts'
import { cut } from '../text/show-value.ts'

/** Finds the value of one `{{…}}`; `undefined` when there is none. Throws an `InterpolationError` when it fails. */
export function resolvePart(
  part: DynamicPart,
  scope: Scope,
  path: readonly (string | number)[],
): Json | undefined {
  if (part.kind === 'reference') {
    const value = lookup(scope, part.root, part.path)
    return typeof value === 'object' && value !== null && gaps.has(value) ? undefined : value
  }
  const place = { expression: part.source, path, offset: part.range[0] }
  try {
    if (part.kind === 'expression') return scope.engine.evaluate(part.expression.source, scope)
    if (part.kind === 'env') return Object.hasOwn(scope.env, part.name) ? scope.env[part.name] : undefined
    return generate(part, scope)
  } catch (error) {
    throw placeError(error, place)
  }
}

function generate(part: FakerPart, scope: Scope): Json {
  if (!scope.faker)
    throw new FakerError('Generated data is not loaded here; install it with `npm i -D @faker-js/faker`')
  const { source } = part.arguments
  // Most calls pass nothing, which needs no sandbox.
  const passed = source === '[]' ? [] : scope.engine.evaluate(source, scope)
  return scope.faker.call(part.path, passed as Json[])
}

function placeError(error: unknown, place: ExpressionPlace): unknown {
  const failed = `The expression \`${cut(place.expression, 200)}\` failed. `
  if (error instanceof EngineError) return new InterpolationError(error.code, failed + error.message, place)
  if (error instanceof FakerError) return new InterpolationError('faker', failed + error.message, place)
  if (error instanceof TemplateError) return new InterpolationError('syntax', failed + error.message, place)
  return error
}
