import { expect, test } from 'vitest'
import type { SuiteError } from '../../errors.ts'
import { loadSuite } from '../load-suite.ts'

test.each([
  "request: { url: http://h/ }, assert: { body: { '{{name}}': 1 } }",
  "websocket: { url: ws://h/, exchange: [{ expect: { '{{name}}': 1 } }] }",
])('a template in the name of a check is told once: %s', async (step) => {
  const source = { path: 'a.yaml', text: `suite_name: S\nsteps: [{ name: A, ${step} }]` }
  const error: unknown = await loadSuite(source, { folder: '/' }).catch((thrown: unknown) => thrown)
  expect((error as SuiteError).problems.map(({ message }) => message)).toEqual([
    '`{{…}}` is not filled in inside field names: `{{name}}`.',
  ])
})

test('a step that is always skipped needs nothing but a name, with a reason too', async () => {
  const loadSkip = (skip: string): ReturnType<typeof loadSuite> =>
    loadSuite({ path: 'a.yaml', text: `suite_name: S\nsteps: [{ name: A, skip: ${skip} }]` }, { folder: '/' })
  for (const skip of ['true', '{ when: true, reason: later }'])
    expect((await loadSkip(skip)).steps).toMatchObject([{ skip: true }])
  for (const skip of ['false', 'a == 1', '{ when: a == 1 }'])
    await expect(loadSkip(skip)).rejects.toThrow('`A` sends nothing.')
})

test('a reason written as a condition is told where reasons belong, and only for `skip`', async () => {
  const loadStep = (step: string): ReturnType<typeof loadSuite> =>
    loadSuite({ path: 'a.yaml', text: `suite_name: S\nsteps: [{ name: A, ${step} }]` }, { folder: '/' })
  await expect(loadStep('skip: flaky on CI')).rejects.toThrow(
    'hint: Why a step is skipped is written as `skip: { when: true, reason: … }`.',
  )
  await expect(loadStep('request: { url: http://h/ }, retry: { until: order is done }')).rejects.toThrow(
    'hint: Write `===` instead.\n',
  )
})

test.each([
  "request: { url: http://h/, params: { '{{name}}': x } }",
  "request: { url: http://h/ }, variables: { '{{name}}': x }",
  "request: { method: POST, url: http://h/, body: { headers: { '{{name}}': x } } }",
])('a template in a name is told: %s', async (step) => {
  const source = { path: 'a.yaml', text: `suite_name: S\nsteps: [{ name: A, ${step} }]` }
  const { warnings } = await loadSuite(source, { folder: '/', variables: ['name'] })
  expect(warnings.map(({ problem }) => problem.message)).toEqual([
    'The `{{…}}` in the name `{{name}}` is not filled in: only values can have templates.',
  ])
})

test('a default snapshot is refused beside a burst, unless the step has another check', async () => {
  const burst = `request: { url: 'http://h/' }, burst: { times: 2 }`
  const text = `suite_name: S
defaults: { assert: { body.page: { snapshot: true } } }
steps:
  - { name: A, ${burst}, assert: { body.page: { length: 2 } } }
  - { name: B, ${burst} }
`
  const error = await loadSuite({ path: 'a.yaml', text }, { folder: '/' }).catch((thrown: Error) => thrown)
  const { problems } = error as SuiteError
  expect(problems.map(({ message, hint, at }) => [at[0], message, hint])).toEqual([
    [
      5,
      '`burst` has many responses, but the `snapshot` of `body.page` in `defaults` needs a single one.',
      'Override the check of `body.page` in this step.',
    ],
  ])
})

test('a scenario whose condition an earlier one has is told, unless all that match run', async () => {
  const text = `suite_name: S
steps:
  - name: A
    request: { url: http://h/ }
    scenarios:
      - { condition: status_code == 200, then: { assert: { body: a } } }
      - { condition: status_code == 404, then: { assert: { body: b } } }
      - { condition: ' status_code == 200', then: { assert: { body: c } } }
      - { condition: status_code == 404, else: { assert: { body: d } } }
`
  const list = async (compat: boolean): Promise<unknown> =>
    (await loadSuite({ path: 'a.yaml', text }, { folder: '/', compat })).warnings.map(
      ({ line, problem }) => `${line} ${problem.message}`,
    )
  expect(await list(false)).toEqual([
    '8 The `then` of this scenario never runs: the scenario on line 6 has the same condition, and only the first match counts.',
  ])
  expect(await list(true)).toEqual([])
})

test.each([
  ["body: { a: ['x ${user}'] }", 'body', '${user}'],
  ["headers: { x-id: '${ id } ${id}' }", 'headers', '${id}'],
  ["url: 'http://h/a?b=${row}'", 'url', '${row}'],
  ["form: { a: '${own}' }", 'form', '${own}'],
  ["headers: { authorization: 'Bearer {id}' }", 'headers', '{id}'],
  ["body: '${other} {other} {{js: `${user}`}}'", undefined, ''],
  ["graphql: { query: '{user{id}} {user {id} }' }", undefined, ''],
])('a variable written as in other tools is told: %s', async (part, key, name) => {
  const request = part.startsWith('url') ? part : `url: http://h/, ${part}`
  const text = `suite_name: S
variables: { user: ann }
each: [{ row: 1 }]
steps:
  - { name: A, request: { url: http://h/ }, capture: { id: body.id } }
  - { name: B, variables: { own: 1 }, request: { method: POST, ${request} } }
`
  const { warnings } = await loadSuite({ path: 'a.yaml', text }, { folder: '/' })
  const column = (text.split('\n')[5] ?? '').indexOf(`${key}:`) + 1
  expect(warnings.map(({ message, line, column }) => [line, column, message])).toEqual(
    key === undefined
      ? []
      : [
          [
            6,
            column,
            `\`${name}\` is sent as it is written. Write \`{${name.replace('$', '')}}\` to insert the variable.`,
          ],
        ],
  )
})
