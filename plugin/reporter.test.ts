import { expect, test } from 'vitest'
import type { StepResult } from '../src/run/result.ts'
import { createProject } from './reporter/fixtures/run-vitest.ts'
import { writeSuiteModule } from './reporter/fixtures/suite-module.ts'

const timed = (total: number): Partial<StepResult> => ({ timings: { total }, duration_ms: Math.ceil(total) })

test('writes a result file per suite, the performance report and a summary', async () => {
  await using project = await createProject({
    'auth.test.ts': writeSuiteModule({ node_id: 'auth', priority: 'high', tags: ['smoke'] }, [
      { name: 'Log in', result: timed(120) },
      { name: 'Fetch profile', result: timed(20) },
    ]),
    'unit.test.ts': `import { test } from 'vitest'\ntest('is not a suite', () => {})`,
  })
  const { code, output } = await project.run()
  expect(output).toContain('2 requests of 1 suite')
  expect(code).toBe(0)
  expect(await project.list('suites')).toEqual(['auth.json'])
  const suite = await project.json('suites/auth.json')
  expect(Object.keys(suite)).toEqual([
    'node_id',
    'suite_name',
    'file_path',
    'priority',
    'start_time',
    'end_time',
    'duration_ms',
    'status',
    'steps_executed',
    'steps_successful',
    'steps_failed',
    'steps_skipped',
    'steps_not_run',
    'success_rate',
    'steps_results',
    'variables_captured',
    'available_variables',
    'suite_yaml_content',
    'tags',
  ])
  expect(suite).toMatchObject({ status: 'success', steps_executed: 2, success_rate: 100 })
  const report = await project.json('performance.json')
  expect(report).toMatchObject({
    status: 'success',
    totals: { steps: 2, steps_successful: 2 },
    summary: { requests: 2, average_ms: 70, median_ms: 20, p95_ms: 120, fastest_ms: 20, slowest_ms: 120 },
  })
})
