import { Ajv } from 'ajv'
import { expect, test, vi } from 'vitest'
import type { TestModule, Vitest } from 'vitest/node'
import failuresSchema from '../../../src/report/schema/failures.schema.json' with { type: 'json' }
import performanceSchema from '../../../src/report/schema/performance.schema.json' with { type: 'json' }
import suiteSchema from '../../../src/report/schema/suite-result.schema.json' with { type: 'json' }
import type { StepResult } from '../../../src/run/result.ts'
import { createReporting, readReport, writeSuiteModule } from './fixtures/suite-module.ts'

const timed = (total: number): Partial<StepResult> => ({ timings: { total }, duration_ms: Math.ceil(total) })

test('writes a result file per suite, the performance report and a summary', async () => {
  await using project = await createReporting({
    'auth.test.ts': writeSuiteModule({ node_id: 'auth', priority: 'high', tags: ['smoke'] }, [
      { name: 'Log in', result: timed(120) },
      { name: 'Fetch profile', result: timed(20) },
    ]),
    'unit.test.ts': `import { test } from 'vitest'\ntest('is not a suite', () => {})`,
  })
  const { code, output } = await project.run()
  expect(output).toContain('Performance  2 requests in ')
  expect(code).toBe(0)
  expect(await project.results()).toEqual(['auth.json'])
  const suite = await readReport(project, 'suites/auth.json')
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
  const report = await readReport(project, 'performance.json')
  expect(report).toMatchObject({
    status: 'success',
    totals: { steps: 2, steps_successful: 2 },
    summary: { requests: 2, average_ms: 70, median_ms: 20, p95_ms: 120, fastest_ms: 20, slowest_ms: 120 },
  })
})

test('writes files that keep to the published schemas, and a HAR when asked', async () => {
  await using project = await createReporting(
    {
      'a.test.ts': writeSuiteModule(
        { node_id: 'a', seed: 7, warnings: [{ message: 'w', line: 1, column: 1 }] },
        [
          { name: 'Sent', result: timed(3) },
          { name: 'Stopped', result: null, body: 'throw new Error("x")' },
        ],
      ),
      'broken.suite.yaml': 'steps: [{name: A}]',
    },
    '{ har: true, thresholds: { p95: 1000 } }',
  )
  await project.run()
  const ajv = new Ajv({ allErrors: true, formats: { 'date-time': true } })
  const problems = [
    ajv.validate(suiteSchema, await readReport(project, 'suites/a.json')) || ajv.errors,
    ajv.validate(suiteSchema, await readReport(project, 'suites/broken.json')) || ajv.errors,
    ajv.validate(performanceSchema, await readReport(project, 'performance.json')) || ajv.errors,
    ajv.validate(failuresSchema, await readReport(project, 'failures.json')) || ajv.errors,
  ]
  expect(problems).toEqual([true, true, true, true])
  const { log } = (await readReport(project, 'report.har')) as { log: { entries: { comment: string }[] } }
  expect(log.entries.map(({ comment }) => comment)).toEqual(['a::step-1-sent'])
  expect(await project.report('index.html')).toContain('<script type="application/json" id="suite-1">')
})

test('removes files of the run before that it no longer writes, and no others', async () => {
  await using project = await createReporting({
    'a.test.ts': writeSuiteModule({ node_id: 'a' }, [{ name: 'One' }]),
    'b.test.ts': writeSuiteModule({ node_id: 'b' }, [{ name: 'One' }]),
    '.vitest/suitecase/suites/mine.json': '{}',
  })
  await project.run()
  expect(await project.results()).toEqual(['a.json', 'b.json', 'mine.json'])
  await project.run('a.test.ts')
  expect(await project.results()).toEqual(['a.json', 'mine.json'])
})

test('fails the run when a report cannot be written, and claims no success', async () => {
  await using project = await createReporting({
    'a.test.ts': writeSuiteModule({ node_id: 'a' }, [{ name: 'One' }]),
    '.vitest/suitecase': 'a file where the directory should be',
  })
  const { code, output } = await project.run()
  expect(code).toBe(1)
  expect(output).toMatch(
    /suitecase: The reports in `.vitest\/suitecase` \(option `report.outputDir`\) could not be written: (?:EEXIST|ENOTDIR)/,
  )
  expect(output.match(/could not be written/g)).toHaveLength(1)
  expect(output).not.toContain('Performance')
})

test('a page that cannot be written is an error in the other reports, too', async () => {
  await using project = await createReporting(
    {
      'a.test.ts': writeSuiteModule({ node_id: 'a' }, [{ name: 'One' }]),
      'b.test.ts': writeSuiteModule({ node_id: 'b' }, [otherRun]),
      '.vitest/suitecase/index.html': 'my own page',
    },
    '{}',
    { test: '{ maxWorkers: 2 }' },
  )
  const { code, output } = await project.run()
  const message =
    'The reports in `.vitest/suitecase` (option `report.outputDir`) could not be written: the `index.html` there is not a report. Choose another folder, or remove that file.'
  expect(code).toBe(1)
  expect(output.split(message)).toHaveLength(2)
  const lost = expect.stringContaining('The reports lack the results of a.suite.yaml')
  expect(await readReport(project, 'failures.json')).toMatchObject({ errors: [message, lost] })
  expect(await readReport(project, 'performance.json')).toMatchObject({ status: 'failure' })
})

/** A test that removes the results of the suite `a`, like another run that starts meanwhile. */
const otherRun = {
  name: 'Start another run',
  body: `
  const fs = process.getBuiltinModule('node:fs')
  const file = import.meta.dirname + '/.vitest/suitecase/suites/a.json'
  while (!fs.existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 10))
  fs.rmSync(file)`,
}

test('says whose results another run removed meanwhile, fails, and keeps the others', async () => {
  await using project = await createReporting(
    {
      'a.test.ts': writeSuiteModule({ node_id: 'a' }, [{ name: 'One' }]),
      'b.test.ts': writeSuiteModule({ node_id: 'b' }, [otherRun]),
    },
    '{}',
    { test: '{ maxWorkers: 2 }' },
  )
  const { code, output } = await project.run()
  const message =
    'The reports lack the results of a.suite.yaml: their files were removed from `.vitest/suitecase` during the run, perhaps by another run that writes there. Give each run its own `report.outputDir`, and run these suites again.'
  expect(output).toContain(`suitecase: ${message}`)
  expect(code).toBe(1)
  expect(await project.results()).toEqual(['b.json'])
  expect(await readReport(project, 'failures.json')).toMatchObject({ errors: [message] })
  expect(await project.report('index.html')).toContain('<script type="application/json" id="suite-0">')
})

test('never lets a node id choose a path, nor two suites share a file', async () => {
  const ids = [
    '../../outside',
    'a/b',
    'A',
    'a',
    'nul',
    `long-${'x'.repeat(5000)}`,
    '.hidden',
    '名前',
    '',
    'a\u0000b',
    '__proto__',
  ]
  const twin = writeSuiteModule({ node_id: 'twin', row: 0 }, [{ name: 'One' }])
  await using project = await createReporting({
    ...Object.fromEntries(
      ids.map((node_id, index) => [
        `${index}.test.ts`,
        writeSuiteModule({ node_id, suite_name: `s${index}` }, [{ name: 'One' }]),
      ]),
    ),
    'twins.test.ts': twin + twin.replace(/^import.*$/m, ''),
  })
  ids.push('twin', 'twin')
  const { code } = await project.run()
  expect(code).toBe(0)
  const files = await project.results()
  expect(files).toHaveLength(ids.length)
  expect(files.every((file) => /^[\w.-]{1,120}\.json$/.test(file))).toBe(true)
  const written = await Promise.all(files.map((file) => readReport(project, `suites/${file}`)))
  expect(written.map((suite) => String(suite.node_id)).toSorted()).toEqual(ids.toSorted())
})

test('fails a run that does not keep its thresholds, and compares with a baseline', async () => {
  await using project = await createReporting(
    { 'a.test.ts': writeSuiteModule({ node_id: 'a' }, [{ name: 'One', result: timed(300) }]) },
    `{ thresholds: { p95: 200, steps_flaky: 0 }, baseline: '.vitest/suitecase/performance.json' }`,
  )
  const first = await project.run()
  expect(first.output).toContain('suitecase: no baseline yet; the next run is compared with this one')
  await project.write({
    'a.test.ts': writeSuiteModule({ node_id: 'a' }, [{ name: 'One', result: timed(450) }]),
  })
  const { code, output } = await project.run()
  expect(code).toBe(1)
  expect(output).toContain(
    'suitecase: A threshold was not met: `p95` is 450 ms; `report.thresholds.p95` allows 200 ms.',
  )
  expect(output).toContain('   Baseline  average 300 ms before, +50 %')
  expect(await readReport(project, 'failures.json')).toMatchObject({
    failures: [],
    errors: [expect.stringMatching(/^A threshold was not met: `p95` is 450 ms;/)],
  })
  expect(await readReport(project, 'performance.json')).toMatchObject({
    status: 'failure',
    thresholds: [
      { metric: 'p95', limit: 200, actual: 450, passed: false },
      { metric: 'steps_flaky', limit: 0, actual: 0, passed: true },
    ],
    baseline: {
      change_percent: 50,
      suites: [{ node_id: 'a', before_ms: 300, now_ms: 450, change_percent: 50 }],
    },
  })
})

test('fails a run whose baseline cannot be read, and says what to do', async () => {
  await using project = await createReporting(
    { 'a.test.ts': writeSuiteModule({ node_id: 'a' }, [{ name: 'One' }]) },
    `{ baseline: 'main.json' }`,
  )
  const { code, output } = await project.run()
  expect(code).toBe(1)
  expect(output).toContain('suitecase: The baseline `main.json` could not be used: ENOENT')
  expect(output).toContain('Use the `performance.json` of an earlier run, or remove `report.baseline`.')
})

test('keeps control characters off the terminal and JSON valid, whatever suites contain', async () => {
  await using project = await createReporting(
    {
      'a.test.ts': writeSuiteModule({ node_id: 'a', suite_name: 'x\u001b[31m\u202e\ud800' }, [
        {
          name: 'One',
          result: {
            ...timed(1),
            step_name: '\u001b]0;pwn\u0007\ud800',
            response_details: {
              status_code: 200,
              headers: {},
              body: '\ud800<script>\u2028',
              size_bytes: 1,
              transfer_bytes: 1,
              raw_response: '\u0000',
            },
          },
        },
      ]),
    },
    `{ performance: 'full' }`,
  )
  const { output } = await project.run('--silent')
  const ours = output.slice(output.indexOf('Performance'))
  expect(ours).toContain(String.raw`x\x1b[31m\u202e`)
  expect(ours).not.toMatch(/[^\P{Cc}\n]|\u202e/u)
  expect((await readReport(project, 'suites/a.json')).suite_name).toBe('x\u001b[31m\u202e\ufffd')
})

test('records no suite that ends after the run was forced to end: its file would contradict the figures', async () => {
  let force: (() => Promise<void>) | undefined
  vi.resetModules()
  vi.doMock('../handle-signals.ts', () => ({
    handleSignals: (_: Vitest, finish: () => Promise<void>) => {
      force = finish
      return () => {}
    },
  }))
  const { default: Reporter } = await import('./suite-reporter.ts')
  vi.doUnmock('../handle-signals.ts')
  vi.resetModules()
  const reporter = new Reporter()
  reporter.onInit({
    config: { root: '/', reporters: [] },
    state: { getTestModules: () => [] },
    waitForTestRunEnd: async () => {},
  } as unknown as Vitest)
  await reporter.onTestRunStart([])
  const read = vi.fn<() => never[]>(() => [])
  const module = {
    project: { name: '', vitest: { config: {}, projects: [] } },
    meta: () => ({}),
    moduleId: '/a.test.ts',
    children: { allSuites: read },
  } as unknown as TestModule
  reporter.onTestModuleEnd(module)
  await reporter.onTestRunEnd([], [])
  expect(read).toHaveBeenCalled()
  read.mockClear()
  await force?.()
  reporter.onTestModuleEnd(module)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(read).not.toHaveBeenCalled()
})
