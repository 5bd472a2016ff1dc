import { readFileSync } from 'node:fs'
import { TestRunner } from 'vitest'
import { indexLines } from '../../../../src/source.ts'

/** Where in a test file a definition is handed over. */
export type Call = {
  /** Absolute path of the test file. */
  path: string
  text: string
  offset: number
  /** True when the definition is written in this call, not in a function of another file. */
  direct: boolean
}

/** Finds the call of `called` in the running test file, from the stack. */
export function findCall(called: (...values: never[]) => unknown): Call {
  const file = findTestFile()
  const frames = readStack(called)
  const index = frames.findIndex((frame) => frame.includes(file.filepath))
  const [, line = '1', column = '1'] = /:(\d+):(\d+)\)?$/.exec(frames[index] ?? '') ?? []
  const text = readFileSync(file.filepath, 'utf8').replace(/^\uFEFF/, '')
  const start = indexLines(text)[Number(line) - 1] ?? 0
  return {
    path: file.filepath,
    text,
    offset: start + Number(column) - 1,
    direct: index === 0,
  }
}

/** The test file that is being loaded; the same object throughout one run of it. Throws outside of one. */
export function findTestFile(): { filepath: string } {
  const suite = TestRunner.getCurrentSuite() as { file?: { filepath: string } } | undefined
  if (suite?.file) return suite.file
  throw new Error('A suite can be defined only while a test file is loaded.')
}

function readStack(called: (...values: never[]) => unknown): string[] {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 50
  const holder: { stack?: string } = {}
  Error.captureStackTrace(holder, called)
  Error.stackTraceLimit = limit
  return (holder.stack ?? '')
    .split('\n')
    .slice(1)
    .map((frame) => frame.replaceAll('\\', '/'))
}
