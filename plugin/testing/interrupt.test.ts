import { existsSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startHttpServer } from '../../src/request/fixtures/http-server.ts'
import { VITEST } from './fixtures/installed-package.ts'
import { startLoggedEcho, type LoggedEcho } from './fixtures/logged-echo.ts'
import { waitUntil, type RunningProcess, type RunOutcome } from './fixtures/processes.ts'
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

/** A slow suite called auth that exports what it captures last. */
const slowExport = (url: string): string =>
  slow(url)
    .replace('steps:', 'node_id: auth\nexports: [late]\nsteps:')
    .replace('/delay/9 }', '/delay/9 }\n    capture: { late: body.url }')

/** Answers at once, but holds requests for a delay. */
const held: ServerResponse[] = []
const paths: string[] = []
const gate = await startHttpServer(({ url = '' }, response) => {
  paths.push(url)
  if (url.includes('/delay/')) held.push(response)
  else response.end()
})
afterAll(gate.close)

/** What was requested below the base url of a suite, in order. */
const listPaths = (suite: string): string[] =>
  paths.flatMap((path) => (path.startsWith(`/${suite}/`) ? path.slice(suite.length + 1) : []))

/** Starts the suites in the folder `run`, and waits until so many requests are held. */
async function startUntilHeld(project: Project, count: number, ...args: string[]): Promise<RunningProcess> {
  held.length = 0
  const vitest = project.start('run', 'run/', ...args)
  await waitUntil(() => held.length === count, { patience: 20_000, describe: () => vitest.output() })
  return vitest
}

/** A suite whose teardown waits, as YAML and as TypeScript. */
const ending = (name: string): string => `{
  suite_name: '${name}',
  base_url: '${gate.url}/${name}',
  steps: [{ name: 'One', request: { url: '/get' } }],
  teardown: [{ name: 'Clean up', request: { url: '/delay/1' } }, { name: 'More', request: { url: '/more' } }],
}`

/** Interrupts a run. Its teardowns that wait go on a moment later. */
async function interrupt(vitest: RunningProcess): Promise<void> {
  vitest.kill('SIGINT')
  await vitest.shows(/SIGINT: stopping/)
  for (const response of held) if (response.req.url?.endsWith('/delay/1')) response.end()
}

/** The steps of such a suite, and what it requested: only once, although Vitest abandons a test at an interrupt. */
async function readEnd(project: Project, name: string): Promise<string[][]> {
  const { steps_results } = await project.result(name)
  return [steps_results.map(({ step_name, status }) => `${step_name}: ${status}`), listPaths(name)]
}

const wholeEnd = [
  ['One: success', 'Clean up: success', 'More: success'],
  ['/get', '/delay/1', '/more'],
]

describe('an interrupt that comes twice, as `npm` passes it on to what it has reached already,', () => {
  const files: Record<string, string> = {}
  let project: Project
  let outcome: RunOutcome
  let took: number
  beforeAll(async () => {
    project = await createProject(files, { suites: "{ extend: './extension.ts' }" })
    const args = ['--reporter=default', '--reporter=junit', '--outputFile.junit=junit.xml']
    const vitest = await startUntilHeld(project, 6, ...args)
    const since = performance.now()
    await interrupt(vitest)
    vitest.kill('SIGINT')
    vitest.kill('SIGTERM')
    outcome = await vitest.ended(10_000)
    took = performance.now() - since
  })
  afterAll(() => project[Symbol.asyncDispose]())

  files['run/slow.suite.yaml'] = slow(`${gate.url}/slow`)
  test('runs the teardown and ends everything within five seconds', async () => {
    expect(took).toBeLessThan(5000)
    expect(outcome.code).toBe(130)
    expect(outcome.output).not.toMatch(/Unhandled|SIGTERM/)
    expect(listPaths('slow')).toEqual(['/anything/quick', '/delay/9', '/anything/cleanup'])
    const { steps_results } = await project.result('slow')
    expect(steps_results.map(({ step_id, status }) => [step_id, status])).toEqual([
      ['step-1-quick', 'success'],
      ['step-2-hangs', 'failure'],
      ['step-3-never', 'not_run'],
      ['teardown-1-clean-up', 'success'],
    ])
    // Other reports must say as much as ours.
    expect(outcome.output).toContain('FAIL  |suites| run/slow.suite.yaml:7 > Slow > Hangs')
    expect(outcome.output).toMatch(/Tests {2}5 failed \| 11 passed \| 8 skipped/)
    expect(await project.read('junit.xml')).toMatch(
      /"run\/slow\.suite\.yaml" [^>]* tests="4" failures="1"[^]*Hangs"[^]*<failure message="The step was stopped: the run was stopped\n\nGET /,
    )
    expect(await project.report('failures.json')).toContain('"step": "Hangs"')
  })

  files['run/failing.suite.yaml'] = `${slow(`${gate.url}/failing`)}    assert: { status_code: 299 }\n`
  test('tells a teardown that fails, and its result has all details', async () => {
    expect(outcome.output).toContain('The step “Clean up” (line 12), which ran as teardown, failed: ')
    const { status, response_details, assertions_results } = await project.step('failing', 'Clean up')
    expect([status, response_details?.status_code, assertions_results.length]).toEqual(['failure', 200, 1])
  })

  files['run/stuck.suite.yaml'] = slow(`${gate.url}/stuck`).replace('Quick', 'Stuck')
  files['extension.ts'] = `export default {
  afterEach: ({ step }) => step.name === 'Stuck' && fetch('${gate.url}/stuck/delay/9'),
}
`
  test('ends the wait for a hook', async () => {
    expect(listPaths('stuck')).toEqual(['/anything/quick', '/delay/9', '/anything/cleanup'])
    expect((await project.step('stuck', 'Stuck')).error_message).toBe(
      'The step was stopped: the run was stopped\n`afterEach` failed: it did not finish before the step was stopped',
    )
  })

  files['run/end.suite.yaml'] = ending('end')
  test('does not cut off a teardown that is under way', async () => {
    expect(await readEnd(project, 'end')).toEqual(wholeEnd)
  })

  files['called.suite.yaml'] = `
suite_name: Called
base_url: ${gate.url}/caller
steps: [{ name: One, request: { url: /delay/9 } }]
teardown: [{ name: Own, request: { url: /own } }]
`
  files['run/caller.suite.yaml'] = `
suite_name: Caller
base_url: ${gate.url}/caller
steps: [{ name: Start, request: { url: /get } }]
teardown:
  - { name: Clean up, call: { suite: ../called.suite.yaml } }
  - { name: Last, request: { url: /last } }
`
  test('cuts off a suite that a teardown calls, and leaves time for its own teardown and the rest', async () => {
    expect((await project.step('caller', 'Clean up')).error_message).toContain(
      '“One”: The step was stopped: the run was stopped',
    )
    expect(listPaths('caller')).toEqual(['/get', '/delay/9', '/own', '/last'])
    expect((await project.step('caller', 'Last')).status).toBe('success')
  })

  files['run/auth.suite.yaml'] = slowExport(`${gate.url}/auth`)
  files['run/waiting.suite.yaml'] = `
suite_name: Waiting
base_url: ${gate.url}/waiting
steps: [{ name: Wait, request: { url: '/{{auth.late}}' } }]
teardown: [{ name: Tidy, request: { url: /tidy } }]
`
  test('frees a suite that waits for another', async () => {
    expect(listPaths('auth')).toContain('/anything/cleanup')
    // A suite that has not started is not torn down.
    expect(await project.read('junit.xml')).toMatch(
      /Waiting &gt; Tidy" time="0">\s*<skipped message="the run was stopped">/,
    )
    expect(listPaths('waiting')).toEqual([])
  })
})

test('an interrupt in a terminal, which reaches every process, runs the teardown of suites in TypeScript', async () => {
  await using project = await createProject(
    {
      'run/typed.test.ts': `import { writeFileSync } from 'node:fs'
import { defineSuite } from 'suitecase'
writeFileSync(new URL('./worker', import.meta.url), String(process.pid))
defineSuite({
  suite_name: 'Typed',
  base_url: '${gate.url}/typed',
  steps: [{ name: 'Hangs', request: { url: '/delay/9' } }, { name: 'Never', request: { url: '/never' } }],
  teardown: [{ name: 'Clean up', request: { url: '/cleanup' } }],
})
`,
      'run/typed-end.test.ts': `import { defineSuite } from 'suitecase'\ndefineSuite(${ending('typed-end')})\n`,
    },
    { test: '{ maxWorkers: 2 }' },
  )
  const vitest = await startUntilHeld(project, 2)
  process.kill(Number(await project.read('run/worker')), 'SIGINT')
  await interrupt(vitest)
  const { code, output } = await vitest.ended(10_000)
  expect(code).toBe(130)
  expect(output).not.toContain('Unhandled')
  expect(output).toMatch(
    /FAIL {2}run\/typed\.test\.ts:7 > Typed > Hangs\nAssertionError: The step was stopped: the run was stopped/,
  )
  expect(listPaths('typed')).toEqual(['/delay/9', '/cleanup'])
  // This teardown was under way.
  expect(await readEnd(project, 'typed-end')).toEqual(wholeEnd)
})

test('a terminal that is closed ends the run like an interrupt, which cuts off a teardown that hangs, leaves that of a caller time, and leaves out repeats', async () => {
  await using project = await createProject({
    'run/hanging.suite.yaml': slow(`${gate.url}/hanging`).replace('/anything/cleanup', '/delay/8'),
    'called.suite.yaml': `
suite_name: Called
base_url: ${gate.url}
steps: [{ name: One, request: { url: /get } }]
teardown: [{ name: Hangs, request: { url: /delay/8 } }]
`,
    'run/caller.suite.yaml': `
suite_name: Caller
base_url: ${gate.url}/clean
steps: [{ name: Call, call: { suite: ../called.suite.yaml } }]
teardown: [{ name: Up, request: { url: /up } }]
`,
  })
  const args = ['--repeats=3', '--reporter=json', '--outputFile=run.json']
  const vitest = await startUntilHeld(project, 2, ...args)
  vitest.hangUp()
  expect((await vitest.ended(10_000)).code).toBe(129)
  const message =
    'The step was stopped: once time is up or the run is stopped, the teardown may take 3000 ms.'
  expect((await project.step('hanging', 'Clean up')).error_message).toBe(message)
  expect((await project.step('caller', 'Call')).error_message).toContain(`“Hangs”: ${message}`)
  expect(listPaths('clean')).toEqual(['/up'])
  expect((await project.step('caller', 'Up')).status).toBe('success')
  expect(await project.report('failures.json')).toContain('The step was stopped')
  expect(listPaths('hanging').slice(-2)).toEqual(['/delay/9', '/delay/8'])
  const run = await project.read('run.json')
  // Once for each of the two suites.
  expect(run.match(/The step was stopped: the run was stopped/g)).toHaveLength(2)
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

test('a request to terminate ends a step that runs only for another suite, and its suite is torn down, also without reports', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject(
    {
      'a.suite.yaml': slowExport(echo.url),
      'b.suite.yaml': `
suite_name: Waiting
base_url: ${echo.url}
steps:
  - name: Quick too
    request: { url: '/anything/{{auth.late}}' }
`,
    },
    { suites: '{ report: false }' },
  )
  const vitest = await startUntilSlow(project, echo, 'run', '-t', 'Quick')
  vitest.kill('SIGTERM')
  const { code, output } = await vitest.ended(10_000)
  expect(code).toBe(143)
  expect(output).toContain('SIGTERM: stopping the run. Send it again to stop immediately.')
  expect(output).toMatch(/Tests {2}1 passed \| 4 skipped \(5\)/)
  expect(echo.paths()).toEqual(['/anything/quick', '/delay/9', '/anything/cleanup'])
  expect(existsSync(join(project.root, '.vitest/suitecase'))).toBe(false)
})

test('an endless loop of the application, in whatever worker, does not outlive an interrupt, nor a second signal', async () => {
  const app = `import { writeFileSync } from 'node:fs'
export default () => (_request, _response) => {
  writeFileSync(new URL('./looping', import.meta.url), String(process.pid))
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
