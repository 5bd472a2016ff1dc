import type { CheckTools, ResponseContext } from '../assertion/check-context.ts'
import { findMarkup } from '../assertion/judge/find-value.ts'
import type { JsonObject } from '../json.ts'
import type { Position } from '../source.ts'
import type { Capture } from './capture.ts'
import { compilePath, type CompiledPath } from '../path/compile-path.ts'
import { evaluatePath, preparePathData, type PathResult } from './evaluate-path.ts'

/** What taking captures needs from the rest of the run. */
export type CaptureTools = Pick<CheckTools, 'interpolate' | 'isLenient' | 'pathLimit'>

/** A message about one capture, with the position of its path. */
type CaptureNote = { name: string; at: Position; message: string; gap?: string | undefined }

/** The results of captures: values (null prototype), failures, and warnings for the author. */
export type CaptureOutcome = { values: JsonObject; failures: CaptureNote[]; warnings: CaptureNote[] }

/**
 * Takes all captures from a response. Finding nothing is a failure, except with `default`, with `optional` (null) and with
 * `isLenient` (null, with a warning).
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
      : findValue(path, context, tools.pathLimit)
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
  if (result.found && result.warning !== undefined)
    outcome.warnings.push({ ...note, message: `The capture \`${name}\`: ${result.warning}.` })
}

function findValue(path: string, context: ResponseContext, limit?: number): PathResult {
  // Only paths that compile become captures.
  const compiled = compilePath(path) as CompiledPath
  const needsJson = compiled.rootPaths.some(([root]) => root === 'body')
  if (context.bodyError !== undefined && needsJson && path.trim() !== 'body')
    return { found: false, message: context.bodyError, isDoubtful: true }
  return evaluatePath(compiled, preparePathData(context), limit)
}
