import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startHttpServer } from '../../src/request/fixtures/http-server.ts'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import { createProject, type Project } from './fixtures/project.ts'

test('with `requireAssertions`, a step that passed counts as an assertion', async () => {
  await using echo = await startLoggedEcho()
  const step = { name: 'Checked', request: { url: '/get' }, assert: { status_code: 200 } }
  const suite = { suite_name: 'A', base_url: echo.url, steps: [step, { ...step, name: 'Once more' }] }
  await using project = await createProject(
    {
      'a.suite.yaml': JSON.stringify({ ...suite, node_id: 'written' }),
      'b.test.ts': `import { defineSuite } from 'suitecase'
import { test } from 'vitest'
defineSuite(${JSON.stringify({ ...suite, node_id: 'typed' })})
test('without any', () => {})
`,
    },
    { test: '{ expect: { requireAssertions: true } }' },
  )
  const { output } = await project.run()
  expect(output).toContain('1 failed | 4 passed (5)')
  expect(output).toMatch(/FAIL .*without any/)
})

test('two runs that share a folder of reports at once both pass, and leave whole files', async () => {
  await using echo = await startLoggedEcho()
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      `s${index}.suite.yaml`,
      `suite_name: S${index}\nnode_id: s${index}\nbase_url: ${echo.url}\nsteps:\n` +
        `  - { name: Get, request: { url: /get }, assert: { status_code: 200 } }\n`,
    ]),
  )
  await using project = await createProject(files)
  for (const { code, output } of await Promise.all([project.run(), project.run()])) {
    expect(output).toContain('30 passed (30)')
    expect(output).not.toMatch(/ENOENT|Unhandled/)
    expect(code).toBe(0)
  }
  for (let index = 0; index < 30; index += 1)
    expect((await project.result(`s${index}`)).status).toBe('success')
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
  const steps = Array.from({ length: 200 }, (_, index) => `  - { name: S${index}, request: { url: /get } }\n`)
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
  expect(output).toContain('201 passed (201)')
  // If each step had its own copy, a file would take 12 MB.
  expect(await measureReports(project)).toBeLessThan(6_000_000)
})

test('bodies of 100,000 keys and expressions over 5 MB are judged', async () => {
  const keys = JSON.stringify(
    Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index])),
  )
  const large = JSON.stringify({ text: 'ab'.repeat(2_500_000) })
  await using server = await startHttpServer((request, response) =>
    response.setHeader('content-type', 'application/json').end(request.url === '/keys' ? keys : large),
  )
  await using project = await createProject(
    {
      'a.suite.yaml': `
suite_name: A
base_url: ${server.url}
steps:
  - name: Keys
    request: { url: /keys }
    assert: { body.k99999: 99999 }
  - name: Replace
    request: { url: /large }
    assert: { custom: [{ name: b, condition: "body.text.replaceAll('a', 'b').length === 5000000", message: none }] }
`,
    },
    { suites: '{ limits: { expression: 30_000 } }' },
  )
  const { code, output } = await project.run()
  expect(output).toContain('2 passed (2)')
  expect(code).toBe(0)
})

test('suite files may have characters in their names that mean something in urls', async () => {
  await using echo = await startLoggedEcho()
  const names = ['is it?', 'a#b', 'a%20b', 'a&b=c', 'ü 1']
  await using project = await createProject(
    Object.fromEntries(
      names.map((name, index) => [
        `${name}.suite.yaml`,
        `suite_name: N${index}\nbase_url: ${echo.url}\nsteps:\n  - { name: Get, request: { url: /get } }\n`,
      ]),
    ),
  )
  const { code, output } = await project.run()
  expect(output).toContain('5 passed (5)')
  expect(code).toBe(0)
})

test('a condition on a body that is too deep names the reason', async () => {
  await using server = await startHttpServer((_request, response) =>
    response
      .setHeader('content-type', 'application/json')
      .end(`{"a":${'['.repeat(3000)}${']'.repeat(3000)}}`),
  )
  await using project = await createProject({
    'a.suite.yaml': `
suite_name: A
base_url: ${server.url}
steps:
  - name: Path
    request: { url: / }
    scenarios: [{ condition: 'body.a == \`1\`', then: { variables: { x: 1 } } }]
  - name: Script
    request: { url: / }
    scenarios: [{ condition: '{{js: body.a === 1}}', then: { variables: { x: 1 } } }]
`,
  })
  await project.run()
  for (const [name, condition] of [
    ['Path', '“body.a == `1`”'],
    ['Script', '`{{js: body.a === 1}}`'],
  ] as const)
    expect((await project.step('a', name)).error_message).toBe(
      `The condition ${condition} could not be evaluated: The body is nested deeper than 500 levels; only its text can be checked`,
    )
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

test('a suite in TypeScript refuses fake timers, under which nothing would be waited for, and runs with a fake date', async () => {
  const suite = (hook: string): string => `import { defineSuite } from 'suitecase'
import { beforeAll, vi } from 'vitest'
beforeAll(() => void ${hook})
defineSuite({ suite_name: 'Fake', base_url: '{{echo_url}}', steps: [
  { name: 'One', request: { url: '/get' }, assert: { status_code: 200, response_time_ms: { less_than: 60000 } } } ] })
`
  await using project = await createProject({
    'all.test.ts': suite("vi.useFakeTimers({ now: new Date('2026-01-01') })"),
    'times.test.ts': suite("vi.useFakeTimers({ toFake: ['performance'] })"),
    'date.test.ts': suite("vi.useFakeTimers({ toFake: ['Date'] })"),
    'now.test.ts': suite("vi.setSystemTime('2026-01-01')"),
  })
  const { output } = await project.run()
  expect(output).toMatch(/Tests {2}2 failed \| 2 passed/)
  expect(output).toMatch(/Performance {2}2 requests in [\d.]+ m?s:/)
  for (const file of ['all', 'times']) {
    expect(output).toContain(`FAIL  ${file}.test.ts:5 > Fake > One\nError: Timers are fake here: `)
    expect(output).toContain(`❯ ${file}.test.ts:5:11`)
  }
})

test.each([
  ['', true],
  ["{ toFake: ['performance'] }", true],
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
