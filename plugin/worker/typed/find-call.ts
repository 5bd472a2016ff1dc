import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { TestRunner } from 'vitest'
import { indexLines } from '../../../src/source.ts'
import { slugify } from '../../../src/suite/plan/step-id.ts'

/** Where in a test file a definition is handed over. */
export type Call = {
  /** Absolute path of the test file. */
  path: string
  text: string
  offset: number
  /** True when the definition is written in this call, not in a function of another file. */
  direct: boolean
}

/** Finds the call of `called` in the running test file, from the stack; the start of the file where the stack does not reach it. */
export function findCall(called: (...values: never[]) => unknown): Call {
  const path = findTestFile().filepath
  const holder: { stack?: string } = {}
  Error.captureStackTrace(holder, called)
  const frames = (holder.stack ?? '').replaceAll('\\', '/').split('\n').slice(1)
  const index = frames.findIndex((frame) => frame.includes(path))
  const [, line = '1', column = '1'] = /:(\d+):(\d+)\)?$/.exec(frames[index] ?? '') ?? []
  const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  const start = indexLines(text)[Number(line) - 1] ?? 0
  return { path, text, offset: start + Number(column) - 1, direct: index === 0 }
}

/** The test file that is being loaded; the same object throughout one run of it. Throws outside of one. */
function findTestFile(): { filepath: string } {
  const suite = TestRunner.getCurrentSuite() as { file?: { filepath: string } } | undefined
  if (suite?.file) return suite.file
  throw new Error('A suite can be defined only while a test file is loaded.')
}

/** Node ids that the suites of a test file have by now; the file's own object lives as long as one run of it. */
const taken = new WeakMap<object, Set<string>>()

/** The node id of a suite that does not name one: the slug of the file name without `.test.ts`, numbered from the second suite of the file on. */
export function chooseNodeId(): string {
  const file = findTestFile()
  const ids = taken.get(file) ?? new Set<string>()
  taken.set(file, ids)
  const name = basename(file.filepath).replace(/(?:\.suite)?(?:\.(?:test|spec))?\.[cm]?[jt]sx?$/i, '')
  const first = slugify(name) || 'suite'
  let id = first
  for (let number = 2; ids.has(id); number++) id = `${first}-${number}`
  ids.add(id)
  return id
}
