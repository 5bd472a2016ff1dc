import { stripVTControlCharacters } from 'node:util'
import type { SerializedConfig } from 'vitest'
import { dropOwnFrames } from '../../contract/package-files.ts'
import { stringifyJson } from '../../../src/json.ts'
import { showPosition, type Position } from '../../../src/source.ts'
import type { ShownFailure } from '../session/show-step.ts'

type DiffConfig = Partial<Pick<SerializedConfig, 'diff'>>

/** An error as Vitest's reporters take it. */
export type TaskError = { name: string; message: string; stack: string; [key: string]: unknown }

/** Texts that are longer, or have several lines, are shown as a diff beside the sentence that names both. */
const longestNamed = 60

/**
 * The failures of a step as Vitest's own assertion errors, with its diff, what was sent and answered, and how to repeat it.
 * Their stack is the line in the suite file and nothing of our own code.
 */
export function describeFailures(
  failures: readonly ShownFailure[],
  file: string,
  config: DiffConfig,
): Promise<TaskError[]> {
  return Promise.all(
    failures.map(async ({ message, diff, exchange, command, at: [line, column] }) => {
      const name = 'AssertionError'
      const error = await toError({ name, message, ...(diff && { ...diff, showDiff: true }) }, config)
      const isNamed =
        diff && [diff.expected, diff.actual].every((value) => isShort(value) && isIn(value, message))
      const shown = isNamed ? undefined : (error['diff'] as string | undefined)
      const parts = [shown, command && `  ${command}`].filter((part) => part !== undefined)
      // The check first: lists of CI show one line.
      error.message = exchange === undefined ? message : `${message}\n\n${exchange}`
      error.stack = `${name}: ${error.message}\n    at ${file}:${line}:${column}`
      // Read from the stack, lines of an answer could pass for places.
      error['stacks'] = [{ file, line, column, method: '' }]
      if (parts.length > 0) error['diff'] = parts.join('\n\n')
      else delete error['diff']
      return error
    }),
  )
}

/** True for a value that a sentence names, as it is or as JSON. */
function isIn(value: unknown, message: string): boolean {
  return [String(value), stringifyJson(value) ?? ''].some((text) => message.includes(text))
}

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= longestNamed && !value.includes('\n')
  return value === null || typeof value !== 'object'
}

/** What is wrong with a suite beside its tests, each at its line. */
export function describeProblems(
  problems: readonly { message: string; at: Position }[],
  path: string,
): TaskError[] {
  return problems.map(({ message, at }) => ({
    name: 'Error',
    message,
    stack: `Error: ${message}\n    at ${showPosition(path, at)}`,
  }))
}

/** Anything thrown, as an error of Vitest's. Of the options for diffs those count that are written in the configuration itself. */
export async function toError(error: unknown, { diff }: DiffConfig): Promise<TaskError> {
  // Loaded when something failed, not before: it brings the whole of Vitest's runner.
  const { processError } = await import('vitest/internal/browser')
  const told = processError(error, typeof diff === 'object' ? diff : undefined) as TaskError
  const { message, stack } = told as { message?: unknown; stack?: string }
  // Vite's errors of syntax have colours, wherever they are shown.
  if (typeof message === 'string') told.message = stripVTControlCharacters(message)
  if (stack !== undefined) told.stack = dropOwnFrames(stripVTControlCharacters(stack))
  return told
}
