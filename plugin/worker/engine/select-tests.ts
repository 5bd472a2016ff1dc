import type { RunnerTestCase, RunnerTestFile, RunnerTestSuite } from 'vitest'

/** Which tests of a file a run selects; all of them when nothing is set. */
export type Selection = {
  lines?: readonly number[] | undefined
  pattern?: RegExp | undefined
  ids?: readonly string[] | undefined
  names?: readonly string[] | undefined
  /** Whether tests with these tags are selected. */
  hasTags?: ((tags: string[]) => boolean) | undefined
  allowOnly: boolean
}

/**
 * Marks the tests that a run leaves out, by the rules of Vitest (`interpretTaskModes`, release 5.1.0): `only`, lines,
 * name pattern, ids, names and tags. A line on which no test starts fails the file.
 */
export function selectTests(file: RunnerTestFile, selection: Selection): void {
  const blocks = file.tasks as RunnerTestSuite[]
  const tests = blocks.flatMap((block) => block.tasks as RunnerTestCase[])
  const hasOnly = tests.some(({ mode }) => mode === 'only')
  const found = new Set<number>()
  for (const block of blocks) {
    const isBlockNamed = matchesLine(block, selection, found)
    for (const test of block.tasks as RunnerTestCase[]) {
      if (test.mode === 'only') takeOnly(test, selection)
      else if (hasOnly && test.mode === 'run') test.mode = 'skip'
      if (selection.lines?.length) {
        if (matchesLine(test, selection, found) || isBlockNamed) test.mode = 'run'
        else test.mode = 'skip'
      }
      if (isLeftOut(test, selection)) test.mode = 'skip'
    }
    if (block.tasks.every(({ mode }) => mode !== 'run')) block.mode = 'skip'
  }
  if (blocks.length > 0 && blocks.every(({ mode }) => mode === 'skip')) file.mode = 'skip'
  const missed = (selection.lines ?? []).filter((line) => !found.has(line))
  if (missed.length > 0) {
    const places = missed.length === 1 ? `line ${missed[0]}` : `lines ${missed.join(', ')}`
    fail(file, `No test found in ${file.name} in ${places}`)
  }
}

function matchesLine(
  task: RunnerTestCase | RunnerTestSuite,
  { lines }: Selection,
  found: Set<number>,
): boolean {
  const line = task.location?.line
  if (line === undefined || !lines?.includes(line)) return false
  found.add(line)
  return true
}

function isLeftOut(test: RunnerTestCase, { pattern, ids, names, hasTags }: Selection): boolean {
  const { id, fullTestName, tags = [] } = test
  return (
    (pattern !== undefined && fullTestName.search(pattern) === -1) ||
    (ids !== undefined && !ids.includes(id)) ||
    (names !== undefined && !names.includes(fullTestName)) ||
    (hasTags !== undefined && !hasTags(tags))
  )
}

function takeOnly(test: RunnerTestCase, { allowOnly }: Selection): void {
  test.mode = 'run'
  if (!allowOnly)
    fail(test, 'Unexpected `only: true`. Remove it, or pass --allowOnly to run nothing but this step.')
}

function fail(task: RunnerTestCase | RunnerTestFile, message: string): void {
  const stack = `Error: ${message}`
  task.result = { state: 'fail', errors: [{ name: 'Error', message, stack }] }
}
