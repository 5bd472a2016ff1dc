import type { SerializedConfig } from 'vitest'
import type { ShownFailure } from '../session/suite-block.ts'

/** An error as Vitest's reporters take it. */
export type TaskError = { name: string; message: string; stack: string; [key: string]: unknown }

/** The failures of a step as Vitest's own assertion errors, with its diff, whose stack is the line in the suite file and nothing of our own code. */
export async function describeFailures(
  failures: readonly ShownFailure[],
  path: string,
  config: SerializedConfig,
): Promise<TaskError[]> {
  if (failures.length === 0) return []
  // Loaded when something failed, not before: it brings the whole of Vitest's runner.
  const { processError } = await import('vitest/internal/browser')
  return failures.map(({ message, at, diff }) => {
    const error = {
      name: 'AssertionError',
      message,
      stack: `AssertionError: ${message}\n    at ${path}:${at[0]}:${at[1]}`,
      ...(diff && { ...diff, showDiff: true }),
    }
    return processError(error, readDiffOptions(config)) as TaskError
  })
}

/** Options for diffs that are written in the configuration itself. */
function readDiffOptions({ diff }: SerializedConfig): Exclude<SerializedConfig['diff'], string> {
  return typeof diff === 'object' ? diff : undefined
}

/** What is wrong with a suite beside its tests, each at its line. */
export function describeProblems(
  problems: readonly { message: string; at: readonly [number, number] }[],
  path: string,
): TaskError[] {
  return problems.map(({ message, at }) => ({
    name: 'Error',
    message,
    stack: `Error: ${message}\n    at ${path}:${at[0]}:${at[1]}`,
  }))
}

/** Anything thrown, as an error of Vitest's. */
export async function toError(error: unknown, config: SerializedConfig): Promise<TaskError> {
  const { processError } = await import('vitest/internal/browser')
  return processError(error, readDiffOptions(config)) as TaskError
}
