import { stripVTControlCharacters } from 'node:util'
import type { RunnerTestCase, SerializedConfig } from 'vitest'
import { processError } from 'vitest/internal/browser'
import { dropOwnFrames } from '../../contract/package-files.ts'
import type { PlacedMessage } from '../../../src/errors.ts'
import { showPosition, type Position } from '../../../src/source.ts'

/** How Vitest shows differences. Only options written in the configuration itself apply. */
export type DiffConfig = Partial<Pick<SerializedConfig, 'diff'>>

export type TaskError = { name: string; message: string; stack: string; [key: string]: unknown }

/** Turns problems of a suite outside its tests into errors, each at its line. */
export function describeProblems(problems: readonly PlacedMessage[], path: string): TaskError[] {
  return problems.map(({ message, at }) => {
    return { name: 'Error', message, ...placeError(`Error: ${message}`, path, at) }
  })
}

/** The place of an error. With `stacks`, since lines of a response in a parsed stack may pass for places. */
export function placeError(text: string, file: string, at: Position): Pick<TaskError, 'stack' | 'stacks'> {
  const [line, column] = at
  return {
    stack: `${text}\n    at ${showPosition(file, at)}`,
    stacks: [{ file, line, column, method: '' }],
  }
}

export function toError(error: unknown, { diff }: DiffConfig): TaskError {
  const told = processError(error, typeof diff === 'object' ? diff : undefined) as TaskError
  const { message, stack } = told as { message?: unknown; stack?: string }
  // Vite's syntax errors are coloured wherever they are shown.
  if (typeof message === 'string') told.message = stripVTControlCharacters(message)
  if (stack !== undefined) told.stack = dropOwnFrames(stripVTControlCharacters(stack))
  return told
}

/** Why `fails` is refused: Vitest would invert the outcome that reports and later steps rely on. */
export function refuseFails({ tags = [] }: Pick<RunnerTestCase, 'tags'>): string {
  return `A step cannot be expected to fail: the Vitest configuration sets \`fails: true\` for a tag of this step (${tags.join(', ')}), or for its suite. Check the error response of the API instead, such as \`status_code: 500\`.`
}
