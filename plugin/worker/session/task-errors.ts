import { stripVTControlCharacters } from 'node:util'
import type { SerializedConfig } from 'vitest'
import { dropOwnFrames } from '../../contract/package-files.ts'
import { showPosition, type Position } from '../../../src/source.ts'

/** How Vitest shows differences. Only options written in the configuration itself apply. */
export type DiffConfig = Partial<Pick<SerializedConfig, 'diff'>>

export type TaskError = { name: string; message: string; stack: string; [key: string]: unknown }

/** Turns problems of a suite outside its tests into errors, each at its line. */
export function describeProblems(
  problems: readonly { message: string; at: Position }[],
  path: string,
): TaskError[] {
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
