import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { StepResult } from '../../../src/run/result.ts'
import { createReporting, readReport, writeSuiteModule } from './fixtures/suite-module.ts'

const timed = (total: number): Partial<StepResult> => ({ timings: { total }, duration_ms: Math.ceil(total) })

const status = (suite: Record<string, unknown>): string[] =>
  (suite.steps_results as StepResult[]).map((step) => `${step.step_name}: ${step.status}`)

/** A report without what varies between runs. */
const steady = (text: string): string =>
  text.replaceAll(
    /"(start_time|end_time|duration_ms|total_duration_ms|requests_per_second)": [^,\n]*/g,
    '"$1"',
  )

const total = (suite: Record<string, unknown>): number =>
  ['successful', 'failed', 'skipped', 'not_run'].reduce(
    (sum, name) => sum + Number(suite[`steps_${name}`]),
    0,
  )

const row = (number: number): string =>
  writeSuiteModule({ node_id: 'rows', row: number }, [{ name: 'A' }, { name: 'B' }]).replace(
    /^import.*$/m,
    '',
  )

test('records a suite that did not load, with its steps not run', async () => {
  await using project = await createReporting({
    'broken.suite.yaml':
      'suite_name: Broken\nmetadata: {priority: high}\nsteps:\n  - name: One\n  - nmae: Two\n    [',
    'good.test.ts': writeSuiteModule({ node_id: 'good' }, [{ name: 'Runs' }]),
  })
  const { code, output } = await project.run()
  expect(code).toBe(1)
  const suite = await readReport(project, 'suites/broken.json')
  expect(suite).toMatchObject({
    node_id: 'broken',
    suite_name: 'Broken',
    status: 'failure',
    success_rate: 0,
    steps_not_run: 2,
    error_message: 'line 3: unknown key',
  })
  expect(Object.keys((suite.steps_results as StepResult[])[0] ?? {}).slice(0, 4)).toEqual([
    ...['step_id', 'qualified_step_id', 'step_name', 'status'],
  ])
  expect(Date.now() - Date.parse(String(suite.start_time))).toBeLessThan(600_000)
  expect((await readReport(project, 'suites/good.json')).status).toBe('success')
  expect((await readReport(project, 'performance.json')).status).toBe('failure')
  expect(output).toMatch(/^Performance {2}1 request in /m)
})

test('gives every step of a killed worker a result: one failed, the rest not run', async () => {
  await using project = await createReporting(
    {
      'dies.test.ts': writeSuiteModule({ node_id: 'dies' }, [
        { name: 'Before' },
        {
          name: 'Kills',
          result: null,
          body: `await new Promise((go) => setTimeout(go, 300)); process.kill(process.pid, 'SIGKILL'); await new Promise(() => {})`,
        },
        { name: 'After' },
      ]),
    },
    '{}',
    { test: `{ pool: 'forks' }` },
  )
  const { code } = await project.run()
  expect(code).toBe(1)
  const suite = await readReport(project, 'suites/dies.json')
  expect(status(suite)).toEqual(['Before: success', 'Kills: failure', 'After: not_run'])
  expect(suite).toMatchObject({ status: 'failure', steps_not_run: 1 })
  expect(await readReport(project, 'performance.json')).toMatchObject({
    status: 'failure',
    totals: { steps: 3, steps_successful: 1, steps_failed: 1, steps_not_run: 1 },
    errors: [expect.stringContaining('Worker')],
  })
})

test('keeps the rows of an `each` apart, also those whose worker died before they could say what they are', async () => {
  const dead = `describe('third row', () => {
    test('A', async () => { await new Promise((go) => setTimeout(go, 300)); process.kill(process.pid, 'SIGKILL'); await new Promise(() => {}) })
    test('B', () => {})
  })`
  await using project = await createReporting(
    { 'rows.suite.yaml': `import { describe, test } from 'vitest'\n${row(0)}${row(1)}${dead}` },
    '{}',
    { test: `{ pool: 'forks' }` },
  )
  expect((await project.run()).code).toBe(1)
  expect(await project.results()).toEqual(['rows.1.json', 'rows.2.json', 'rows.3.json'])
  expect(status(await readReport(project, 'suites/rows.3.json'))).toEqual(['A: failure', 'B: not_run'])
  expect(await readReport(project, 'performance.json')).toMatchObject({
    totals: { steps: 6, steps_successful: 4 },
  })
})

test('tells failed tests, failed hooks, skips and filters apart', async () => {
  await using project = await createReporting(
    {
      'mixed.test.ts': writeSuiteModule({ node_id: 'mixed' }, [
        { name: 'Passes' },
        { name: 'Fails', result: { status: 'failure', error_message: 'no' }, body: `throw new Error('no')` },
        { name: 'Fails outside', body: `throw new Error('hook failed')` },
        { name: 'Times out', result: null, body: `await new Promise(() => {})` },
        {
          name: 'Skips',
          result: { status: 'skipped', skip_reason: 'needs token' },
          body: 'task.context.skip("x")',
        },
        { name: 'Never', result: null, mode: 'skip' },
        {
          name: 'Loops',
          result: [{ flaky: true }, { status: 'skipped', skip_reason: 'no' }],
          body: `throw new Error('hook failed')`,
        },
      ]),
      'hook.test.ts': writeSuiteModule({ node_id: 'hook' }, [{ name: 'Behind' }])
        // The last place of its stack is one in another file, which is no place in this one.
        .replace(
          'test(',
          `beforeAll(() => { throw Object.assign(new Error('no set-up'), { stack: 'at /a.js:3:4' }) }); test(`,
        )
        .replace('describe, test', 'beforeAll, describe, test'),
    },
    '{}',
    { test: '{ testTimeout: 500 }' },
  )
  const { code } = await project.run()
  expect(code).toBe(1)
  const suite = await readReport(project, 'suites/mixed.json')
  expect(status(suite)).toEqual([
    'Passes: success',
    'Fails: failure',
    'Fails outside: failure',
    'Times out: failure',
    'Skips: skipped',
    'Never: skipped',
    'Loops: failure',
    'Loops: skipped',
  ])
  expect((suite.steps_results as StepResult[])[6]).not.toHaveProperty('flaky')
  expect((suite.steps_results as StepResult[])[2]?.error_message).toBe('hook failed')
  expect((suite.steps_results as StepResult[])[3]?.error_message).toContain('timed out in 500ms')
  expect([suite.success_rate, total(suite)]).toEqual([20, 8])
  const hook = await readReport(project, 'suites/hook.json')
  expect(hook).toMatchObject({ status: 'failure', steps_not_run: 1, error_message: 'no set-up' })
})

test('reports an interrupted run: what ran, and the rest as not run', async () => {
  await using project = await createReporting(
    {
      'slow.test.ts': writeSuiteModule({ node_id: 'slow' }, [
        { name: 'First' },
        {
          name: 'Hangs',
          result: null,
          body: `console.log('HANGING'); await new Promise((go) => setTimeout(go, 20_000))`,
        },
        { name: 'Last' },
      ]),
      'later.suite.yaml': 'suite_name: Later\nsteps: [{name: A}, {name: B}]\n',
    },
    '{}',
    {
      test: '{ fileParallelism: false, sequence: { sequencer: class { sort(f) { return f.sort((a, b) => b.moduleId > a.moduleId ? 1 : -1) } shard(f) { return f } } } }',
    },
  )
  const vitest = project.start('run')
  await vitest.shows(/HANGING/)
  vitest.kill('SIGINT')
  const { code } = await vitest.ended()
  expect(code).not.toBe(0)
  const suite = await readReport(project, 'suites/slow.json')
  expect(status(suite).filter((one) => !one.startsWith('Hangs'))).toEqual(['First: success', 'Last: not_run'])
  expect(suite.status).not.toBe('success')
  expect(status(await readReport(project, 'suites/later.json'))).toEqual(['A: not_run', 'B: not_run'])
  expect((await readReport(project, 'performance.json')).status).not.toBe('success')
})

test('gives the same reports for merged shards as for one run', async () => {
  const suites = Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e'].map((id, index) => [
      `${id}.test.ts`,
      writeSuiteModule({ node_id: id }, [
        { name: 'One', result: timed(10 * (index + 1)) },
        { name: 'Two', result: { status: 'failure' }, body: 'throw new Error("no")' },
      ]),
    ]),
  )
  await using project = await createReporting({
    ...suites,
    'broken.suite.yaml': 'suite_name: Broken\nsteps: [{name: A}]',
  })
  await project.run()
  const files = ['performance.json', 'suites/a.json', 'suites/e.json', 'suites/broken.json']
  const whole = await Promise.all(files.map((file) => project.report(file)))
  for (const shard of ['1/2', '2/2']) await project.run(`--shard=${shard}`, '--config=blob.config.ts')
  const { code, output } = await project.run('--merge-reports')
  expect(code).toBe(1)
  expect(output).toMatch(/^Performance {2}\d+ requests in /m)
  const merged = await Promise.all(files.map((file) => project.report(file)))
  expect(merged.map(steady)).toEqual(whole.map(steady))
  await cp(join(project.root, '.vitest/blob/blob-1-2.json'), join(project.root, '.vitest/blob/blob-1-1.json'))
  expect((await project.run('--merge-reports')).output).toMatch(
    /suitecase: Several blobs have results of .*: the reports hold only one of them\. Remove the blobs of earlier runs, or give those of each environment a label \(`VITEST_BLOB_LABEL`\)\.\n/,
  )
})

test('records errors that belong to no step', async () => {
  await using project = await createReporting({
    'a.test.ts': writeSuiteModule({ node_id: 'a' }, [
      {
        name: 'One',
        body: `setTimeout(() => Promise.reject(new Error('late one')))\nawait new Promise((go) => setTimeout(go, 100))`,
      },
    ]),
  })
  const { code } = await project.run()
  expect(code).toBe(1)
  expect(await readReport(project, 'performance.json')).toMatchObject({
    status: 'failure',
    errors: ['late one'],
  })
})

test('keeps reports up to date in watch mode: suites that are edited, deleted, or no suites any more', async () => {
  await using project = await createReporting({
    'a.test.ts': writeSuiteModule({ node_id: 'a' }, [{ name: 'One' }]),
    'b.test.ts': writeSuiteModule({ node_id: 'b' }, [{ name: 'One' }]),
  })
  const vitest = project.start('--watch')
  const steps = (): Promise<unknown> =>
    readReport(project, 'performance.json').then(
      ({ suites }) =>
        (suites as { node_id: string; steps: number }[]).map((suite) => `${suite.node_id} ${suite.steps}`),
      () => undefined,
    )
  await expect.poll(steps, { timeout: 15_000 }).toEqual(['a 1', 'b 1'])
  await project.write({ 'a.test.ts': writeSuiteModule({ node_id: 'a' }, [{ name: 'One' }, { name: 'Two' }]) })
  await expect.poll(steps, { timeout: 15_000 }).toEqual(['a 2', 'b 1'])
  await project.write({
    'b.test.ts': `import { test } from 'vitest'\ntest('is no suite any more', () => {})`,
  })
  await expect.poll(steps, { timeout: 15_000 }).toEqual(['a 2'])
  await project.write({ 'b.test.ts': writeSuiteModule({ node_id: 'b' }, [{ name: 'One' }]) })
  await expect.poll(steps, { timeout: 15_000 }).toEqual(['a 2', 'b 1'])
  await rm(join(project.root, 'b.test.ts'))
  await project.write({ 'a.test.ts': writeSuiteModule({ node_id: 'a' }, [{ name: 'Three' }]) })
  await expect.poll(steps, { timeout: 15_000 }).toEqual(['a 1'])
  await expect.poll(() => project.results(), { timeout: 15_000 }).toEqual(['a.json'])
  vitest.kill('SIGKILL')
})
