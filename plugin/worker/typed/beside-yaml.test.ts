import { describe, expect, test } from 'vitest'
import { createProject } from '../../testing/fixtures/project.ts'

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
  test('read their exports, call them, and have rows and loops', async () => {
    await using project = await createProject({
      'auth.suite.yaml': AUTH,
      'consumer.test.ts': CONSUMER,
      'rows.csv': 'n\n3\n4\n',
    })
    const { code, output } = await project.run('--reporter=verbose')
    expect(output).toMatch(/Tests {2}14 passed \(14\)/)
    expect(output).not.toContain('Nothing gives')
    expect(code).toBe(0)
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

  test('run the earlier steps that a selected one needs, and skip what needs a lost capture', async () => {
    await using project = await createProject({ 'flow.test.ts': FLOW })
    const selected = await project.run('-t', 'Wanted')
    expect(selected.output).toMatch(/Tests {2}1 passed \| 5 skipped \(6\)/)
    const line = FLOW.slice(0, FLOW.indexOf(`'Wanted'`)).split('\n').length
    const located = await project.run(`flow.test.ts:${line}`)
    expect(located.output).toMatch(/Tests {2}1 passed \| 5 skipped \(6\)/)
    await project.run()
    const { steps_results } = await project.result('flow')
    expect(steps_results.slice(4).map(({ status, skip_reason }) => [status, skip_reason])).toEqual([
      ['failure', undefined],
      ['skipped', 'needs `lost`, which “Fails” (line 9) did not provide'],
    ])
  })

  test('run only the steps of theirs whose exports the selected tests read', async () => {
    const reads = (name: string, read: string): string =>
      `{ name: '${name}', request: { url: '/get?r={{${read}}}' }, assert: { 'body.args.r': 't-1' } },`
    await using project = await createProject({
      'auth.suite.yaml': `
suite_name: Auth
base_url: '{{echo_url}}'
exports: [token, other, broken]
steps:
  - { name: Log in, request: { url: /get?t=t-1 }, capture: { token: body.args.t } }
  - { name: Break, request: { url: /status/500 }, assert: { status_code: 200 }, capture: { broken: body.x } }
  - { name: Other, request: { url: /get?t=t-1 }, capture: { other: body.args.t } }
`,
      'middle.suite.yaml': `
suite_name: Middle
base_url: '{{echo_url}}'
exports: [passed]
steps:
  - { name: Pass, request: { url: '/get?t={{auth.token}}' }, capture: { passed: body.args.t } }
`,
      'reads.test.ts': `import { defineSuite } from 'suitecase'
const base_url = '{{echo_url}}'
defineSuite({ suite_name: 'One', base_url, steps: [${reads('token', 'auth.token')} ${reads('fails', 'auth.broken')}] })
defineSuite({ suite_name: 'Two', base_url, steps: [${reads('other', 'auth.other')}] })
defineSuite({ suite_name: 'Three', base_url, steps: [${reads('passed', 'middle.passed')}] })
defineSuite({ suite_name: 'Four', base_url, steps: [{ name: 'called', call: { suite: 'middle' } }] })
defineSuite({ suite_name: 'Five', base_url, depends: ['auth'], steps: [${reads('all', 'auth.token')}] })
`,
    })
    const selected = await project.run('reads', '-t', 'token|other|passed|called', '--reporter=verbose')
    expect(selected.output).toContain('Tests  4 passed | 2 skipped (6)')
    expect(selected.code).toBe(0)
    const all = await project.run('reads')
    expect(all.output).toContain('Tests  5 passed | 1 skipped (6)')
    expect(all.output.match(/The step “Break”/g)).toHaveLength(1)
  })

  test('that read one that cannot be loaded run their other steps, and the first of them says why', async () => {
    const steps = `[{ name: 'alone', request: { url: '/get' } }, { name: 'reads', request: { url: '/get?r={{auth.v}}' } }]`
    await using project = await createProject({
      'auth.suite.yaml': 'suite_name: Auth\nexports: [v]\nnonsense: 1\nsteps: []\n',
      'reads.test.ts': `import { defineSuite } from 'suitecase'
defineSuite({ suite_name: 'One', node_id: 'one', base_url: '{{echo_url}}', steps: ${steps} })
defineSuite({ suite_name: 'Two', base_url: '{{echo_url}}', steps: ${steps} })
`,
    })
    const { code, output } = await project.run('reads', '--reporter=verbose')
    expect(output).toContain('Tests  2 passed | 2 skipped (4)')
    expect(output.match(/The suite `auth`, which this one needs, could not be loaded\./g)).toHaveLength(1)
    expect(output).toMatch(/auth\.suite\.yaml:3:1 error unknown-field.*[^]*❯ reads\.test\.ts:2:/)
    expect((await project.step('one', 'reads')).skip_reason).toBe(
      'needs `auth.v`, which the suite `auth` (it could not be loaded) did not provide',
    )
    expect(code).toBe(1)
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

  test('read numbers of theirs that a double cannot hold', async () => {
    await using project = await createProject({
      'large.suite.yaml': LARGE,
      'reads.test.ts': `import { defineSuite } from 'suitecase'
defineSuite({
  suite_name: 'Reads', base_url: '{{echo_url}}',
  steps: [{ name: 'reads', request: { url: '/get?id={{large.id}}' }, assert: { 'body.args.id': '12345678901234567890' } }],
})
`,
    })
    const { code, output } = await project.run()
    expect(output).toContain('Tests  2 passed (2)')
    expect(code).toBe(0)
  })

  test.each(["test('late', define)", 'beforeAll(define)', 'setTimeout(define, 1)'])(
    'defined where Vitest takes no tests any more, are an error: %s',
    async (call) => {
      await using project = await createProject({
        'late.test.ts': `import { defineSuite } from 'suitecase'
import { beforeAll, describe, test } from 'vitest'
const define = () => defineSuite({ suite_name: 'Late', steps: [{ name: 'reads', request: { url: '{{echo_url}}/get' } }] })
describe('a block', () => {
  ${call.startsWith('setTimeout') ? '' : call}
  test('another', () => new Promise((resolve) => setTimeout(resolve, 50)))
})
${call.startsWith('setTimeout') ? call : ''}
`,
      })
      const { code, output } = await project.run()
      expect(output).toContain('A suite was defined too late: in a hook or a test, or after an `await`')
      expect(output).toContain('late.test.ts:3:22')
      expect(code).toBe(1)
    },
  )
})

test('reports tell why suites did not run: a hook around them that failed, a file that could not be loaded', async () => {
  const suite = (name: string): string =>
    `defineSuite({ suite_name: '${name}', base_url: '{{echo_url}}', steps: [{ name: 'One', request: { url: '/get' }, assert: { status_code: 200 } }] })`
  await using project = await createProject({
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
  })
  expect((await project.run()).code).toBe(1)
  const { failures, errors } = JSON.parse(await project.report('failures.json')) as Record<string, unknown[]>
  expect(failures).toMatchObject([{ suite: 'Hook', message: 'no database' }])
  expect(errors).toEqual([
    'unloaded.test.ts: its suites are unknown, because the file could not be loaded: no settings',
  ])
  expect(JSON.parse(await project.report('performance.json'))).toMatchObject({ status: 'failure' })
})

test('a suite with mistakes is in the reports also when the run stopped before it', async () => {
  await using project = await createProject({
    'a.test.ts': `import { defineSuite } from 'suitecase'
const steps = [{ name: 'One', request: { url: '/get' }, assert: { status_code: 500 } }]
defineSuite({ suite_name: 'Fails', node_id: 'fails', base_url: '{{echo_url}}', steps })
const teardown = [{ name: 'Bye', step_id: 'bye', request: { url: '/get' } }, { request: { url: '/get' } }]
defineSuite({ suite_name: 'Broken', node_id: 'broken', base_url: '{{echo_url}}', setup: steps, steps, teardown, bogus: 1 })
`,
  })
  await project.run('--bail=1')
  expect(await project.results()).toEqual(['broken.json', 'fails.json'])
  const broken = await project.result('broken')
  expect(broken).toMatchObject({ status: 'not_run', steps_not_run: 4 })
  expect(broken.steps_results.map(({ step_id, step_name }) => [step_id, step_name])).toEqual([
    ['setup-1-one', 'One'],
    ['step-1-one', 'One'],
    ['bye', 'Bye'],
    ['teardown-2', 'Step 4'],
  ])
  await project.run()
  expect(await project.result('broken')).toMatchObject({
    status: 'failure',
    error_message: expect.stringContaining('Unknown field `bogus`'),
  })
})

test('a suite is what it was when it was defined, whatever the file makes of its parts later', async () => {
  await using project = await createProject({
    'loop.test.ts': `import { buildSuite, defineSuite } from 'suitecase'
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
`,
  })
  const { output } = await project.run('--reporter=verbose')
  expect(output).toMatch(/× loop\.test\.ts:\d+ > Expects 500 > One/)
  expect(output).toMatch(/✓ loop\.test\.ts:\d+ > Expects 200 > One/)
  expect(output).toMatch(/✓ loop\.test\.ts:\d+ > Built > One/)
  expect(output).toMatch(/× loop\.test\.ts:\d+ > Built > Two/)
})

test('a suite file that is not there is a mistake with its place, and one that has a like name is suggested', async () => {
  await using project = await createProject({
    'auth.suite.yaml': AUTH,
    'calls.test.ts': `import { defineSuite } from 'suitecase'
defineSuite({ suite_name: 'File', steps: [{ name: 'Call', call: { suite: './none.suite.yaml' } }] })
defineSuite({ suite_name: 'Node id', steps: [{ name: 'Call', call: { suite: 'aut' } }] })
`,
  })
  const { output } = await project.run()
  expect(output).toContain(
    'calls.test.ts:2:74 error unknown-reference: The suite file `./none.suite.yaml` does not exist.',
  )
  expect(output).toContain(
    'calls.test.ts:3:77 error unknown-reference: No suite has the node id `aut`.\n  hint: Did you mean `auth`?',
  )
})

test('hooks of a setup file run around each step, also those that take the context as a whole', async () => {
  await using project = await createProject(
    {
      'setup.ts': `import { afterEach, beforeEach } from 'vitest'
beforeEach((context) => console.log(\`before \${context.task.name}\`))
afterEach((context) => console.log(\`after \${context.task.name}\`))
`,
      'hooked.test.ts': `import { defineSuite } from 'suitecase'
defineSuite({ suite_name: 'Hooked', base_url: '{{echo_url}}', steps: [{ name: 'One', request: { url: '/get' }, assert: { status_code: 200 } }] })
`,
    },
    { test: "{ setupFiles: './setup.ts' }" },
  )
  const { code, output } = await project.run()
  expect(output).toMatch(/before One[^]*after One/)
  expect(output).toContain('Tests  1 passed (1)')
  expect(code).toBe(0)
})
