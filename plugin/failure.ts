import { expect, type TestContext } from 'vitest'
import { escapeControl, escapeControlInLines } from '../src/escape-control.ts'
import type { Json } from '../src/json.ts'
import type { PendingSnapshot, StepFailure } from '../src/run/step-outcome.ts'
import type { Redactor } from '../src/secrets/redactor.ts'

/** What one failed check hands to the matcher. */
type Finding = { message: string; expected?: unknown; actual?: unknown; hasDiff: boolean }

expect.extend({
  /** Fails with the finding's own message and diff: the judgement was made before, by the operators table. */
  toHold(finding: Finding) {
    return {
      pass: false,
      message: () => finding.message,
      ...(finding.hasDiff && { actual: finding.actual, expected: finding.expected }),
    }
  },
})

/** Where and how failures of a step are reported. */
export type FailureReport = { context: Pick<TestContext, 'task'>; path: string; redactor: Redactor }

/** Turns each failure of a step into a native soft `expect` failure whose stack is the YAML position, and nothing of our own code. */
export function reportFailures(failures: readonly StepFailure[], report: FailureReport): void {
  for (const failure of failures) {
    expect.soft<Finding>(describeFinding(failure, report.redactor)).toHold()
    pointAtSource(failure, report)
  }
}

function describeFinding(failure: StepFailure, redactor: Redactor): Finding {
  const message = escapeControlInLines(redactor.redactText(failure.message))
  const { diff } = failure
  if (!diff) return { message, hasDiff: false }
  const show = (value: Json | undefined): unknown =>
    value === undefined ? undefined : escapeDeep(redactor.redactJson(value))
  return { message, hasDiff: true, expected: show(diff.expected), actual: show(diff.actual) }
}

/** Control characters in texts of a diff are shown escaped; a text without any stays the same. */
function escapeDeep(value: Json): Json {
  if (typeof value === 'string') return escapeControl(value)
  if (Array.isArray(value)) return value.map(escapeDeep)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [escapeControl(key), escapeDeep(child)]),
  )
}

/** Compares with Vitest's own snapshots, which `-u` updates; a difference is handed back to be reported with the others. */
export function compareSnapshot(
  { value, name, field }: PendingSnapshot,
  { redactor }: Pick<FailureReport, 'redactor'>,
): Pick<StepFailure, 'message' | 'diff'> | undefined {
  try {
    expect(redactor.redactField(field, value)).toMatchSnapshot(name)
    return undefined
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const { message, expected, actual } = error as Error & { expected?: string; actual?: string }
    // One that was stored before may hold what is secret now.
    const show = redactor.redactSource
    return {
      message: show(message),
      ...(expected !== undefined &&
        actual !== undefined && { diff: { expected: redactor.redactField(field, show(expected)), actual } }),
    }
  }
}

/** Errors that are already recorded keep their message and diff; only where they point to changes. */
function pointAtSource({ at }: Pick<StepFailure, 'at'>, { context, path }: FailureReport): void {
  const errors = context.task.result?.errors
  const error = errors?.at(-1)
  if (!error || (error as { suitecase?: boolean }).suitecase) return
  error.name = 'AssertionError'
  error.stack = `${error.name}: ${error.message}\n    at ${path}:${at[0]}:${at[1]}`
  Object.defineProperty(error, 'suitecase', { value: true, enumerable: false })
}

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** Fails as the finding says. Internal to suitecase. */
    toHold(): R
  }
}
