import { describe, expect, test } from 'vitest'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import { createProject, type Project } from './fixtures/project.ts'
import { shareRun } from './fixtures/shared-run.ts'

/** A suite whose steps each need the one before, and are sent in order. */
const chain = (url: string, id: string): string => `
suite_name: Chain ${id}
node_id: ${id}
base_url: ${url}
steps:
  - name: First
    request: { method: POST, url: '/anything/${id}-1', body: { v: 1 } }
    capture: { one: body.json.v }
  - name: Second
    request: { method: POST, url: '/anything/${id}-2', body: { v: '{{one + 1}}' } }
    capture: { two: body.json.v }
  - name: Third
    request: { method: POST, url: '/anything/${id}-3', body: { v: '{{two + 1}}' } }
    assert: { body.json.v: 3 }
`

/** A suite in TypeScript whose steps do not need each other. */
const typed = (url: string, id: string): string => `
import { defineSuite } from 'suitecase'
defineSuite({
  suite_name: 'Typed ${id}',
  base_url: '${url}',
  steps: [1, 2, 3].map((n) => ({ name: 'Step ' + n, request: { url: '/anything/${id}-' + n } })),
})
`

const NODE = ['--execArgv=--expose-gc', '--execArgv=--max-old-space-size=4096']

test.each([
  { args: ['--sequence.shuffle', '--sequence.seed=2', '--isolate', '--pool=forks'] },
  // The last two are Node options that a process accepts but a thread does not.
  { args: ['--sequence.concurrent', '--maxWorkers=1', '--no-file-parallelism', ...NODE] },
])('steps keep their order with $args', async ({ args }) => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'a.suite.yaml': chain(echo.url, 'a'),
    'b.suite.yaml': chain(echo.url, 'b'),
    'c.test.ts': typed(echo.url, 'c'),
  })
  const { code, output } = await project.run(...args)
  expect(output).toContain('9 passed')
  expect(code).toBe(0)
  for (const id of ['a', 'b', 'c'])
    expect(echo.paths().filter((path) => path.includes(`/${id}-`))).toEqual(
      [1, 2, 3].map((n) => `/anything/${id}-${n}`),
    )
  const { steps_results } = await project.result('c')
  const [first, second] = steps_results.map((step) => Date.parse(step.start_time ?? ''))
  expect(second).toBeGreaterThanOrEqual(Number(first) + Number(steps_results[0]?.duration_ms) - 1)
})

test('a run that only judges types runs no suite', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({ 'a.suite.yaml': chain(echo.url, 'a') })
  const { code, output } = await project.run('--typecheck.enabled', '--typecheck.only', '--passWithNoTests')
  expect(output).toContain('No test files found, exiting with code 0')
  expect(code).toBe(0)
  expect(echo.paths()).toEqual([])
})

const oneByOne = shareRun({ suites: '{ concurrency: 1 }' })
const chains = (url: string): Record<string, string> =>
  Object.fromEntries(['a', 'b', 'c', 'd'].map((id) => [`${id}.suite.yaml`, chain(url, id)]))
const alone = oneByOne(chains)

test('the results of suites do not depend on order and neighbours', async () => {
  const read = async (project: Project): Promise<unknown> =>
    Promise.all(
      ['a', 'b', 'c', 'd'].map(async (id) => {
        const { variables_captured, available_variables, steps_results } = await project.result(id)
        return {
          variables_captured,
          available_variables,
          bodies: steps_results.map((step) => step.request_details?.body),
        }
      }),
    )
  const { code, echo, project } = await alone()
  await using shuffled = await createProject(chains(echo.url), { suites: '{ concurrency: 4 }' })
  const { code: other } = await shuffled.run('--sequence.shuffle', '--sequence.seed=3')
  expect([code, other]).toEqual([0, 0])
  expect(await read(shuffled)).toEqual(await read(project))
})

const prioritised = oneByOne((url) => {
  const suite = (id: string, priority: string, reads = ''): string =>
    `suite_name: ${id}\nnode_id: ${id}\nbase_url: ${url}\nmetadata: { priority: ${priority} }\nexports: [v]\nsteps:\n  - name: One\n    request: { url: '/anything/${id}${reads}' }\n    capture: { v: body.method }\n`
  return {
    'e.suite.yaml': suite('low', 'low'),
    'f.suite.yaml': suite('medium', 'medium'),
    'g.suite.yaml': suite('critical', 'critical', '-{{base.v}}'),
    'h.suite.yaml': suite('base', 'low'),
  }
})

test('suites of higher priority start first, after those they read from', async () => {
  const { code, echo } = await prioritised()
  expect(code).toBe(0)
  expect(echo.sent()).toBe('base critical-GET medium low')
})

test('`--bail` stops the run after a failure, also the steps for exports, and the teardown runs', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject(
    {
      'a.suite.yaml': `
suite_name: Fails
base_url: ${echo.url}
metadata: { priority: critical }
exports: [token]
steps:
  - name: Broken
    request: { url: /status/500 }
    assert: { status_code: 200 }
  - name: After
    iterate: { over: [1, 2], as: n }
    request: { url: /anything/after }
  - name: Log in
    request: { url: /anything/login }
    capture: { token: body.url }
teardown:
  - name: Clean up
    request: { url: /anything/cleanup }
`,
      'b.suite.yaml': chain(echo.url, 'b'),
      'c.suite.yaml': chain(echo.url, 'c').replace('/c-1', '/c-1-{{a.token}}'),
    },
    { suites: '{ concurrency: 1 }' },
  )
  const { code } = await project.run('--bail=1')
  expect(code).toBe(1)
  expect(echo.paths()).toEqual(['/status/500', '/anything/cleanup'])
  const { steps_results } = await project.result('a')
  expect(steps_results.map((step) => [step.step_id, step.step_name, step.status])).toEqual([
    ['step-1-broken', 'Broken', 'failure'],
    ['step-2-after', 'After', 'not_run'],
    ['step-2-after', 'After', 'not_run'],
    ['step-3-log-in', 'Log in', 'not_run'],
    ['teardown-1-clean-up', 'Clean up', 'success'],
  ])
  expect((await project.step('a', 'Clean up')).response_details?.status_code).toBe(200)
})

test('`--bail` skips a step of a suite in TypeScript that runs in another worker', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'typed.test.ts': `import { writeFileSync } from 'node:fs'
import { defineSuite } from 'suitecase'
const start = () => {
  writeFileSync(new URL('./started', import.meta.url), '')
  return '/delay/9'
}
defineSuite({
  suite_name: 'Typed',
  base_url: '${echo.url}',
  steps: [{ name: 'Slow', request: { url: start } }],
  teardown: [{ name: 'Clean up', request: { url: '/anything/cleanup' } }],
})
`,
    'fails.test.ts': `import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
test('fails', async () => {
  await expect.poll(() => existsSync(new URL('./started', import.meta.url)), { timeout: 20_000 }).toBe(true)
  throw new Error('expected')
}, 30_000)
`,
  })
  const { code, output } = await project.run('--bail=1', '--maxWorkers=2')
  expect(code).toBe(1)
  expect(output).toContain('Tests  1 failed | 2 skipped (3)')
  expect(echo.count('/anything/cleanup')).toBe(1)
  expect(await project.step('typed', 'Slow')).toMatchObject({
    status: 'not_run',
    skip_reason: 'the run was stopped after failures (option `bail`)',
  })
})

test('`--bail` counts each failure as soon as it is there, and loses no result where several come at once', async () => {
  const steps = [1, 2, 3, 4, 5, 6].map(
    (n) => `  - { name: 'Step ${n}', request: { url: /get }, assert: { status_code: 404 } }\n`,
  )
  const text = `base_url: '{{echo_url}}'\nsteps:\n${steps.join('')}`
  await using one = await createProject(
    { 'a.suite.yaml': `suite_name: A\n${text}` },
    { suites: '{ concurrency: 1 }' },
  )
  expect((await one.run('--bail=2')).output).toContain('Tests  2 failed | 4 skipped (6)')
  // As with other tests, the failed block and file of A count as well.
  await one.write({ 'b.suite.yaml': `suite_name: B\n${text}` })
  const two = await one.run('--bail=9', '--reporter=verbose')
  expect(two.output).toContain('Tests  7 failed | 5 skipped (12)')
  expect(two.output).toContain('Step 2 [the run was stopped after failures (option `bail`)]')
  const names = ['a', 'b', 'c', 'd']
  await using project = await createProject(
    Object.fromEntries(names.map((name) => [`${name}.suite.yaml`, `suite_name: ${name}\n${text}`])),
  )
  const { code, output } = await project.run('--bail=1')
  expect([code, output]).toEqual([1, expect.stringContaining('Expected `status_code` to be 404, got 200')])
  for (const name of names)
    for (const { error_message } of (await project.result(name)).steps_results)
      expect([name, error_message]).not.toContainEqual(expect.stringContaining('did not end'))
})

describe('when `--bail` ends a run', () => {
  const bailed = shareRun({ suites: '{ concurrency: 10 }' }, '--bail=1')
  const one = (name: string, url: string, step: string): string =>
    `suite_name: ${name}\nbase_url: ${url}\nsteps:\n  - name: One\n    ${step}\n`

  const underWay = bailed((url) => ({
    'a.suite.yaml': one('Fails', url, 'request: { url: /delay/0.5 }\n    assert: { status_code: 404 }'),
    'delays.suite.yaml': one('Delays', url, 'delay_ms: 9000\n    request: { url: /anything/late }'),
    'waits.suite.yaml': one('Waits', url, 'request: { url: /delay/9 }'),
    'calls.suite.yaml': one('Calls', url, 'call: { suite: ./called.suite.yaml }'),
    'calls-one.suite.yaml': one('Calls one', url, 'call: { suite: ./called.suite.yaml, step: One }'),
    'called.suite.yaml': one('Called', url, 'request: { url: /delay/8 }'),
  }))

  test('the tests of steps that were under way, whatever they did, are skipped with the reason, and have not run', async () => {
    const { code, output, project } = await underWay()
    expect(code).toBe(1)
    for (const name of ['delays', 'waits', 'calls', 'calls-one', 'called'])
      expect([name, await project.step(name, 'One')]).toMatchObject([
        name,
        { status: 'not_run', skip_reason: expect.stringContaining('bail') },
      ])
    expect(output).toContain('Tests  1 failed | 7 passed | 6 skipped (14)')
    expect(await project.result('waits')).toMatchObject({ status: 'not_run', success_rate: 0 })
  })

  const tearsDown = bailed((url) => ({
    'tears.suite.yaml': `${one('Tears down', url, 'request: { url: /get }')}teardown: [{ name: Clean up, request: { url: /delay/1 } }]\n`,
  }))

  test('the teardown of another suite is not cut off', async () => {
    const { statuses } = await tearsDown()
    expect(await statuses('tears')).toBe('success success')
  })

  const loops = bailed((url) => ({
    'loops.suite.yaml': `suite_name: Loops
base_url: ${url}
steps:
  - { name: Loop, iterate: { over: [1, 2, 3], as: n }, request: { url: '/get?n={{n}}' } }
  - { name: Long, request: { url: /delay/9 } }
teardown:
  - { name: Clear, iterate: { over: [1, 2], as: n }, request: { url: '/anything/clear-{{n}}' } }
`,
  }))

  test('a teardown has its results beside those of the iterations before it, one for each of its own', async () => {
    const { echo, project } = await loops()
    expect(echo.paths().slice(-2)).toEqual(['/anything/clear-1', '/anything/clear-2'])
    const { steps_results } = await project.result('loops')
    expect(steps_results.map((step) => [step.step_name, step.status, step.iteration?.['n']])).toEqual([
      ['Loop', 'success', 1],
      ['Loop', 'success', 2],
      ['Loop', 'success', 3],
      ['Long', 'not_run', undefined],
      ['Clear', 'success', 1],
      ['Clear', 'success', 2],
    ])
  })
})

test('a test that failed and waits for its retry when `--bail` ends the run has failed, at once', async () => {
  const one = (name: string, step: string): string =>
    `suite_name: ${name}\nbase_url: '{{echo_url}}'\nsteps:\n  - name: One\n    assert: { status_code: 200 }\n    ${step}\n`
  await using project = await createProject(
    {
      'waits.suite.yaml': one('Waits', 'request: { url: /status/500 }'),
      'ends.suite.yaml': one('Ends', 'tags: [once]\n    delay_ms: 600\n    request: { url: /status/500 }'),
    },
    { test: `{ retry: { count: 1, delay: 600000 }, tags: [{ name: 'once', retry: 0 }] }` },
  )
  const { output } = await project.run('--bail=1')
  expect(output).toMatch(/Tests {2}2 failed \(2\)/)
  expect(await project.step('waits', 'One')).toMatchObject({ status: 'failure' })
})

test('a teardown of which an iteration fails runs its other iterations, also after `--bail`', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'a.suite.yaml': `
suite_name: A
base_url: ${echo.url}
steps:
  - { name: Step, request: { url: /anything/step } }
teardown:
  - name: Clear
    iterate: { over: [1, 2, 3], as: n }
    request: { url: '/anything/clear-{{n}}' }
    assert: { body.url: { not_contains: clear-1 } }
`,
  })
  expect((await project.run('--bail=1')).code).toBe(1)
  expect(echo.sent()).toBe('step clear-1 clear-2 clear-3')
  const { steps_results } = await project.result('a')
  expect(steps_results.map((step) => [step.step_name, step.status, step.iteration?.['n']])).toEqual([
    ['Step', 'success', undefined],
    ['Clear', 'failure', 1],
    ['Clear', 'success', 2],
    ['Clear', 'success', 3],
  ])
})

const together = shareRun(
  {
    test: `{
      isolate: false,
      diff: { aAnnotation: 'Wanted' },
      allowOnly: true,
      tags: [{ name: 'later', todo: true }, { name: 'alone', only: true }, { name: 'broken', fails: true }],
    }`,
  },
  '--reporter=default',
  '--reporter=json',
  '--outputFile=run.json',
)

/** The tests of that run by file. */
async function readTests(project: Project) {
  const { testResults } = JSON.parse(await project.read('run.json')) as {
    testResults: { name: string; assertionResults: { title: string; status: string; meta: object }[] }[]
  }
  return testResults
}

const mistakes = together((url) => ({
  'bad.suite.yaml': `
suite_nam: Bad
base_url: ${url}
steps:
  - name: One
    request: { url: 5 }
    asert: {}
  - name: Two
    request: { url: /x, method: POST, body: '{{js: 1 +}}' }
    assert: { body.x: { equalz: 1 } }
`,
  'good.suite.yaml': chain(url, 'good'),
}))

test('several mistakes in one file are all printed, the other files run, the run fails', async () => {
  const { code, output, statuses } = await mistakes()
  for (const problem of ['suite_nam', 'bad.suite.yaml:6:', 'asert', 'bad.suite.yaml:9:', 'equalz'])
    expect(output).toContain(problem)
  expect(await statuses('good')).toBe('success success success')
  expect(code).toBe(1)
})

const escapes = together((url) => ({
  'n.suite.yaml': `
suite_name: "Sui\\e[31mte \\u202Ename"
base_url: ${url}
steps:
  - name: "Step\\a \\u2066one"
    request: { url: /anything/x }
    assert: { status_code: 500 }
`,
}))

test('names with control characters are shown escaped', async () => {
  const { output } = await escapes()
  expect(output).toContain(String.raw`Sui\x1b[31mte \u202ename`)
  expect(output).toContain(String.raw`Step\x07 \u2066one`)
  for (const raw of ['\u0007', '\u202e', '\u2066']) expect(output).not.toContain(raw)
})

const plain = together(() => ({
  'plain.test.ts': `import { defineSuite } from 'suitecase'
defineSuite({ suite_name: 'A', steps: [{ name: 'One', request: { url: '{{echo_url}}/get' } }] })
`,
}))

test('a step in TypeScript carries its own name and id, not what its suite has', async () => {
  const { project } = await plain()
  const own = { kind: 'step', step_id: 'step-1-one', step_name: 'One' }
  const results = (await readTests(project)).find(({ name }) => name.endsWith('plain.test.ts'))
  expect(results?.assertionResults.map(({ meta }) => meta)).toEqual([{ suitecase: own }])
})

const differing = together(() => {
  const steps = `[{ name: 'One', request: { method: 'POST', url: '/post', body: [1, 2, 3] }, assert: { 'body.json': [1, 2, 4] } }]`
  return {
    'differs.suite.yaml': `suite_name: A\nbase_url: '{{echo_url}}'\nsteps: ${steps}\n`,
    'differs.test.ts': `import { defineSuite } from 'suitecase'\ndefineSuite({ suite_name: 'B', base_url: '{{echo_url}}', steps: ${steps} })\n`,
  }
})

test('what the configuration says of diffs counts for suites, also in TypeScript', async () => {
  const { output } = await differing()
  expect(output.match(/^- (Wanted|Expected)$/gm)).toEqual(['- Wanted', '- Wanted'])
})

const tagged = together(() => {
  const steps = `[{ name: 'One', tags: ['broken'], request: { url: '/status/500' }, assert: { status_code: 200 } }]`
  return {
    'tags-later.suite.yaml': `
suite_name: A
base_url: '{{echo_url}}'
steps:
  - { name: Later, tags: [later], request: { url: /status/500 }, assert: { status_code: 200 } }
  - { name: Now, request: { url: /get } }
`,
    'tags-only.suite.yaml': `
suite_name: B
base_url: '{{echo_url}}'
steps:
  - { name: Alone, tags: [alone], request: { url: /get } }
  - { name: Other, request: { url: /status/500 }, assert: { status_code: 200 } }
`,
    'tags-fail.suite.yaml': `suite_name: C\nbase_url: '{{echo_url}}'\nsteps: ${steps}\n`,
    'tags-fail.test.ts': `import { defineSuite } from 'suitecase'\ndefineSuite({ suite_name: 'D', base_url: '{{echo_url}}', steps: ${steps} })\n`,
  }
})

test('what the configuration says of a tag counts for steps; none can be expected to fail', async () => {
  const { output, project } = await tagged()
  expect(output.match(/Error: A step cannot be expected to fail: .*/g)).toEqual(
    Array(2).fill(
      'Error: A step cannot be expected to fail: the Vitest configuration sets `fails: true` for a tag of this step (broken), or for its suite. Check the error response of the API instead, such as `status_code: 500`.',
    ),
  )
  const results = await readTests(project)
  const statuses = results.flatMap(({ name, assertionResults }) =>
    name.includes('/tags-') ? assertionResults.map(({ title, status }) => `${title}: ${status}`) : [],
  )
  expect(statuses.toSorted()).toEqual([
    'Alone: passed',
    'Later: todo',
    'Now: passed',
    'One: failed',
    'One: failed',
    'Other: skipped',
  ])
})

test('runs that start while another is under way, as from the UI, are all reported, each request once', async () => {
  await using project = await createProject({
    'a.suite.yaml': chain("'{{echo_url}}'", 'a'),
    'b.suite.yaml': chain("'{{echo_url}}'", 'b').replace('v: 3', 'v: 4'),
    'c.suite.yaml': chain("'{{echo_url}}'", 'c').replace('v: 3', 'v: 5'),
    'run.js': `import { createVitest } from 'vitest/node'
const vitest = await createVitest('test', { watch: false })
await vitest.standalone()
const suites = await vitest.globTestSpecifications()
await Promise.all(suites.map((suite) => vitest.runTestSpecifications([suite])))
await vitest.close()
`,
  })
  const { code, output } = await project.script('run.js')
  // Two that end at the same moment may share a summary.
  const counts = Array.from(output.matchAll(/Performance {2}(\d+) requests/g), ([, count]) => Number(count))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(9)
  const { failures } = JSON.parse(await project.report('failures.json')) as { failures: { file: string }[] }
  expect(failures.map(({ file }) => file)).toEqual(['b.suite.yaml', 'c.suite.yaml'])
  expect(code).toBe(1)
})

test('a program that runs or lists suites again finds what was edited since, also without a watcher', async () => {
  const suite = (name: string, status: number): string =>
    `suite_name: A\nbase_url: '{{echo_url}}'\neach: { file: rows.csv }\nsteps:\n  - { name: ${name}, request: { url: /get }, assert: { status_code: ${status} } }\n`
  await using project = await createProject({
    'a.suite.yaml': suite('One', 200),
    'rows.csv': 'v\n1\n',
    'run.js': `import { createVitest } from 'vitest/node'
import { writeFileSync } from 'node:fs'
const vitest = await createVitest('test', { watch: false })
await vitest.standalone()
const suites = await vitest.globTestSpecifications()
const show = (modules) =>
  console.log('RAN ' + modules.flatMap(({ children }) => Array.from(children.allTests(), (test) => test.name + ' ' + test.result().state)).join(', '))
const run = async () => show((await vitest.runTestSpecifications(suites)).testModules)
await run()
writeFileSync('a.suite.yaml', ${JSON.stringify(suite('Two', 201))})
await run()
writeFileSync('rows.csv', 'v\\n1\\n2\\n')
await run()
writeFileSync('a.suite.yaml', ${JSON.stringify(suite('Three', 200))})
vitest.invalidateFile(suites[0].moduleId)
show(await vitest.parseSpecifications(suites))
await vitest.close()
`,
  })
  const { output } = await project.script('run.js')
  expect(output.match(/^RAN .*$/gm)).toEqual([
    'RAN One passed',
    'RAN Two failed',
    'RAN Two failed, Two failed',
    'RAN Three pending, Three pending',
  ])
})

test.each([
  {
    args: ['--config', 'conf/my api.config.ts'],
    written: "--config 'conf/my api.config.ts'",
  },
  {
    args: ['-r', 'api', '--mode=staging'],
    written: '--root api --mode staging',
  },
])('the command of a failure has $written, and the path from here', async ({ args, written }) => {
  const suite = `suite_name: One
base_url: '{{echo_url}}'
steps:
  - name: One
    request: { url: /get }
    assert: { status_code: 201 }
`
  const config = `import { suites } from 'suitecase/plugin'\nexport default { plugins: [suites()] }\n`
  await using project = await createProject({
    'vitest.config.ts': undefined,
    'conf/my api.config.ts': config,
    'api/vitest.config.ts': config,
    'api/broken.suite.yaml': suite.replace('steps', 'step'),
    'api/one.suite.yaml': suite,
    'api/typed.test.ts': `import { defineSuite } from 'suitecase'
defineSuite({ suite_name: 'Two', base_url: '{{echo_url}}', steps: [
  { name: 'Two', request: { url: '/get' }, assert: { status_code: 202 } },
] })
`,
  })
  const { output } = await project.run(...args)
  const again = (place: string): string => `npx vitest run ${written} ${place}`
  expect(output).toContain(`\n  ${again('api/one.suite.yaml:4')}\n`)
  expect(output).toContain(`\n  ${again('api/typed.test.ts:3')}\n`)
  const folder = args.includes('api') ? 'api/.vitest' : '.vitest'
  const failures = JSON.parse(await project.read(`${folder}/suitecase/failures.json`)) as object
  expect(failures).toMatchObject({
    failures: [{ command: again('api/broken.suite.yaml') }, { command: again('api/one.suite.yaml:4') }, {}],
  })
  const one = await project.vitest('list', ...args, 'api/one.suite.yaml:4')
  expect(one.output).toMatch(/^\[suites\] \S*one\.suite\.yaml > One > One\n$/)
})

test('many test files in one process cause no warnings about listeners', async () => {
  // A file more than Node allows listeners for an event without a warning.
  const suite = `import { EventEmitter } from 'node:events'
import { defineSuite } from 'suitecase'
EventEmitter.defaultMaxListeners = 3
defineSuite({
  suite_name: 'A',
  base_url: '{{app_url}}',
  steps: [{ name: 'One', request: { url: '/' }, assert: { status_code: 200 } }],
})
`
  const names = Array.from({ length: 4 }, (_, index) => `${index}.test.ts`)
  await using project = await createProject(
    {
      ...Object.fromEntries(names.map((name) => [name, suite])),
      'app.ts': 'export default (request, response) => response.end()',
    },
    { suites: "{ app: './app.ts' }" },
  )
  const { code, output } = await project.run('--pool=vmThreads', '--maxWorkers=1')
  expect(output).toContain('4 passed')
  expect(output).not.toContain('Warning')
  expect(code).toBe(0)
})
