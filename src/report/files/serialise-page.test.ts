import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PageIndex } from '../performance/compute-performance.ts'
import { makeStep, makeSuite, recordSuite } from '../fixtures/make-results.ts'
import { serialisePage } from './serialise-page.ts'
import { serialiseSuite } from './suite-file.ts'

// The file of the last case is larger than the pieces in which it is read.
test.each([
  [0, 'no steps'],
  [1, 'one </script><!-- \u2028 and \u2029'],
  [3, 'lines\n    }\n  ],\n of text and   blanks, ä💥'],
  [100, '💥 x'.repeat(25_000)],
])('%i steps come into the page as they are, piece by piece', async (count, text) => {
  const folder = await mkdtemp(join(tmpdir(), 'page-pieces-'))
  try {
    const path = join(folder, 'n.json')
    const steps = Array.from({ length: count }, (_, index) =>
      makeStep({ step_name: `${index} ${text}`, captured_variables: { deep: [{ text }], empty: {} } }),
    )
    const suite = { ...makeSuite(steps), suite_name: `  "steps_results": [\n${text}` }
    await writeFile(path, [...serialiseSuite(recordSuite(suite))].join(''))
    const pieces: string[] = []
    for (const piece of serialisePage({} as PageIndex, [path])) pieces.push(piece)
    const page = pieces.join('')
    const [, block = ''] = /id="suite-0">([^]*?)<\/script>\n/.exec(page) ?? []
    expect(block).not.toMatch(/[<\n\u2028\u2029]/)
    expect(JSON.parse(block)).toEqual(suite)
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(1_000_000)
  } finally {
    await rm(folder, { recursive: true })
  }
})
