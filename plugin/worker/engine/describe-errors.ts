import { stripVTControlCharacters } from 'node:util'
import type { SerializedConfig } from 'vitest'
import { dropOwnFrames } from '../../contract/package-files.ts'
import { stringifyJson } from '../../../src/json.ts'
import { showPosition, type Position } from '../../../src/source.ts'
import type { ShownFailure } from '../session/show-step.ts'

type DiffConfig = Partial<Pick<SerializedConfig, 'diff'>>

/** An error in the form that Vitest's reporters expect. */
export type TaskError = { name: string; message: string; stack: string; [key: string]: unknown }

/** Longer texts, and those of several lines, are shown as a diff in addition to the message that names both. */
const longestNamed = 60

/**
 * Turns the failures of a step into Vitest's own assertion errors, with its diff, the request and answer, and a command
 * that repeats it. The stack is only the line in the suite file.
 */
export function describeFailures(
  failures: readonly ShownFailure[],
  file: string,
  config: DiffConfig,
): Promise<TaskError[]> {
  return Promise.all(
    failures.map(async ({ message, diff, exchange, command, at }) => {
      const name = 'AssertionError'
      const error = await toError({ name, message, ...(diff && { ...diff, showDiff: true }) }, config)
      const isNamed =
        diff && [diff.expected, diff.actual].every((value) => isShort(value) && isIn(value, message))
      const shown = isNamed ? undefined : (error['diff'] as string | undefined)
      const parts = [shown, command && `  ${command}`].filter((part) => part !== undefined)
      // The check comes first: lists in CI show one line.
      error.message = exchange === undefined ? message : `${message}\n\n${exchange}`
      Object.assign(error, placeError(`${name}: ${error.message}`, file, at))
      if (parts.length > 0) error['diff'] = parts.join('\n\n')
      else delete error['diff']
      return error
    }),
  )
}

/** True if a message contains the value, as it is or as JSON. */
function isIn(value: unknown, message: string): boolean {
  return [String(value), stringifyJson(value) ?? ''].some((text) => message.includes(text))
}

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= longestNamed && !value.includes('\n')
  return value === null || typeof value !== 'object'
}

/** Turns problems of a suite outside its tests into errors, each at its line. */
export function describeProblems(
  problems: readonly { message: string; at: Position }[],
  path: string,
): TaskError[] {
  return problems.map(({ message, at }) => {
    return { name: 'Error', message, ...placeError(`Error: ${message}`, path, at) }
  })
}

/** The place of an error. Its `stacks` are set, since in a stack that is parsed lines of an answer could be taken for places. */
function placeError(text: string, file: string, at: Position): Pick<TaskError, 'stack' | 'stacks'> {
  const [line, column] = at
  return {
    stack: `${text}\n    at ${showPosition(file, at)}`,
    stacks: [{ file, line, column, method: '' }],
  }
}

/** Turns anything thrown into an error for Vitest. Only diff options written in the configuration itself apply. */
export async function toError(error: unknown, { diff }: DiffConfig): Promise<TaskError> {
  // Loaded only after a failure, since it brings in the whole of Vitest's runner.
  const { processError } = await import('vitest/internal/browser')
  const told = processError(error, typeof diff === 'object' ? diff : undefined) as TaskError
  const { message, stack } = told as { message?: unknown; stack?: string }
  // Vite's syntax errors are coloured wherever they are shown.
  if (typeof message === 'string') told.message = stripVTControlCharacters(message)
  if (stack !== undefined) told.stack = dropOwnFrames(stripVTControlCharacters(stack))
  return told
}
