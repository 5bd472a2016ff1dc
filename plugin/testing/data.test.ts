import { expect, test } from 'vitest'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import { createProject } from './fixtures/project.ts'
import { shareRun } from './fixtures/shared-run.ts'

const inOneRun = shareRun({}, '--reporter=tree')

const rows = inOneRun((url) => {
  const suite = (id: string, each: string): string => `
suite_name: Rows
node_id: ${id}
base_url: ${url}
each: ${each}
steps:
  - name: Greet {{user}}
    request: { method: POST, url: /anything/${id}, body: { user: '{{user}}', age: '{{age}}' } }
    capture: { seen: body.json.age }
  - name: Again
    request: { url: '/anything/${id}-{{seen}}' }
`
  return {
    'inline.suite.yaml': suite('inline', '[{ user: ann, age: 1 }, { user: bob, age: 2 }]'),
    'csv.suite.yaml': suite('csv', '{ file: data/rows.csv }'),
    'json.suite.yaml': suite('json', '{ file: data/rows.json }'),
    'yaml.suite.yaml': suite('yaml', '{ file: data/rows.yaml }'),
    'data/rows.csv': '\uFEFFuser,age\r\n"ann, the ""first""",1\r\n{{js: 1+1}},2\r\n',
    'data/rows.json': '[{ "user": "ann", "age": 1 }, { "user": "bob", "age": 2 }]',
    'data/rows.yaml': '- { user: ann, age: 1 }\n- { user: bob, age: 2 }\n',
  }
})

test('rows come inline or from CSV, JSON and YAML files, one block each', async () => {
  const { echo, output, project, statuses } = await rows()
  expect(output).toContain('Rows [1: user=ann, age=1]')
  expect(output).toContain('Greet ann')
  // The report names the rows as the terminal does.
  expect(await project.result('inline.2')).toMatchObject({ suite_name: 'Rows [2: user=bob, age=2]' })
  for (const id of ['inline', 'json', 'yaml', 'csv']) {
    for (const row of [1, 2]) expect(await statuses(`${id}.${row}`)).toBe('success success')
    expect(echo.paths().filter((path) => path.startsWith(`/anything/${id}`))).toEqual([
      `/anything/${id}`,
      `/anything/${id}-1`,
      `/anything/${id}`,
      `/anything/${id}-2`,
    ])
  }
})

test('each row and each call of a suite has generated data of its own, the same for the same seed', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject(
    {
      'rows.suite.yaml': `
suite_name: Rows
base_url: ${echo.url}
each: [{ n: 1 }, { n: 2 }]
variables: { id: '{{$faker.string.uuid}}' }
steps:
  - { name: Ask, request: { url: '/anything/{{id}}' } }
`,
      'user.suite.yaml': `
suite_name: User
base_url: ${echo.url}
steps:
  - { name: Create, request: { url: '/anything/{{$faker.string.uuid}}' } }
`,
      'calls.suite.yaml': `
suite_name: Calls
steps:
  - { name: One, call: { suite: user.suite.yaml } }
  - { name: Others, iterate: { range: 1..2, as: n }, call: { suite: user.suite.yaml } }
`,
    },
    { suites: '{ seed: 5 }' },
  )
  const run = async (passed: number, ...args: string[]): Promise<string[]> => {
    const before = echo.paths().length
    expect((await project.run(...args)).output).toContain(`${passed} passed`)
    return echo.paths().slice(before).toSorted()
  }
  const paths = await run(6)
  expect(new Set(paths).size).toBe(6)
  expect(await run(6)).toEqual(paths)
  const rows = await run(2, 'rows')
  expect(paths).toEqual(expect.arrayContaining(rows))
})

const hostile = inOneRun((url) => ({
  'hostile.suite.yaml': `
suite_name: Rows
base_url: ${url}
each: { file: hostile.csv }
steps:
  - name: Send
    request: { method: POST, url: /anything/x, body: { user: '{{user}}' } }
`,
  'hostile.csv': 'user,__proto__,constructor\n{{js: 1+1}},a,b\n',
}))

test('what a row says is data, whatever it looks like', async () => {
  const { project } = await hostile()
  const { status, request_details } = await project.step('hostile.1', 'Send')
  expect(status).toBe('success')
  expect(request_details?.body).toEqual({ user: '{{js: 1+1}}' })
})

const loops = inOneRun((url) => ({
  'loops.suite.yaml': `
suite_name: Loops
base_url: ${url}
on_failure: continue
variables: { colours: [red, green], nothing: 5 }
steps:
  - name: Range
    iterate: { range: '3..1', as: n }
    request: { url: '/anything/range-{{n}}-{{index}}' }
  - name: List
    iterate: { over: [{ id: 1 }, { id: 2 }], as: item }
    request: { url: '/anything/list-{{item.id}}' }
  - name: Variable
    iterate: { over: '{{colours}}', as: colour }
    request: { url: '/anything/variable-{{colour}}' }
  - name: Get a list
    request: { method: POST, url: /anything/get, body: { ids: [7, 8, 9], none: [] } }
    capture: { ids: body.json.ids, none: body.json.none }
  - name: 'Dynamic {{id}}, {{js: 1}}'
    iterate: { over: '{{ids}}', as: id }
    request: { url: '/anything/dynamic-{{id}}' }
    assert: { body.url: { not_contains: dynamic-8 } }
  - name: Empty
    iterate: { over: '{{none}}', as: id }
    request: { url: '/anything/empty-{{id}}' }
  - name: No list
    iterate: { over: '{{nothing}}', as: id }
    request: { url: '/anything/no-list-{{id}}' }
`,
}))

test('a step is repeated over a range, a list, a variable; over a list known only later in one test', async () => {
  const { echo, project } = await loops()
  expect(echo.sent()).toBe(
    'range-3-0 range-2-1 range-1-2 list-1 list-2 variable-red variable-green get dynamic-7 dynamic-8 dynamic-9',
  )
  const { steps_results } = await project.result('loops')
  const dynamic = steps_results.filter(({ step_name }) => step_name.startsWith('Dynamic'))
  expect(dynamic.map(({ status, step_name, iteration }) => [status, step_name, iteration])).toEqual([
    ['success', 'Dynamic 7, {{js: 1}}', { index: 0, id: 7 }],
    ['failure', 'Dynamic 8, {{js: 1}}', { index: 1, id: 8 }],
    ['success', 'Dynamic 9, {{js: 1}}', { index: 2, id: 9 }],
  ])
  expect(await project.step('loops', 'Empty')).toMatchObject({
    status: 'skipped',
    skip_reason: 'the list of `iterate` is empty',
  })
  expect((await project.step('loops', 'No list')).error_message).toBe(
    'Expected `iterate.over` to be a list, got `5`.',
  )
})
