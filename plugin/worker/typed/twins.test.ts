import { expect, test } from 'vitest'
import { comparable } from './fixtures/comparable.ts'
import { createProject } from '../../testing/fixtures/project.ts'

const YAML = `
suite_name: Twins
description: the same in two languages
node_id: yaml-twin
metadata: { priority: high }
base_url: '{{echo_url}}'
cookies: true
on_failure: continue
redact: [secret_word]
retry: { max_attempts: 2, base_delay_ms: 1, on: [503] }
variables:
  user: alice
  secret_word: abracadabra
  nested: { list: [1, 2, { deep: yes }], path: '/anything/{{user}}' }
setup:
  - name: Prepare
    request: { url: /get, params: { q: 'a b' } }
    capture: { origin: body.origin }
steps:
  - name: Log in as {{user}}
    request:
      method: POST
      url: /post
      headers: { X-Secret: '{{secret_word}}', X-From: '{{origin}}' }
      body: { user: '{{user}}', token: t-1, more: '{{nested}}' }
    assert:
      status_code: [200, 201]
      headers: { content-type: { contains: json } }
      body:
        json: { user: '{{user}}', token: { type: string, minLength: 3, pattern: '^t-' } }
        json.more.list: { length: 3 }
      response_time_ms: { less_than: 20000 }
      custom:
        - { name: sum, condition: 'body.json.more.list[0] + 1 === 2', message: adds up }
    capture:
      token: body.json.token
      first: body.json.more.list[0]
      made: { path: body.nope, default: 'for {{user}}' }
  - name: Use the token
    request: { url: '{{nested.path}}?t={{token}}', auth: { bearer: '{{token}}' } }
    assert:
      body.args.t: '{{token}}'
      body.headers.Authorization: Bearer t-1
      body.method: WRONG
  - name: Once per item {{item}}
    iterate: { over: [x, y], as: item }
    request: { url: '/get?i={{item}}&made={{made}}' }
    assert: { body.args.i: '{{item}}' }
  - name: Branches
    request: { url: /status/404 }
    scenarios:
      - { condition: status_code == 200, then: { assert: { body: ok } }, else: { variables: { seen: 'not {{user}}' } } }
      - { name: missing, condition: '{{js: status_code === 404}}', then: { assert: { status_code: 404 }, capture: { code: status_code } } }
  - name: Skipped
    skip: first === 1
    request: { url: '/get?code={{code}}&seen={{seen}}' }
  - name: Unresolved
    request: { url: '/get?x={{nobody}}' }
  - name: Repeated
    request: { url: /status/503 }
    assert: { status_code: 503 }
  - name: Fails to connect
    request: { url: 'http://127.0.0.1:1/' }
    assert: { status_code: 200 }
teardown:
  - name: Clean up
    request: { method: DELETE, url: /delete }
`

const TYPESCRIPT = `import { defineSuite } from 'suitecase'

const item = { iterate: { over: ['x', 'y'], as: 'item' } }

defineSuite({
  suite_name: 'Twins',
  description: 'the same in two languages',
  node_id: 'ts-twin',
  metadata: { priority: 'high' },
  base_url: '{{echo_url}}',
  cookies: true,
  on_failure: 'continue',
  redact: ['secret_word'],
  retry: { max_attempts: 2, base_delay_ms: 1, on: [503] },
  variables: {
    user: 'alice',
    secret_word: 'abracadabra',
    nested: { list: [1, 2, { deep: 'yes' }], path: '/anything/{{user}}' },
  },
  setup: [{ name: 'Prepare', request: { url: '/get', params: { q: 'a b' } }, capture: { origin: 'body.origin' } }],
  steps: [
    {
      name: 'Log in as {{user}}',
      request: {
        method: 'POST',
        url: '/post',
        headers: { 'X-Secret': '{{secret_word}}', 'X-From': '{{origin}}' },
        body: { user: '{{user}}', token: 't-1', more: '{{nested}}' },
      },
      assert: {
        status_code: [200, 201],
        headers: { 'content-type': { contains: 'json' } },
        body: {
          json: { user: '{{user}}', token: { type: 'string', minLength: 3, pattern: '^t-' } },
          'json.more.list': { length: 3 },
        },
        response_time_ms: { less_than: 20000 },
        custom: [{ name: 'sum', condition: 'body.json.more.list[0] + 1 === 2', message: 'adds up' }],
      },
      capture: {
        token: 'body.json.token',
        first: 'body.json.more.list[0]',
        made: { path: 'body.nope', default: 'for {{user}}' },
      },
    },
    {
      name: 'Use the token',
      request: { url: '{{nested.path}}?t={{token}}', auth: { bearer: '{{token}}' } },
      assert: { 'body.args.t': '{{token}}', 'body.headers.Authorization': 'Bearer t-1', 'body.method': 'WRONG' },
    },
    {
      name: 'Once per item {{item}}',
      ...item,
      request: { url: '/get?i={{item}}&made={{made}}' },
      assert: { 'body.args.i': '{{item}}' },
    },
    {
      name: 'Branches',
      request: { url: '/status/404' },
      scenarios: [
        { condition: 'status_code == 200', then: { assert: { body: 'ok' } }, else: { variables: { seen: 'not {{user}}' } } },
        { name: 'missing', condition: '{{js: status_code === 404}}', then: { assert: { status_code: 404 }, capture: { code: 'status_code' } } },
      ],
    },
    { name: 'Skipped', skip: 'first === 1', request: { url: '/get?code={{code}}&seen={{seen}}' } },
    { name: 'Unresolved', request: { url: '/get?x={{nobody}}' } },
    { name: 'Repeated', request: { url: '/status/503' }, assert: { status_code: 503 } },
    { name: 'Fails to connect', request: { url: 'http://127.0.0.1:1/' }, assert: { status_code: 200 } },
  ],
  teardown: [{ name: 'Clean up', request: { method: 'DELETE', url: '/delete' } }],
})
`

/** The same suite, with functions wherever they are allowed. */
const FUNCTIONS = `import { defineSuite } from 'suitecase'

defineSuite({
  suite_name: 'Functions',
  base_url: '{{echo_url}}',
  variables: { user: 'alice', limit: 3, list: ['x', 'y'] },
  steps: [
    {
      name: 'Log in',
      request: {
        method: () => 'POST',
        url: ({ variables }) => \`/post?of=\${variables.user}\`,
        params: { list: ({ variables }) => variables.list, none: undefined },
        headers: { 'X-User': (values) => values.variables.user },
        auth: { basic: { username: ({ variables }) => variables.user, password: 'p' } },
        body: ({ variables }) => ({ deep: [{ user: variables.user }], at: new Date(0), big: 10n, id: 9007199254740993n }),
      },
      assert: {
        status_code: ({ variables }) => 197 + variables.limit,
        body: { 'json.deep[0].user': ({ variables }) => variables.user, 'json.at': '1970-01-01T00:00:00.000Z', 'json.big': 10, 'json.id': ({ body }) => body.json.id },
        'body.args.list': ['x', 'y'],
        'body.headers.X-User': 'alice',
        custom: [{ name: 'all', condition: ({ body, headers, status_code, response_time, request, variables }) =>
          body.json.deep.length === 1 && headers['content-type'] === 'application/json' && status_code === 200 &&
          response_time > 0 && request.method === 'POST' && variables.limit === 3 }],
      },
      capture: { user_name: ({ body }) => body.json.deep[0].user, none: () => null },
      retry: { max_attempts: 3, base_delay_ms: 1, until: ({ status_code }) => status_code === 200 },
    },
    {
      name: 'Branches',
      request: { url: '/status/404' },
      scenarios: [
        { condition: ({ body }) => body === 'ok', then: { assert: { status_code: 200 } }, else: { variables: { seen: ({ variables }) => [variables.user_name, variables.none] } } },
        { condition: ({ status_code }) => status_code === 404, then: { assert: { custom: [{ condition: () => true }] }, capture: { code: ({ status_code }) => status_code } } },
      ],
    },
    { name: 'Loop', iterate: { over: ({ variables }) => variables.list, as: 'item' }, request: { url: '/get', params: ({ variables }) => ({ i: variables.item }) }, assert: { 'body.args.i': ({ variables }) => variables.item } },
    { name: 'Skipped', skip: ({ variables }) => variables.code === 404 && variables.seen[0] === 'alice', request: { url: '/get' } },
    { name: 'Not skipped', skip: () => false, request: { url: '/get' }, assert: { status_code: 200 } },
    { name: 'Repeated', retry: { max_attempts: 2, base_delay_ms: 1, on: ({ status_code }) => status_code === 503 }, request: { url: '/status/503' }, assert: { status_code: 503 } },
    { name: 'Stream', request: { url: '/sse?count=1&duration=0' }, stream: { events: 1, trigger: { method: 'POST', url: ({ variables }) => '/post?of=' + variables.user_name } } },
    { name: 'GraphQL', request: { url: '/graphql', graphql: { query: 'query One($id: ID!) { user(id: $id) { name } }', variables: { id: ({ variables }) => String(variables.limit - 2) } } }, assert: { 'data.user.name': 'Ada' } },
    { name: 'GraphQL errors', request: { url: '/graphql', graphql: { query: '{ nobody }' } }, assert: { custom: [{ condition: ({ body: { errors } }) => errors[0].message.includes('nobody') }] } },
  ],
})
`

test('a suite gives the same results in YAML and in TypeScript, and with functions', async () => {
  await using project = await createProject(
    { 'yaml-twin.suite.yaml': YAML, 'ts-twin.test.ts': TYPESCRIPT, 'functions.test.ts': FUNCTIONS },
    { test: "{ pool: 'threads', isolate: false }" },
  )
  const { output } = await project.run()
  const [yaml, typescript] = [await project.result('yaml-twin'), await project.result('ts-twin')]
  const text = JSON.stringify(comparable(typescript)).replaceAll('ts-twin', 'yaml-twin')
  expect(JSON.parse(text)).toEqual(comparable(yaml))
  expect(yaml.steps_results.map(({ status }) => status)).toEqual([
    'success',
    'success',
    'failure',
    'success',
    'success',
    'success',
    'skipped',
    'success',
    'success',
    'failure',
    'success',
  ])

  const functions = await project.result('functions')
  expect(functions.steps_results.map((step) => [step.step_name, step.status, step.error_message])).toEqual([
    ['Log in', 'success', undefined],
    ['Branches', 'success', undefined],
    ['Loop', 'success', undefined],
    ['Loop', 'success', undefined],
    ['Skipped', 'skipped', undefined],
    ['Not skipped', 'success', undefined],
    ['Repeated', 'success', undefined],
    ['Stream', 'success', undefined],
    ['GraphQL', 'success', undefined],
    ['GraphQL errors', 'success', undefined],
  ])
  expect(functions.variables_captured).toMatchObject({
    user_name: 'alice',
    none: null,
    seen: ['alice', null],
    code: 404,
  })
  expect(functions.steps_results[6]?.attempts).toHaveLength(2)
  expect(JSON.stringify(functions)).not.toContain('__suitecase')
  expect(output).not.toContain('__suitecase')
  expect(functions.steps_results[0]?.request_details?.raw_url).toBe(
    '{{base_url}}{{({ variables }) => `/post?of=${variables.user}`}}',
  )
  expect(functions.steps_results[4]?.skip_reason).toContain('skip: ({ variables }) => variables.code === 404')
  expect(functions.steps_results[1]?.scenarios_meta?.evaluations.map(({ condition }) => condition)).toEqual([
    '{{({ body }) => body === "ok"}}',
    '{{({ status_code }) => status_code === 404}}',
  ])
})
