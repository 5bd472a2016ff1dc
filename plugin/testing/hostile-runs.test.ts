import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startHttpServer, type HttpServer } from '../../src/request/fixtures/http-server.ts'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import { waitUntil } from './fixtures/processes.ts'
import { createProject, type Project } from './fixtures/project.ts'
import { shareRun } from './fixtures/shared-run.ts'

const inOneThread = shareRun({
  test: "{ pool: 'threads', isolate: false, expect: { requireAssertions: true } }",
})

const counted = inOneThread((url) => {
  const step = { name: 'Checked', request: { url: '/get' }, assert: { status_code: 200 } }
  const suite = { suite_name: 'A', base_url: url, steps: [step, { ...step, name: 'Once more' }] }
  return {
    'a.suite.yaml': JSON.stringify({ ...suite, node_id: 'written' }),
    'b.test.ts': `import { defineSuite } from 'suitecase'
import { test } from 'vitest'
defineSuite(${JSON.stringify({ ...suite, node_id: 'typed' })})
test('without any', () => {})
`,
  }
})

test('with `requireAssertions`, a step that passed counts as an assertion', async () => {
  const { output } = await counted()
  expect(output).toContain('✓ |suites| a.suite.yaml (2 tests)')
  expect(output).toContain('b.test.ts (3 tests | 1 failed)')
  expect(output).toMatch(/FAIL .*without any/)
})

const fake = inOneThread(() => {
  const suite = (hook: string): string => `import { defineSuite } from 'suitecase'
import { afterAll, beforeAll, vi } from 'vitest'
afterAll(() => void vi.useRealTimers()); beforeAll(() => void ${hook})
defineSuite({ suite_name: 'Fake', base_url: '{{echo_url}}', steps: [
  { name: 'One', request: { url: '/get' }, assert: { status_code: 200, response_time_ms: { less_than: 60000 } } } ] })
`
  return {
    'all.test.ts': suite("vi.useFakeTimers({ now: new Date('2026-01-01') })"),
    'times.test.ts': suite("vi.useFakeTimers({ toFake: ['performance'] })"),
    'date.test.ts': suite("vi.useFakeTimers({ toFake: ['Date'] })"),
    'now.test.ts': suite("vi.setSystemTime('2026-01-01')"),
  }
})

test('a suite in TypeScript refuses fake timers, under which nothing would be waited for, and runs with a fake date', async () => {
  const { output } = await fake()
  // Two of these suites, and the four steps of the other test.
  expect(output).toMatch(/Performance {2}6 requests in [\d.]+ m?s:/)
  for (const file of ['date', 'now']) expect(output).toContain(`✓ ${file}.test.ts (1 test)`)
  for (const file of ['all', 'times']) {
    expect(output).toContain(`FAIL  ${file}.test.ts:5 > Fake > One\nError: Timers are fake here: `)
    expect(output).toContain(`❯ ${file}.test.ts:5:11`)
  }
})

test('of two runs at once that share a folder of reports, the first tells which results it lost; those of the other are whole', async () => {
  // All but the first answer are held.
  const held: ServerResponse[] = []
  let answered = 0
  await using server = await startHttpServer(({ url }, response) => {
    if (url === '/done' && ++answered === 1) response.end()
    else held.push(response)
  })
  const suite = (name: string): string =>
    `suite_name: ${name}\nbase_url: ${server.url}\nsteps: [{ name: Get, request: { url: /${name} } }]\n`
  await using project = await createProject({
    'done.suite.yaml': suite('done'),
    'held.suite.yaml': suite('held'),
  })
  const first = project.start('run')
  const file = join(project.root, '.vitest/suitecase/suites/done.json')
  const patience = { patience: 20_000, describe: first.output }
  await waitUntil(() => held.length === 1 && existsSync(file), patience)
  const second = project.run()
  await waitUntil(() => held.length === 3, patience)
  held[0]?.end()
  const lost = await first.ended()
  expect(lost.output).toContain('The reports lack the results of done.suite.yaml: their files were removed')
  expect(lost.code).toBe(1)
  for (const response of held) response.end()
  const whole = await second
  expect(whole.output).not.toMatch(/ENOENT|Unhandled|lack/)
  expect(whole.code).toBe(0)
  for (const name of ['done', 'held']) expect((await project.result(name)).status).toBe('success')
})

/** The size in bytes of everything that a run wrote to its output folder. */
async function measureReports({ root }: Project): Promise<number> {
  const folder = join(root, '.vitest/suitecase')
  const names = await readdir(folder, { recursive: true })
  const stats = await Promise.all(names.map((name) => stat(join(folder, name))))
  return stats.filter((each) => each.isFile()).reduce((sum, { size }) => sum + size, 0)
}

test('a value of 60 KB that many steps see is in the reports a few times, not once a step', async () => {
  await using echo = await startLoggedEcho()
  const steps = Array.from({ length: 100 }, (_, index) => `  - { name: S${index}, request: { url: /get } }\n`)
  await using project = await createProject({
    'a.suite.yaml': `
suite_name: A
base_url: ${echo.url}
variables: { large: '${'x'.repeat(60_000)}' }
steps:
  - { name: Take, request: { url: /get }, assert: { status_code: 200 } }
${steps.join('')}`,
  })
  const { output } = await project.run()
  expect(output).toContain('101 passed (101)')
  // If each step had its own copy, a file would take 6 MB.
  expect(await measureReports(project)).toBeLessThan(3_000_000)
})

describe('in one run', () => {
  const keys = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index]))
  const bodies: Record<string, string> = {
    '/keys': JSON.stringify(keys),
    '/large': JSON.stringify({ text: 'ab'.repeat(2_500_000) }),
    '/deep': `{"a":${'['.repeat(3000)}${']'.repeat(3000)}}`,
  }
  const files: Record<string, string> = {}
  let server: HttpServer
  let project: Project
  let output: string
  beforeAll(async () => {
    server = await startHttpServer((request, response) =>
      response.setHeader('content-type', 'application/json').end(bodies[request.url ?? '']),
    )
    const options = `{ limits: { expression: 30_000 }, variables: { server: '${server.url}' } }`
    project = await createProject(files, { suites: options })
    output = (await project.run()).output
  })
  afterAll(async () => {
    await project[Symbol.asyncDispose]()
    await server.close()
  })

  files['large.suite.yaml'] = `
suite_name: Large
base_url: '{{server}}'
steps:
  - name: Keys
    request: { url: /keys }
    assert: { body.k99999: 99999 }
  - name: Replace
    request: { url: /large }
    assert: { custom: [{ name: b, condition: "body.text.replaceAll('a', 'b').length === 5000000", message: none }] }
`
  test('bodies of 100,000 keys and expressions over 5 MB are judged', async () => {
    expect(await project.result('large')).toMatchObject({ steps_successful: 2, steps_executed: 2 })
  })

  const names = ['is it?', 'a#b', 'a%20b', 'a&b=c', 'ü 1']
  for (const name of names)
    files[`${name}.suite.yaml`] =
      "suite_name: N\nbase_url: '{{server}}'\nsteps: [{ name: Get, request: { url: / } }]\n"
  test('suite files may have characters in their names that mean something in urls', () => {
    for (const name of names) expect(output).toContain(`✓ |suites| ${name}.suite.yaml (1 test)`)
  })

  files['deep.suite.yaml'] = `
suite_name: Deep
base_url: '{{server}}'
steps:
  - name: Path
    request: { url: /deep }
    scenarios: [{ condition: 'body.a == \`1\`', then: { variables: { x: 1 } } }]
  - name: Script
    request: { url: /deep }
    scenarios: [{ condition: '{{js: body.a === 1}}', then: { variables: { x: 1 } } }]
`
  test.each([
    ['Path', '“body.a == `1`”'],
    ['Script', '`{{js: body.a === 1}}`'],
  ])('a condition on a body that is too deep names the reason: %s', async (name, condition) => {
    expect((await project.step('deep', name)).error_message).toBe(
      `The condition ${condition} could not be evaluated: The body is nested deeper than 500 levels; only its text can be checked`,
    )
  })
})

test('a suite file that is removed while its steps run has its results, and no other suite notices', async () => {
  await using project = await createProject(
    {
      'a.suite.yaml': `suite_name: A
node_id: a
steps:
  - name: passes
    request: { url: / }
    assert: { status_code: 200 }
  - name: fails
    request: { url: / }
    assert: { status_code: 404 }
`,
      'b.suite.yaml': `suite_name: B
node_id: b
base_url: '{{echo_url}}'
steps:
  - name: passes
    request: { url: /delay/1 }
    assert: { status_code: 200 }
`,
      'app.ts': `import { rmSync } from 'node:fs'
export default (request, response) => {
  rmSync(new URL('./a.suite.yaml', import.meta.url), { force: true })
  response.end('gone')
}
`,
    },
    { suites: "{ app: './app.ts' }" },
  )
  const { output } = await project.run()
  expect(output).toContain('Expected `status_code` to be 404, got 200')
  expect(output).toContain('Tests  1 failed | 2 passed (3)')
  expect(output).not.toContain('Unhandled')
  const { steps_results, suite_yaml_content } = await project.result('a')
  expect(steps_results.map(({ status }) => status)).toEqual(['success', 'failure'])
  expect(suite_yaml_content).toContain('could not be read')
  expect(await project.result('b')).toMatchObject({ status: 'success' })
})

test('what JSON cannot hold is a text in the variables of a suite, also where nothing is hidden', async () => {
  await using project = await createProject(
    {
      'a.suite.yaml': `suite_name: A
node_id: a
steps:
  - name: one
    request: { url: / }
    capture: { n: body.n }
`,
      'app.ts': `export default (request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end('{"n":1e999}')
}
`,
    },
    { suites: "{ app: './app.ts', redact: false }" },
  )
  await project.run()
  expect((await project.result('a')).variables_captured).toEqual({ n: 'Infinity' })
})

test.each([
  ['', true],
  ["{ toFake: ['Date'] }", false],
])(
  'an application that fakes timers is refused, under which every time would be 0: useFakeTimers(%s)',
  async (what, isRefused) => {
    await using project = await createProject(
      {
        'app.ts': `import { vi } from 'vitest'
vi.useFakeTimers(${what})
export default (request, response) => response.end()
`,
        'a.suite.yaml': `suite_name: A
steps:
  - { name: One, request: { url: / }, assert: { response_time_ms: { less_than: 60000 } } }
  - { name: Two, request: { url: / }, assert: { status_code: 200 } }
`,
      },
      { suites: "{ app: './app.ts' }" },
    )
    const { output } = await project.run()
    expect(output).toMatch(isRefused ? /Tests {2}2 failed/ : /Tests {2}2 passed/)
    expect(output.includes('Error: Timers are fake here: ')).toBe(isRefused)
  },
)
