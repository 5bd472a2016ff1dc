import { basename } from 'node:path'
import { slugify } from '../../../src/suite/plan/step-id.ts'
import { findTestFile } from './place/find-call.ts'

/** Node ids that the suites of a test file have by now; the file's own object lives as long as one run of it. */
const taken = new WeakMap<object, Set<string>>()

/** The node id of a suite that does not name one: the slug of the file name without `.test.ts`, numbered from the second suite of the file on. */
export function chooseNodeId(path: string): string {
  const file = findTestFile()
  const ids = taken.get(file) ?? new Set<string>()
  taken.set(file, ids)
  const name = basename(path).replace(/(?:\.suite)?(?:\.(?:test|spec))?\.[cm]?[jt]sx?$/i, '')
  const first = slugify(name) || 'suite'
  let id = first
  for (let number = 2; ids.has(id); number++) id = `${first}-${number}`
  ids.add(id)
  return id
}
