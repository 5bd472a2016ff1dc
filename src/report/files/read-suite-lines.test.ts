import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SuiteResult } from '../../run/result.ts'
import { buildSuiteResult } from '../build-suite-result.ts'
import { makeStep } from '../fixtures/make-results.ts'
import { readSuiteLines, type SuiteLine } from './read-suite-lines.ts'
import { serialiseSuite } from './serialise-suite.ts'

function makeSuite(count: number, text: string): SuiteResult {
  const steps = Array.from({ length: count }, (_, index) =>
    makeStep({ step_name: `${index} ${text}`, captured_variables: { deep: [{ text }], empty: {} } }),
  )
  return buildSuiteResult({
    node_id: 'n',
    suite_name: `  "steps_results": [\n${text}`,
    file_path: 'n.suite.yaml',
    priority: 'high',
    steps,
    suite_yaml_content: text,
  })
}

async function writeAndRead(suite: SuiteResult): Promise<SuiteLine[]> {
  const folder = await mkdtemp(join(tmpdir(), 'suite-lines-'))
  try {
    const path = join(folder, 'n.json')
    await writeFile(path, [...serialiseSuite(suite)].join(''))
    const lines: SuiteLine[] = []
    for await (const line of readSuiteLines(path)) lines.push(line)
    return lines
  } finally {
    await rm(folder, { recursive: true })
  }
}

// The last is larger than what is read at once.
test.each([
  [0, 'no steps'],
  [1, 'one'],
  [3, 'lines\n    }\n  ],\n of text \u2028 and   blanks'],
  [100, 'x'.repeat(100_000)],
])('reads each of %i steps as a line, and the suite without them', async (count, text) => {
  const suite = makeSuite(count, text)
  const lines = await writeAndRead(suite)
  expect(lines.map(({ kind }) => kind)).toEqual([...Array.from({ length: count }, () => 'step'), 'suite'])
  expect(lines.every(({ json }) => !json.includes('\n'))).toBe(true)
  const [rest, ...steps] = lines.map(({ json }) => JSON.parse(json) as object).toReversed()
  expect(steps.toReversed()).toEqual(suite.steps_results)
  const { steps_results: _steps, ...others } = suite
  expect(rest).toEqual(count === 0 ? suite : others)
})
