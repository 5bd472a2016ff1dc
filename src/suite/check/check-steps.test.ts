import { expect, test } from 'vitest'
import type { SuiteError } from '../../errors.ts'
import type { LoadOptions } from '../load-context.ts'
import { loadSuite } from '../load-suite.ts'

/** The problem of a suite with these requests, with its place. */
async function judge(requests: string, options: Partial<LoadOptions> = {}): Promise<string | undefined> {
  const steps = requests.split('\n').map((request, index) => `  - { name: S${index}, ${request} }\n`)
  const source = { path: 'a.suite.yaml', text: `suite_name: S\nsteps:\n${steps.join('')}` }
  const error: unknown = await loadSuite(source, { folder: '/', hasApp: false, ...options }).catch(
    (thrown: unknown) => thrown,
  )
  return error instanceof Error ? error.message.split('\n').slice(0, 2).join('\n') : undefined
}

test('a request without an address is told once, with what gives it one', async () => {
  expect(await judge("request: { url: 'http://h/' }\nrequest: { url: /get }\nrequest: { url: /post }")).toBe(
    'a.suite.yaml:4:33 error bad-value: Expected a full URL, because this suite has no `base_url`, got `/get`.\n' +
      '  hint: Add `base_url: http://localhost:3000` to the suite, or set the option `app`.',
  )
  expect(await judge('request: { url: /get }', { listEnvironments: () => ['production', 'staging'] })).toBe(
    'a.suite.yaml:3:33 error bad-value: Expected a full URL, because this suite has no `base_url`, got `/get`.\n' +
      '  hint: No environment is chosen. To take the `base_url` of one, set SUITECASE_ENV to production or staging, or the option `environment`.',
  )
  expect(await judge('websocket: { url: chat }', { variables: ['base_url'] })).toBe(
    'a.suite.yaml:3:35 error bad-value: Expected a full URL, because this suite has no `base_url`, got `chat`.\n' +
      "  hint: Add `base_url: '{{base_url}}'` to the suite, or set the option `app`.",
  )
})

test.each<[what: string, requests: string, options?: Partial<LoadOptions>]>([
  ['a whole address', 'request: { url: HTTPS://h }'],
  ['what a variable may have', "request: { url: '{{host}}/get' }"],
  ['an application in this process', 'request: { url: /get }', { hasApp: true }],
  ['one that is not known of', 'request: { url: /get }', { hasApp: undefined as never }],
  ['a module whose hooks may write it', 'request: { url: /get }', { extension: '/e.ts' }],
])('no address is missing where there is %s', async (_what, requests, options) => {
  expect(await judge(requests, options)).toBeUndefined()
})

test('nothing is said of an address where the `base_url` that is there cannot be read', async () => {
  const step = 'steps: [{ name: S, request: { url: /x } }]\n'
  for (const url of ['{{host}}', "''", '&a {}']) {
    const source = { path: 'a.suite.yaml', text: `suite_name: S\nbase_url: ${url}\n${step}` }
    const error = await loadSuite(source, { folder: '/', hasApp: false }).catch((thrown: unknown) => thrown)
    expect((error as SuiteError).problems.map(({ location }) => location.line)).toEqual([2])
  }
})

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

test('a misspelt `base_url` is one problem', async () => {
  const step = 'steps: [{ name: S, request: { url: /x } }]\n'
  const source = { path: 'a.suite.yaml', text: `suite_name: S\nbaseUrl: http://h\n${step}` }
  const error: unknown = await loadSuite(source, { folder: '/', hasApp: false }).catch(
    (thrown: unknown) => thrown,
  )
  expect((error as SuiteError).problems.map(({ message, hint }) => [message, hint])).toEqual([
    ['Unknown field `baseUrl`.', 'Did you mean `base_url`?'],
  ])
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
  expect(problems.map(({ message, hint, location }) => [location.line, message, hint])).toEqual([
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
