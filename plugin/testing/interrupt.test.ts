import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { VITEST } from './fixtures/installed-package.ts'
import { startLoggedEcho, type LoggedEcho } from './fixtures/logged-echo.ts'
import { waitUntil, type RunningProcess } from './fixtures/processes.ts'
import { createProject, type Project } from './fixtures/project.ts'

const slow = (url: string): string => `
suite_name: Slow
base_url: ${url}
steps:
  - name: Quick
    request: { url: /anything/quick }
  - name: Hangs
    request: { url: /delay/9 }
  - name: Never
    request: { url: /anything/never }
teardown:
  - name: Clean up
    request: { url: /anything/cleanup }
`

/** Starts Vitest, and waits until the step runs that would take nine seconds. */
async function startUntilSlow(
  project: Project,
  echo: LoggedEcho,
  ...args: string[]
): Promise<RunningProcess> {
  const vitest = project.start(...args)
  await waitUntil(() => echo.count('/delay/9') === 1, { patience: 20_000, describe: () => vitest.output() })
  return vitest
}

test('an interrupt runs the teardown and ends everything within five seconds', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({ 'slow.suite.yaml': slow(echo.url) })
  const vitest = await startUntilSlow(
    project,
    echo,
    'run',
    '--reporter=default',
    '--reporter=junit',
    '--outputFile.junit=junit.xml',
  )
  const since = performance.now()
  vitest.kill('SIGINT')
  const { code, output } = await vitest.ended(10_000)
  expect(performance.now() - since).toBeLessThan(5000)
  expect(code).toBe(130)
  expect(output).not.toContain('Unhandled')
  expect(echo.paths()).toEqual(['/anything/quick', '/delay/9', '/anything/cleanup'])
  const { steps_results } = await project.result('slow')
  expect(steps_results.map(({ step_id, status }) => [step_id, status])).toEqual([
    ['step-1-quick', 'success'],
    ['step-2-hangs', 'failure'],
    ['step-3-never', 'not_run'],
    ['teardown-1-clean-up', 'success'],
  ])
  // Other reports must say as much as ours.
  expect(output).toContain('FAIL  |suites| slow.suite.yaml:7 > Slow > Hangs')
  expect(output).toMatch(/Tests {2}1 failed \| 2 passed \| 1 skipped/)
  expect(output).toContain('✓ Clean up')
  expect(await project.read('junit.xml')).toMatch(
    /tests="4" failures="1"[^]*Hangs"[^]*<failure message="The step was stopped: the run was stopped\n\nGET /,
  )
})

test('an interrupt that comes while the worker starts ends the run as soon, and other reports are written too', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'slow.suite.yaml': slow(echo.url),
    'begin.js': "export default class { onTestRunStart() { console.log('The run begins') } }",
  })
  const vitest = project.start('run', '--reporter=./begin.js', '--reporter=json', '--outputFile=out.json')
  await vitest.shows(/The run begins/)
  const since = performance.now()
  vitest.kill('SIGINT')
  expect((await vitest.ended(10_000)).code).toBe(130)
  expect(performance.now() - since).toBeLessThan(3500)
  expect(await project.read('out.json')).toContain('slow.suite.yaml')
  // Whether a step had started by then, and so failed, is a matter of milliseconds.
  expect(await project.report('performance.json')).toMatch(/"status": "(?:failure|not_run)"/)
})

test('a teardown that fails after an interrupt is told, and its result has all details', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'slow.suite.yaml': `${slow(echo.url)}    assert: { status_code: 299 }\n`,
  })
  const vitest = await startUntilSlow(project, echo, 'run')
  vitest.kill('SIGINT')
  const { code, output } = await vitest.ended(10_000)
  expect(code).toBe(130)
  expect(output).toContain('The step “Clean up” (line 12), which ran as teardown, failed: ')
  const { status, response_details, assertions_results } = await project.step('slow', 'Clean up')
  expect([status, response_details?.status_code, assertions_results.length]).toEqual(['failure', 200, 1])
})

test('an interrupt ends the wait for a hook, and the teardown runs', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject(
    {
      'slow.suite.yaml': slow(echo.url),
      'extension.ts': `
export default { afterEach: ({ step }) => step.name === 'Quick' && new Promise(() => {}) }
`,
    },
    { suites: "{ extend: './extension.ts' }" },
  )
  const vitest = project.start('run')
  await waitUntil(() => echo.count('/anything/quick') === 1, {
    patience: 20_000,
    describe: () => vitest.output(),
  })
  // The response has to reach the hook first.
  await setTimeout(300)
  vitest.kill('SIGINT')
  const { code } = await vitest.ended(10_000)
  expect(code).toBe(130)
  expect(echo.paths()).toEqual(['/anything/quick', '/anything/cleanup'])
  expect((await project.step('slow', 'Quick')).error_message).toBe(
    'The step was stopped: the run was stopped\n`afterEach` failed: it did not finish before the step was stopped',
  )
})

test('a terminal that is closed ends the run like an interrupt', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'slow.suite.yaml': slow(echo.url).replace('/anything/cleanup', '/delay/0.5'),
  })
  const vitest = await startUntilSlow(project, echo, 'run')
  vitest.hangUp()
  const { code } = await vitest.ended(10_000)
  expect(code).toBe(129)
  expect((await project.step('slow', 'Clean up')).status).toBe('success')
  expect(await project.report('failures.json')).toContain('The step was stopped')
})

test('a reader that leaves early, such as `head`, changes nothing but what is shown', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'slow.suite.yaml': slow(echo.url)
      .replace('/delay/9', '/delay/1')
      .replaceAll(' }\n', ' }\n    assert: { status_code: 200 }\n'),
  })
  const vitest = project.start('run')
  await waitUntil(() => echo.count('/delay/1') === 1, { patience: 20_000, describe: () => vitest.output() })
  vitest.stopReading()
  const { code } = await vitest.ended()
  expect(code).toBe(0)
  expect((await project.step('slow', 'Clean up')).status).toBe('success')
  expect(await project.report('index.html')).toContain('Clean up')
})

test.runIf(existsSync('/dev/full'))('output on a full disk fails the run, but loses no report', async () => {
  await using project = await createProject({
    'a.suite.yaml': `suite_name: A
base_url: '{{echo_url}}'
steps:
  - { name: One, request: { url: /get }, assert: { status_code: 200 } }
`,
  })
  const script = `const { openSync } = require('node:fs')
const stdio = ['ignore', openSync('/dev/full', 'w'), 'inherit']
const args = [${JSON.stringify(VITEST)}, 'run']
process.exitCode = require('node:child_process').spawnSync(process.execPath, args, { stdio }).status`
  expect((await project.execute('-e', script)).code).toBe(1)
  expect((await project.result('a')).status).toBe('success')
  expect(await project.report('index.html')).toContain('One')
})

test('an interrupt runs the teardown also without reports', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'slow.suite.yaml': slow(echo.url),
    'vitest.config.ts': `import { suites } from 'suitecase/plugin'
export default { plugins: [suites({ report: false })] }
`,
  })
  const vitest = await startUntilSlow(project, echo, 'run')
  vitest.kill('SIGINT')
  const { code, output } = await vitest.ended(10_000)
  expect(code).toBe(130)
  expect(output).toContain('SIGINT: stopping the run. Send it again to stop immediately.')
  expect(echo.paths()).toEqual(['/anything/quick', '/delay/9', '/anything/cleanup'])
  expect(existsSync(join(project.root, '.vitest/suitecase'))).toBe(false)
})

test('a signal during a run of watch mode ends watch mode, after teardown and reports', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({ 'slow.suite.yaml': slow(echo.url) })
  const vitest = await startUntilSlow(project, echo, 'watch')
  vitest.kill('SIGTERM')
  expect((await vitest.ended(10_000)).code).toBe(143)
  expect(echo.paths().at(-1)).toBe('/anything/cleanup')
  expect((await project.result('slow')).steps_not_run).toBe(1)
})

test('a teardown that hangs after an interrupt is cut off', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'slow.suite.yaml': slow(echo.url).replace('/anything/cleanup', '/delay/8'),
  })
  const vitest = await startUntilSlow(project, echo, 'run')
  const since = performance.now()
  vitest.kill('SIGTERM')
  const { code } = await vitest.ended(10_000)
  // Without the interrupt it would take eight seconds.
  expect(performance.now() - since).toBeLessThan(7900)
  expect(code).toBe(143)
  expect(echo.count('/delay/8')).toBe(1)
})

test('a teardown that is under way when an interrupt comes is not cut off, in whatever language the suite is', async () => {
  await using echo = await startLoggedEcho()
  const suite = (name: string): string => `{
  suite_name: '${name}',
  base_url: '${echo.url}',
  steps: [{ name: 'One', request: { url: '/get' } }],
  teardown: [
    { name: 'Clean up', request: { url: '/delay/1' } },
    { name: 'More', request: { url: '/anything/${name}' } },
  ],
}`
  await using project = await createProject({
    'yaml.suite.yaml': suite('yaml'),
    'typed.test.ts': `import { defineSuite } from 'suitecase'\ndefineSuite(${suite('typed')})\n`,
  })
  for (const [before, name] of ['yaml', 'typed'].entries()) {
    const vitest = project.start('run', name)
    await waitUntil(() => echo.count('/delay/1') > before, {
      patience: 20_000,
      describe: () => vitest.output(),
    })
    vitest.kill('SIGINT')
    expect((await vitest.ended(10_000)).code).toBe(130)
    const { steps_results } = await project.result(name)
    expect(steps_results.map(({ step_name, status }) => [step_name, status])).toEqual([
      ['One', 'success'],
      ['Clean up', 'success'],
      ['More', 'success'],
    ])
    // Only once: Vitest abandons a test at an interrupt, but its step goes on.
    expect(echo.count('/delay/1')).toBe(before + 1)
    expect(echo.count(`/anything/${name}`)).toBe(1)
  }
})

test('a called suite whose teardown hangs when an interrupt comes leaves time for the teardown of its caller', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'called.suite.yaml': `
suite_name: Called
base_url: ${echo.url}
steps: [{ name: One, request: { url: /get } }]
teardown: [{ name: Hangs, request: { url: /delay/8 } }]
`,
    'caller.suite.yaml': `
suite_name: Caller
base_url: ${echo.url}
steps: [{ name: Call, call: { suite: ./called.suite.yaml } }]
teardown: [{ name: Clean up, request: { url: /anything/cleanup } }]
`,
  })
  const vitest = project.start('run', 'caller')
  await waitUntil(() => echo.count('/delay/8') === 1, { patience: 20_000, describe: () => vitest.output() })
  vitest.kill('SIGINT')
  const { code, output } = await vitest.ended(10_000)
  expect(code).toBe(130)
  expect(output).toContain(
    '“Hangs”: The step was stopped: once time is up or the run is stopped, the teardown may take 3000 ms.',
  )
  expect((await project.step('caller', 'Clean up')).status).toBe('success')
})

test('a suite that a teardown calls is cut off by an interrupt, which leaves time for its own teardown and the rest', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'called.suite.yaml': `
suite_name: Called
base_url: ${echo.url}
steps: [{ name: One, request: { url: /delay/9 } }]
teardown: [{ name: Own, request: { url: /anything/own } }]
`,
    'caller.suite.yaml': `
suite_name: Caller
base_url: ${echo.url}
steps: [{ name: Start, request: { url: /get } }]
teardown:
  - { name: Clean up, call: { suite: ./called.suite.yaml } }
  - { name: Last, request: { url: /anything/last } }
`,
  })
  const vitest = await startUntilSlow(project, echo, 'run', 'caller')
  vitest.kill('SIGINT')
  const { code, output } = await vitest.ended(10_000)
  expect(code).toBe(130)
  expect(output).toContain('“One”: The step was stopped: the run was stopped')
  expect(echo.paths().slice(-2)).toEqual(['/anything/own', '/anything/last'])
  expect((await project.step('caller', 'Last')).status).toBe('success')
})

test('the limit of a suite gives the teardown of a suite that it calls some seconds, and fails the call', async () => {
  await using echo = await startLoggedEcho()
  const call = (name: string): string => `{ name: 'Call', call: { suite: './${name}.suite.yaml' } }`
  const called = (name: string, wait: number): string => `
suite_name: ${name}
base_url: ${echo.url}
steps: [{ name: One, request: { url: /delay/${wait} } }]
teardown: [{ name: Slow, request: { url: /delay/1.5 } }, { name: Last, request: { url: /anything/${name} } }]
`
  const waits = `{ name: 'First', request: { url: '${echo.url}/delay/0.3' } }`
  await using project = await createProject(
    {
      'quick.suite.yaml': called('quick', 0),
      'long.suite.yaml': called('long', 5),
      'yaml-quick.suite.yaml': `suite_name: A\nsteps: [${waits}, ${call('quick')}]\n`,
      'yaml-long.suite.yaml': `suite_name: B\nsteps: [${waits}, ${call('long')}]\n`,
      'typed.test.ts': `import { defineSuite } from 'suitecase'\ndefineSuite({ suite_name: 'C', steps: [${call('quick')}] })\n`,
    },
    { suites: '{ limits: { suite: 1000 } }' },
  )
  for (const [index, name] of ['yaml-quick', 'yaml-long', 'typed'].entries()) {
    const { code, output } = await project.run(name)
    expect(code).toBe(1)
    expect(output).toContain('the suite took longer than 1000 ms. Raise the option `limits.suite`')
    expect(output).not.toMatch(/“Slow”|“Last”|interrupt/)
    expect(echo.paths().filter((path) => /quick|long/.test(path))).toHaveLength(index + 1)
  }
})

test('an interrupt leaves out the repeats that were still to come', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'a.suite.yaml': `suite_name: A\nbase_url: ${echo.url}\nsteps: [{ name: One, request: { url: /delay/9 } }]\n`,
  })
  const vitest = await startUntilSlow(
    project,
    echo,
    'run',
    '--repeats=3',
    '--reporter=json',
    '--outputFile=run.json',
  )
  vitest.kill('SIGINT')
  await vitest.ended(10_000)
  expect((await project.read('run.json')).match(/The step was stopped/g)).toHaveLength(1)
})

/** A slow suite called auth that exports what it captures last. */
const slowExport = (url: string): string =>
  slow(url)
    .replace('steps:', 'node_id: auth\nexports: [late]\nsteps:')
    .replace('/delay/9 }', '/delay/9 }\n    capture: { late: body.url }')

test('an interrupt frees a suite that waits for another', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject(
    {
      'a.suite.yaml': slowExport(echo.url),
      'b.suite.yaml': `
suite_name: Waiting
base_url: ${echo.url}
steps:
  - name: Wait
    request: { url: '/anything/{{auth.late}}' }
teardown:
  - name: Tidy
    request: { url: /anything/tidy }
`,
    },
    { suites: '{ concurrency: 2 }' },
  )
  const vitest = await startUntilSlow(project, echo, 'run', '--reporter=verbose')
  const since = performance.now()
  vitest.kill('SIGINT')
  const { code, output } = await vitest.ended(10_000)
  expect(performance.now() - since).toBeLessThan(5000)
  expect(code).not.toBe(0)
  expect(echo.count('/anything/cleanup')).toBe(1)
  // A suite that has not started is not torn down.
  expect(output).toMatch(/Waiting > Tidy.*\[the run was stopped\]/)
  expect(echo.count('/anything/tidy')).toBe(0)
})

test('an interrupt ends a step that runs only for another suite, and its suite is torn down', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'a.suite.yaml': slowExport(echo.url),
    'b.suite.yaml': `
suite_name: Waiting
base_url: ${echo.url}
steps:
  - name: Quick too
    request: { url: '/anything/{{auth.late}}' }
`,
  })
  const vitest = await startUntilSlow(project, echo, 'run', '-t', 'Quick')
  vitest.kill('SIGINT')
  const { code, output } = await vitest.ended(10_000)
  expect(code).toBe(130)
  expect(output).toMatch(/Tests {2}1 passed \| 4 skipped \(5\)/)
  expect(echo.paths()).toEqual(['/anything/quick', '/delay/9', '/anything/cleanup'])
})

test('an endless loop of the application, in whatever worker, does not outlive an interrupt, nor a second signal', async () => {
  const app = `import { writeFileSync } from 'node:fs'
export default () => (_request, _response) => {
  writeFileSync(new URL('./looping', import.meta.url), String(process.pid))
  for (;;);
}
`
  const typed = `import { defineSuite } from 'suitecase'
defineSuite({ suite_name: 'Typed', steps: [{ name: 'Loops', request: { url: '/' } }] })
`
  for (const signals of [1, 2]) {
    await using project = await createProject(
      { 'app.ts': app, 'typed.test.ts': typed },
      { suites: `{ app: './app.ts' }`, test: `{ pool: 'forks' }` },
    )
    const vitest = project.start('run')
    const mark = join(project.root, 'looping')
    await waitUntil(() => existsSync(mark) && readFileSync(mark, 'utf8') !== '', {
      patience: 20_000,
      describe: () => vitest.output(),
    })
    const fork = Number(readFileSync(mark, 'utf8'))
    expect(fork).not.toBe(vitest.pid)
    vitest.kill('SIGINT')
    if (signals === 2) {
      await vitest.shows(/SIGINT: stopping/)
      await setTimeout(600)
      vitest.kill('SIGINT')
    }
    const since = performance.now()
    const { code } = await vitest.ended(10_000)
    expect(code).not.toBe(0)
    expect(performance.now() - since).toBeLessThan(signals === 2 ? 2500 : 8000)
    await waitUntil(() => !isAlive(fork), {
      patience: 5000,
      describe: () => 'The worker runs on without its parent.',
    })
  }
})

test('an interrupt that comes twice, as `npm` passes it on to what it has reached already, runs the teardown', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({ 'slow.suite.yaml': slow(echo.url) })
  const vitest = await startUntilSlow(project, echo, 'run')
  vitest.kill('SIGINT')
  await vitest.shows(/SIGINT: stopping/)
  vitest.kill('SIGINT')
  vitest.kill('SIGTERM')
  const { code, output } = await vitest.ended(10_000)
  expect(code).toBe(130)
  expect(output).not.toContain('SIGTERM')
  expect(echo.count('/anything/cleanup')).toBe(1)
  expect(await project.report('failures.json')).toContain('"step": "Hangs"')
})

test('an interrupt in a terminal, which reaches every process, runs the teardown of suites in TypeScript', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'typed.test.ts': `import { writeFileSync } from 'node:fs'
import { defineSuite } from 'suitecase'
writeFileSync(new URL('./worker', import.meta.url), String(process.pid))
defineSuite({
  suite_name: 'Typed',
  base_url: '${echo.url}',
  steps: [{ name: 'Hangs', request: { url: '/delay/9' } }, { name: 'Never', request: { url: '/anything/never' } }],
  teardown: [{ name: 'Clean up', request: { url: '/anything/cleanup' } }],
})
`,
  })
  const vitest = await startUntilSlow(project, echo, 'run')
  process.kill(Number(await project.read('worker')), 'SIGINT')
  vitest.kill('SIGINT')
  const { code, output } = await vitest.ended(10_000)
  expect(code).toBe(130)
  expect(output).not.toContain('Unhandled')
  expect(output).toMatch(
    /FAIL {2}typed\.test\.ts:7 > Typed > Hangs\nAssertionError: The step was stopped: the run was stopped/,
  )
  expect(echo.paths()).toEqual(['/delay/9', '/anything/cleanup'])
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
