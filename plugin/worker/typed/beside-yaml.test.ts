import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunOutcome } from '../../testing/fixtures/processes.ts'
import { createProject, type Project } from '../../testing/fixtures/project.ts'

const AUTH = `
suite_name: Auth
base_url: '{{echo_url}}'
exports: [token]
steps:
  - name: Log in
    request: { url: '/get?t=t-1' }
    capture: { token: body.args.t }
`

const LARGE = `
suite_name: Large
base_url: '{{echo_url}}'
variables: { id: 12345678901234567890 }
exports: [id]
steps:
  - name: Send it
    request: { url: '/get?id={{id}}' }
`

const CONSUMER = `import { defineSuite } from 'suitecase'
defineSuite({
  suite_name: 'Templates', base_url: '{{echo_url}}',
  steps: [{ name: 'reads', request: { url: '/get?t={{auth.token}}' }, assert: { 'body.args.t': 't-1' } }],
})
defineSuite({
  suite_name: 'Functions', base_url: '{{echo_url}}',
  steps: [
    { name: 'reads', request: { url: ({ variables }) => \`/get?t=\${(variables.auth as any).token}\` }, assert: { 'body.args.t': 't-1' } },
    { name: 'takes apart', request: { url: ({ variables: { auth = { token: 'none' } } }) => \`/get?t=\${(auth as any).token}\` }, assert: { 'body.args.t': 't-1' } },
    { name: 'passes on', request: { url: (values) => String(typeof values === 'object' && '/get') }, assert: { status_code: 200 } },
  ],
})
defineSuite({
  suite_name: 'Calls', base_url: '{{echo_url}}',
  steps: [
    { name: 'calls', call: { suite: 'auth', variables: { x: () => 1 } } },
  ],
})
defineSuite({
  suite_name: 'Rows', base_url: '{{echo_url}}', each: [{ n: '1' }, { n: '2' }],
  steps: [
    { name: 'Row {{n}}', request: { url: ({ variables }) => \`/get?n=\${variables.n}\` }, assert: { 'body.args.n': '{{n}}' } },
    { name: 'Loop', iterate: { range: '1..2', as: 'i' }, request: { url: '/get?i={{i}}' } },
  ],
})
defineSuite({
  suite_name: 'File', base_url: '{{echo_url}}', each: { file: 'rows.csv' },
  steps: [{ name: 'Row {{n}}', request: { url: '/get?n={{n}}' }, assert: { 'body.args.n': '{{n}}' } }],
})
`

const FLOW = `import { defineSuite } from 'suitecase'
defineSuite({
  suite_name: 'Flow', base_url: '{{echo_url}}',
  setup: [{ name: 'Set up', request: { url: '/get?s=1' }, capture: { s: 'body.args.s' } }],
  steps: [
    { name: 'Unwanted', request: { url: '/get?u=1' }, capture: { unwanted: 'body.args.u' } },
    { name: 'Gives', request: { url: '/get?t=t-1' }, capture: { token: ({ body }) => body.args.t } },
    { name: 'Wanted', request: { url: ({ variables }) => '/get?t=' + variables.token }, assert: { 'body.args.t': 't-1' } },
    { name: 'Fails', request: { url: '/get' }, capture: { lost: 'body.nothing' } },
    { name: 'Dependent', request: { url: ({ variables: { lost } }) => '/get?l=' + lost } },
  ],
})
`

describe('suites in TypeScript beside suites in YAML', () => {
  const files: Record<string, string> = {}
  // The test files share a process, which starts once.
  const create = (): Promise<Project> =>
    createProject(files, { test: "{ isolate: false, setupFiles: './setup.ts' }" })
  let project: Project
  let outcome: RunOutcome
  beforeAll(async () => {
    project = await create()
    outcome = await project.run('run/', '--reporter=verbose')
  })
  afterAll(() => project[Symbol.asyncDispose]())

  /** The statuses of the steps of a suite. */
  const list = async (nodeId: string): Promise<string[]> =>
    (await project.result(nodeId)).steps_results.map(({ status }) => status)

  Object.assign(files, {
    'run/auth.suite.yaml': AUTH,
    'run/consumer.test.ts': CONSUMER,
    'run/rows.csv': 'n\n3\n4\n',
  })
  test('read their exports, call them, and have rows and loops', async () => {
    const { output } = outcome
    expect(output.match(/✓ run\/consumer\.test\.ts/g)).toHaveLength(13)
    expect(output).not.toMatch(/× run\/consumer|Nothing gives/)
    for (const name of [
      'Rows [1: n=1] > Row 1',
      'Rows [2: n=2] > Loop [i=2]',
      'File > File [2: n=4] > Row 4',
    ])
      expect(output).toContain(name)
    expect(await project.result('consumer-4.2')).toMatchObject({
      suite_name: 'Rows [2: n=2]',
      steps_successful: 3,
    })
  })

  files['run/flow.test.ts'] = FLOW
  test('skip what needs a lost capture', async () => {
    const { steps_results } = await project.result('flow')
    expect(steps_results.slice(4).map(({ status, skip_reason }) => [status, skip_reason])).toEqual([
      ['failure', undefined],
      ['skipped', 'needs `lost`, which “Fails” (line 9) did not provide'],
    ])
  })

  const reads = (name: string, read: string): string =>
    `{ name: '${name}', request: { url: '/get?r={{${read}}}' }, assert: { 'body.args.r': 't-1' } },`
  files['parts.suite.yaml'] = `
suite_name: Parts
base_url: '{{echo_url}}'
exports: [token, other, broken]
steps:
  - { name: Log in, request: { url: /get?t=t-1 }, capture: { token: body.args.t } }
  - { name: Break, request: { url: /status/500 }, assert: { status_code: 200 }, capture: { broken: body.x } }
  - { name: Other, request: { url: /get?t=t-1 }, capture: { other: body.args.t } }
`
  files['middle.suite.yaml'] = `
suite_name: Middle
base_url: '{{echo_url}}'
exports: [passed]
steps:
  - { name: Pass, request: { url: '/get?t={{parts.token}}' }, capture: { passed: body.args.t } }
`
  files['run/reads.test.ts'] = `import { defineSuite } from 'suitecase'
const base_url = '{{echo_url}}'
defineSuite({ suite_name: 'One', base_url, steps: [${reads('token', 'parts.token')} ${reads('fails', 'parts.broken')}] })
defineSuite({ suite_name: 'Two', base_url, steps: [${reads('other', 'parts.other')}] })
defineSuite({ suite_name: 'Three', base_url, steps: [${reads('passed', 'middle.passed')}] })
defineSuite({ suite_name: 'Four', base_url, steps: [{ name: 'called', call: { suite: 'middle' } }] })
defineSuite({ suite_name: 'Five', base_url, depends: ['parts'], steps: [${reads('all', 'parts.token')}] })
`
  test('read what others export although one of its steps fails, which is told once', async () => {
    const ids = ['reads', 'reads-2', 'reads-3', 'reads-4', 'reads-5']
    const statuses = await Promise.all(ids.map(list))
    expect(statuses.flat().join(' ')).toBe('success skipped success success success success')
    expect(outcome.output.match(/The step “Break”/g)).toHaveLength(1)
  })

  test('run the earlier steps that a selected one needs, and only the steps of others whose exports it reads', async () => {
    await using project = await create()
    const selection = 'Wanted|token|other|passed|called'
    const selected = await project.run('run/flow', 'run/reads', '-t', selection, '--reporter=verbose')
    expect(selected.output).toContain('Tests  5 passed | 7 skipped (12)')
    expect(selected.code).toBe(0)
    const line = FLOW.slice(0, FLOW.indexOf(`'Wanted'`)).split('\n').length
    const located = await project.run(`run/flow.test.ts:${line}`)
    expect(located.output).toMatch(/Tests {2}1 passed \| 5 skipped \(6\)/)
  })

  const alone = `[{ name: 'alone', request: { url: '/get' } }, { name: 'reads', request: { url: '/get?r={{bad.v}}' } }]`
  files['bad.suite.yaml'] = 'suite_name: Bad\nexports: [v]\nnonsense: 1\nsteps: []\n'
  files['run/bad.test.ts'] = `import { defineSuite } from 'suitecase'
defineSuite({ suite_name: 'One', node_id: 'bad-1', base_url: '{{echo_url}}', steps: ${alone} })
defineSuite({ suite_name: 'Two', node_id: 'bad-2', base_url: '{{echo_url}}', steps: ${alone} })
`
  test('that read one that cannot be loaded run their other steps, and the first of them says why', async () => {
    const { output } = outcome
    expect([await list('bad-1'), await list('bad-2')]).toEqual([
      ['success', 'skipped'],
      ['success', 'skipped'],
    ])
    expect(output.match(/The suite `bad`, which this one needs, could not be loaded\./g)).toHaveLength(1)
    expect(output).toMatch(/bad\.suite\.yaml:3:1 error unknown-field.*[^]*❯ run\/bad\.test\.ts:2:/)
    expect((await project.step('bad-1', 'reads')).skip_reason).toBe(
      'needs `bad.v`, which the suite `bad` (it could not be loaded) did not provide',
    )
  })

  files['run/large.suite.yaml'] = LARGE
  files['run/large-reads.test.ts'] = `import { defineSuite } from 'suitecase'
defineSuite({
  suite_name: 'Reads', base_url: '{{echo_url}}',
  steps: [{ name: 'reads', request: { url: '/get?id={{large.id}}' }, assert: { 'body.args.id': '12345678901234567890' } }],
})
`
  test('read numbers of theirs that a double cannot hold', async () => {
    expect([await list('large'), await list('large-reads')]).toEqual([['success'], ['success']])
  })

  files['run/stopped.test.ts'] = `import { defineSuite } from 'suitecase'
const steps = [{ name: 'One', request: { url: '/get' }, assert: { status_code: 500 } }]
defineSuite({ suite_name: 'Fails', node_id: 'fails', base_url: '{{echo_url}}', steps })
const teardown = [{ name: 'Bye', step_id: 'bye', request: { url: '/get' } }, { request: { url: '/get' } }]
defineSuite({ suite_name: 'Broken', node_id: 'broken', base_url: '{{echo_url}}', setup: steps, steps, teardown, bogus: 1 })
`
  test('with mistakes are in the reports, also when the run stopped before them', async () => {
    expect(await project.result('broken')).toMatchObject({
      status: 'failure',
      error_message: expect.stringContaining('Unknown field `bogus`'),
    })
    await using stopped = await create()
    await stopped.run('run/stopped', '--bail=1')
    expect(await stopped.results()).toEqual(['broken.json', 'fails.json'])
    const broken = await stopped.result('broken')
    expect(broken).toMatchObject({ status: 'not_run', steps_not_run: 4 })
    expect(broken.steps_results.map(({ step_id, step_name }) => [step_id, step_name])).toEqual([
      ['setup-1-one', 'One'],
      ['step-1-one', 'One'],
      ['bye', 'Bye'],
      ['teardown-2', 'Step 4'],
    ])
  })

  files['run/loop.test.ts'] = `import { buildSuite, defineSuite } from 'suitecase'
const step = { name: 'One', request: { url: '/get' }, assert: { status_code: 0 } }
const suite = { suite_name: '', base_url: '{{echo_url}}', steps: [step] }
for (const status of [500, 200]) {
  suite.suite_name = 'Expects ' + status
  step.assert.status_code = status
  defineSuite(suite)
}
const built = buildSuite({ suite_name: 'Built', base_url: '{{echo_url}}' }).step(step)
step.assert.status_code = 404
built.step({ ...step, name: 'Two' })
`
  test('are what they were when they were defined, whatever the file makes of their parts later', () => {
    const { output } = outcome
    expect(output).toMatch(/× run\/loop\.test\.ts:\d+ > Expects 500 > One/)
    expect(output).toMatch(/✓ run\/loop\.test\.ts:\d+ > Expects 200 > One/)
    expect(output).toMatch(/✓ run\/loop\.test\.ts:\d+ > Built > One/)
    expect(output).toMatch(/× run\/loop\.test\.ts:\d+ > Built > Two/)
  })

  files['run/calls.test.ts'] = `import { defineSuite } from 'suitecase'
defineSuite({ suite_name: 'File', steps: [{ name: 'Call', call: { suite: './none.suite.yaml' } }] })
defineSuite({ suite_name: 'Node id', steps: [{ name: 'Call', call: { suite: 'aut' } }] })
`
  test('tell where they name a suite file that is not there, and suggest one that has a like name', () => {
    expect(outcome.output).toContain(
      'run/calls.test.ts:2:74 error unknown-reference: The suite file `./none.suite.yaml` does not exist.',
    )
    expect(outcome.output).toContain(
      'run/calls.test.ts:3:77 error unknown-reference: No suite has the node id `aut`.\n  hint: Did you mean `auth`?',
    )
  })

  files['setup.ts'] = `import { afterEach, beforeEach } from 'vitest'
beforeEach((context) => console.log(\`before \${context.task.name}\`))
afterEach((context) => console.log(\`after \${context.task.name}\`))
`
  files['run/hooked.test.ts'] = `import { defineSuite } from 'suitecase'
defineSuite({ suite_name: 'Hooks', base_url: '{{echo_url}}', steps: [{ name: 'Hooked', request: { url: '/get' }, assert: { status_code: 200 } }] })
`
  test('have the hooks of a setup file around each step, also those that take the context as a whole', async () => {
    expect(outcome.output).toMatch(/before Hooked\n[^]*after Hooked\n/)
    expect(await list('hooked')).toEqual(['success'])
  })

  test('tell what Node threw in `--pool=vmThreads` as well, where its errors are of another realm', async () => {
    await using project = await createProject({
      'node.test.ts': `import { defineSuite } from 'suitecase'
import { readFileSync } from 'node:fs'
const read = () => readFileSync('/nowhere', 'utf8')
defineSuite({ suite_name: 'Node', base_url: '{{echo_url}}', steps: [
  { name: 'url', request: { url: read } },
  { name: 'file', request: { method: 'POST', url: '/post', file: () => 'gone.txt' } },
  { name: 'hash', request: { url: "/get?{{js: crypto.hash('none', '')}}" } },
  { name: 'dom', request: { url: () => structuredClone(read) } },
  { name: 'atob', request: { url: "/get?{{js: atob('*')}}" } },
] })
`,
    })
    await project.run('--pool=vmThreads')
    const { steps_results } = await project.result('node')
    expect(steps_results.map((step) => step.error_message?.split(/ failed\. |request: /)[1])).toEqual([
      "ENOENT: no such file or directory, open '/nowhere' (node.test.ts:3:20)",
      expect.stringMatching(/^ENOENT: /),
      expect.stringMatching(/hash: Digest method not supported/),
      expect.stringMatching(/could not be cloned\. \(node\.test\.ts:8:40\)$/),
      expect.stringMatching(/atob: Invalid character/),
    ])
  })

  test('defined where Vitest takes no tests any more, are an error', async () => {
    await using project = await createProject({
      'late.test.ts': `import { defineSuite } from 'suitecase'
import { beforeAll, describe, test } from 'vitest'
const define = () => defineSuite({ suite_name: 'Late', steps: [{ name: 'reads', request: { url: '{{echo_url}}/get' } }] })
test('in a test', define)
describe('in a hook', () => {
  beforeAll(define)
  test('another', () => {})
})
test('last', () => new Promise((resolve) => setTimeout(resolve, 50)))
setTimeout(define, 1)
`,
    })
    const { code, output } = await project.run()
    for (const where of [
      'FAIL  late.test.ts > in a test',
      'FAIL  late.test.ts > in a hook',
      'Uncaught Exception ⎯+',
    ])
      expect(output).toMatch(
        new RegExp(
          `${where}\nError: A suite was defined too late: in a hook or a test, or after an \`await\`[^⎯]*late\\.test\\.ts:3:22`,
        ),
      )
    expect(code).toBe(1)
  })
})

test('reports tell why suites did not run: a hook around them that failed, a file that could not be loaded', async () => {
  const suite = (name: string): string =>
    `defineSuite({ suite_name: '${name}', base_url: '{{echo_url}}', steps: [{ name: 'One', request: { url: '/get' }, assert: { status_code: 200 } }] })`
  await using project = await createProject(
    {
      'hook.test.ts': `import { defineSuite } from 'suitecase'
import { beforeAll, describe } from 'vitest'
describe('outer', () => {
  beforeAll(() => { throw new Error('no database') })
  ${suite('Hook')}
})
`,
      'unloaded.test.ts': `import { defineSuite } from 'suitecase'\n${suite('Unloaded')}\nthrow new Error('no settings')\n`,
      'plain.test.ts': "throw new Error('none of our business')\n",
      'good.test.ts': `import { defineSuite } from 'suitecase'\n${suite('Good')}\n`,
    },
    { test: '{ isolate: false }' },
  )
  expect((await project.run()).code).toBe(1)
  const { failures, errors } = JSON.parse(await project.report('failures.json')) as Record<string, unknown[]>
  expect(failures).toMatchObject([{ suite: 'Hook', message: 'no database' }])
  expect(errors).toEqual([
    'unloaded.test.ts: its suites are unknown, because the file could not be loaded: no settings',
  ])
  expect(JSON.parse(await project.report('performance.json'))).toMatchObject({ status: 'failure' })
})
