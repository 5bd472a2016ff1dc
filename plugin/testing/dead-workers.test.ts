import { expect, test } from 'vitest'
import { createProject } from './fixtures/project.ts'

const app = `export default () => (request, response) => {
  if (request.url === '/kill') process.reallyExit(3)
  response.end('{}')
}
`
const typed = `import { defineSuite } from 'suitecase'
defineSuite({ suite_name: 'Typed', node_id: 'typed', steps: [
  { name: 'Before', request: { url: '/' } },
  { name: 'Wait', request: { url: '/' }, delay_ms: 400 },
  { name: 'Kill', request: { url: '/kill' } },
  { name: 'After', request: { url: '/' } },
] })
defineSuite({ suite_name: 'Behind', node_id: 'behind', steps: [{ name: 'Never', request: { url: '/' } }] })
`
const written = `
suite_name: Written
node_id: written
steps:
  - { name: Before, request: { url: / } }
  - { name: Wait, request: { url: / }, delay_ms: 400 }
  - { name: Kill, request: { url: /kill } }
  - { name: After, request: { url: / } }
`

test.each(['threads', 'forks'])(
  'a worker (%s) that dies leaves a result for every step, the same in every report',
  async (pool) => {
    await using project = await createProject(
      { 'app.ts': app, 'typed.test.ts': typed, 'written.suite.yaml': written },
      { suites: `{ app: './app.ts' }`, test: `{ pool: '${pool}' }` },
    )
    const { code, output } = await project.run(
      '--reporter=junit',
      '--outputFile.junit=junit.xml',
      '--reporter=github-actions',
      '--reporter=default',
    )
    expect(code).toBe(1)
    const annotated = Array.from(output.matchAll(/^::error .*,line=(\d+),/gm), ([, line]) => Number(line))
    expect(new Set(annotated)).toEqual(new Set([5, 7]))
    expect(output.match(/^ +\|  +\^$/gm)).toHaveLength(2)
    expect(output).toMatch(/Tests {2}2 failed \| 4 passed \| 3 skipped \(9\)/)
    expect(output).toContain('❯ typed.test.ts:5:')
    for (const nodeId of ['typed', 'written']) {
      const { status, steps_results } = await project.result(nodeId)
      expect(status).toBe('failure')
      expect(steps_results.map((step) => `${step.step_name}: ${step.status}`)).toEqual([
        'Before: success',
        'Wait: success',
        'Kill: failure',
        'After: not_run',
      ])
      expect(steps_results[2]?.error_message).toMatch(/[Tt]he worker stopped/)
    }
    expect((await project.result('behind')).steps_results[0]?.status).toBe('not_run')
    const junit = await project.read('junit.xml')
    expect(junit.match(/<skipped/g)).toHaveLength(3)
    expect(junit.match(/<failure /g)).toHaveLength(2)
  },
)

test('after `--bail` no new worker goes on for one that dies', async () => {
  const failing = `${written.replace('request: { url: / }, delay_ms', 'request: { url: / }, assert: { status_code: 500 }, delay_ms')}
teardown:
  - { name: Down, request: { url: /kill } }
`
  await using project = await createProject(
    { 'app.ts': app, 'a.suite.yaml': failing, 'b.suite.yaml': written.replaceAll(/written/gi, 'b') },
    { suites: `{ app: './app.ts', concurrency: 1 }` },
  )
  const { code } = await project.run('--bail=1')
  expect(code).toBe(1)
  const read = async (nodeId: string): Promise<string[]> =>
    (await project.result(nodeId)).steps_results.map(({ status }) => status)
  // The teardown was running.
  expect(await read('written')).toEqual(['success', 'failure', 'not_run', 'not_run', 'failure'])
  expect(await read('b')).toEqual(['not_run', 'not_run', 'not_run', 'not_run'])
})

test('an application that closes the port of its worker costs the step that runs, and what it sends there nothing', async () => {
  await using project = await createProject(
    {
      'app.ts': `import { parentPort } from 'node:worker_threads'
export default () => (request, response) => {
  if (request.url === '/close') parentPort.close()
  for (const message of [null, undefined, 'ready', { type: 'ready' }, { a: 1 }]) parentPort.postMessage(message)
  if (request.url !== '/close') response.end('{}')
}
`,
      'a.suite.yaml': written.replace('/kill', '/close'),
      'b.suite.yaml': written.replace('/kill', '/').replace('written', 'b'),
    },
    { suites: `{ app: './app.ts' }` },
  )
  const { code, output } = await project.run()
  expect(output).toContain(
    'The step did not end: the worker stopped, because its thread ended with exit code 1: something in it called `process.exit` or closed `parentPort`.',
  )
  expect(output).toMatch(/Tests {2}1 failed \| 6 passed \| 1 skipped \(8\)/)
  expect(code).toBe(1)
})

test('a worker that dies in watch mode leaves no results of the run before it', async () => {
  await using project = await createProject(
    {
      'app.ts': app.replace('/kill', '/other'),
      'extension.js': 'export default {}\n',
      'written.suite.yaml': written,
    },
    { suites: `{ app: './app.ts', extend: './extension.js' }` },
  )
  const statuses = async (): Promise<string[]> =>
    (await project.result('written')).steps_results.map(({ status }) => status)
  const vitest = project.start('watch', '--no-color')
  try {
    await vitest.shows(/Waiting for file changes/)
    vitest.clear()
    await project.write({ 'app.ts': app })
    await vitest.shows(/Tests failed\. Watching/)
    expect(await statuses()).toEqual(['success', 'success', 'failure', 'not_run'])
    expect(JSON.parse(await project.report('failures.json'))).toMatchObject({ failures: [{ step: 'Kill' }] })
    vitest.clear()
    // Before any suite starts.
    await project.write({ 'extension.js': 'process.reallyExit(3)\nexport default {}\n' })
    await vitest.shows(/Tests failed\. Watching/)
    expect(await statuses()).toEqual(['not_run', 'not_run', 'not_run', 'not_run'])
    expect(vitest.output()).toContain('no tests')
  } finally {
    vitest.kill('SIGTERM')
    await vitest.ended(10_000)
  }
})

test('a worker that dies before it runs a suite ends the run, and is not started again and again', async () => {
  await using project = await createProject(
    {
      'suitecase.extend.js': "import './dies.js'\nexport default { functions: {} }\n",
      'dies.js': 'process.reallyExit(3)\n',
      'written.suite.yaml': `base_url: '{{echo_url}}'${written}`,
    },
    { suites: "{ extend: './suitecase.extend.js' }" },
  )
  const { code, output } = await project.run()
  const why =
    'The worker of the suites ended before it ran any, because its thread ended with exit code 3: something in it called `process.exit` or closed `parentPort`. If you set the option `extend`, check its module.'
  expect(output).toContain(why)
  expect(code).toBe(1)
  expect(JSON.parse(await project.report('failures.json'))).toMatchObject({
    errors: [expect.stringContaining(why)],
  })
  expect((await project.result('written')).status).toBe('not_run')
})

test('nor is one that dies in place of another, before it says a word', async () => {
  const once = `import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
if (!isMainThread) writeFileSync(import.meta.dirname + '/started', '', { flag: 'wx' })
`
  await using project = await createProject(
    {
      'app.ts': app,
      'once.js': once,
      'a.suite.yaml': written,
      'b.suite.yaml': written.replaceAll('ritten', 'x'),
    },
    {
      suites: `{ app: './app.ts', concurrency: 1 }`,
      test: `{ execArgv: ['--import', new URL('once.js', import.meta.url).href] }`,
    },
  )
  const { code, output } = await project.run()
  expect(output).toContain('The worker of the suites ended before it ran any, because')
  expect(output).toContain('The step did not end: the worker stopped')
  expect(code).toBe(1)
})
