import { readFields, type CheckTools, type ResponseContext } from '../assertion/check-context.ts'
import { findMarkup } from '../assertion/judge/find-value.ts'
import type { PlacedMessage } from '../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { compilePath, type CompiledPath } from '../path/compile-path.ts'
import { formatFieldPath } from '../path/field-path.ts'
import { tracePath, type Trace } from '../path/interpreter.ts'
import { listCompared, listMembers } from '../path/path-node.ts'
import {
  describeContent,
  explainMember,
  explainNoMatch,
  hasTypo,
  hintDot,
  nameGap,
  walkPath,
} from '../path/walk-path.ts'
import type { Missing } from '../path/walk-path.ts'
import { readsAttribute } from '../request/markup/languages.ts'
import { rememberObjects } from '../remember.ts'
import { listNames, quoteCode } from '../text/show-value.ts'
import type { Capture } from './capture.ts'

/** The functions of a run that captures need. */
export type CaptureTools = Pick<CheckTools, 'interpolate' | 'isLenient' | 'limits'>

type CaptureNote = PlacedMessage & { name: string; gap?: string | undefined }

/** The results of captures: values (null prototype), failures, and warnings for the author. */
export type CaptureOutcome = { values: JsonObject; failures: CaptureNote[]; warnings: CaptureNote[] }

/**
 * Takes all captures from a response. If nothing is found, a capture fails, except with `default`, `optional`
 * (it is null) or `isLenient` (it is null, with a warning).
 */
export function takeCaptures(
  captures: readonly Capture[],
  context: ResponseContext,
  tools: CaptureTools,
): CaptureOutcome {
  const outcome: CaptureOutcome = { values: Object.create(null) as JsonObject, failures: [], warnings: [] }
  for (const capture of captures) {
    const { name, at } = capture
    try {
      takeCapture(outcome, capture, { context, tools })
    } catch (error) {
      const message = `The capture \`${name}\` failed: ${(error as Error).message}`
      outcome.failures.push({ name, at, message })
    }
  }
  return outcome
}

function takeCapture(
  outcome: CaptureOutcome,
  capture: Capture,
  { context, tools }: { context: ResponseContext; tools: CaptureTools },
): void {
  const { name, at, path, select } = capture
  const result: PathResult = select
    ? findMarkup(select, context)
    : path === undefined
      ? { found: true, value: tools.interpolate(capture.literal ?? null) }
      : findValue(path, context, tools.limits.expression)
  const missing = result.found ? result.missing : result.message
  const note = { name, at, message: `The capture \`${name}\` has no value: ${missing}` }
  const isComplete = result.found && (missing === undefined || capture.optional || tools.isLenient)
  if (isComplete) outcome.values[name] = result.value
  else if (capture.default !== undefined) outcome.values[name] = tools.interpolate(capture.default)
  else if (capture.optional || tools.isLenient) outcome.values[name] = null
  else outcome.failures.push({ ...note, gap: result.found ? undefined : result.gap })
  const mayMiss = capture.default !== undefined || capture.optional
  const isTold = mayMiss ? !result.found && result.isDoubtful : tools.isLenient
  if (missing !== undefined && isTold) outcome.warnings.push(note)
  if (select && result.found && !mayMiss && isTextless(select.expression, result.value)) {
    const way = select.language === 'css' ? '::attr(value)' : '/@value'
    const words = `is empty, since what ${quoteCode(select.expression)} finds has no text; for an attribute, write \`${way}\` at the end`
    outcome.warnings.push({ ...note, message: `The capture \`${name}\` ${words}.` })
  }
  if (result.found && result.warning !== undefined && (mayMiss || result.warning !== missing))
    outcome.warnings.push({ ...note, message: `The capture \`${name}\`: ${result.warning}.` })
}

/** True if elements were found, such as an `input`, and none has a text. */
function isTextless(expression: string, value: Json): boolean {
  return !readsAttribute.test(expression) && [value].flat().every((text) => text === '')
}

function findValue(path: string, context: ResponseContext, limit?: number): PathResult {
  const compiled = compilePath(path) as CompiledPath
  const needsJson = compiled.rootPaths.some(([root]) => root === 'body')
  if (context.bodyError !== undefined && needsJson && path.trim() !== 'body')
    return { found: false, message: context.bodyError, isDoubtful: true }
  return evaluatePath(compiled, preparePathData(context), limit)
}

/**
 * The result of an expression: a value, or a message that says what was there instead. `missing`: a name in
 * it was never found, although the rest was. `warning`: a part of it may be wrong, such as a comparison of
 * different types. `gap`: the first missing part of a plain path. `isDoubtful`: it is probably wrong.
 */
export type PathResult =
  | { found: true; value: Json; missing?: string | undefined; warning?: string | undefined }
  | { found: false; message: string; gap?: string | undefined; isDoubtful?: boolean }

/** The response as paths see it: `status_code`, `headers` (lower case), `body`, times, `request`. Cached. */
export const preparePathData = rememberObjects(readFields)

/**
 * Evaluates an expression. JMESPath does not distinguish `null` from nothing: a `null` at a plain path is a
 * value, but from any other expression it means that nothing was found. `limit` is in ms, by default 1000.
 */
export function evaluatePath(path: CompiledPath, data: JsonObject, limit?: number): PathResult {
  if (path.segments) {
    const walk = walkPath(data, path.segments)
    if (walk.found) return walk
    const [root, , index] = path.segments
    // As in checks, `[0]` of a header that came only once is the header itself.
    if (root === 'headers' && index === 0 && walk.depth === 2 && path.segments.length === 3)
      return { found: true, value: walk.last }
    const message = `${quoteCode(path.source)} found nothing; ${explainStop(walk)}`
    return { found: false, message, gap: nameGap('', walk), isDoubtful: hasTypo(walk) }
  }
  let traced: Trace
  try {
    traced = tracePath(path.node, data, limit)
  } catch (error) {
    const first = explainFirst(path, data)
    const why = (error as Error).message.replace(/\.$/, '')
    // A null in place of a value counts as missing, except in filters, where other elements may match.
    const isNull = why.endsWith('type null instead') && !path.source.includes('[?')
    const message = `${quoteCode(path.source)} could not be evaluated: ${why}${first}`
    return { found: false, message, isDoubtful: first === '' && !isNull }
  }
  const { value } = traced
  const vain = explainNoMatch(path, traced)
  const warning = explainMember(path, listCompared(path.node), traced) ?? vain
  if (value === null) {
    const why = explainFirst(path, data) || (warning === undefined ? '' : `; ${warning}`)
    return {
      found: false,
      message: `${quoteCode(path.source)} found nothing${why}`,
      isDoubtful: vain !== undefined,
    }
  }
  const missing = explainMember(path, listMembers(path.node), traced)
  return { found: true, value, missing, warning }
}

function explainFirst(path: CompiledPath, data: JsonObject): string {
  const walk = path.rootPaths.map((segments) => walkPath(data, segments)).find(({ found }) => !found)
  return walk && !walk.found ? `; ${explainStop(walk)}` : ''
}

function explainStop(missing: Missing): string {
  const { path, depth, last } = missing
  const name = formatFieldPath(path.slice(depth, depth + 1))
  const place = formatFieldPath(path.slice(0, depth))
  // JMESPath has no brackets around names.
  const dotted = hintDot('', missing).replace(/\[("(?:[^"\\]|\\.)*")\]/g, '.$1')
  if (depth > 0) return `\`${place}\` ${describeContent(last, name, place)}${dotted}`
  const { body } = last as JsonObject
  if (!isJsonObject(body) || !Object.hasOwn(body, name))
    return `the response ${describeContent(last, name, place)}`
  return `the response has: ${listNames(Object.keys(last as JsonObject))}; did you mean \`body.${name}\`?`
}
