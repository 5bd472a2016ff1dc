import { expect, test } from 'vitest'
import { makeStep, buildResult } from './fixtures/make-results.ts'

const suite = { node_id: 'a', suite_name: 'A', file_path: 'a.suite.yaml', priority: 'low' }

test.each([374.4, 374.5, 374.9, 0.4])('a suite of %s ms lasts as long as from its start to its end', (ms) => {
  const result = buildResult({
    ...suite,
    suite_yaml_content: '',
    start_time: '2026-01-02T03:04:05.006Z',
    duration_ms: ms,
    steps: [makeStep({})],
  })
  expect(result.duration_ms).toBe(Math.round(ms))
  expect(Date.parse(result.end_time) - Date.parse(result.start_time)).toBe(result.duration_ms)
})
