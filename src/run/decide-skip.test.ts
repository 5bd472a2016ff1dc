import { expect, test } from 'vitest'
import { startServer } from '../../server/index.ts'
import { runText } from './fixtures/run-text.ts'

test.each([
  ['skip: true', 'skip: true'],
  ['skip: variables.stage === "prod"', 'skip: variables.stage === "prod"'],
  ['skip: { when: variables.stage === "prod", reason: not on production }', 'not on production'],
])('a step with `%s` is skipped for the reason that is given, or the condition', async (skip, reason) => {
  const { outcomes } = await runText(`suite_name: S
node_id: s
variables: { stage: prod }
steps:
  - name: Left out
    ${skip}
    request: { url: 'http://localhost:1/' }
`)
  expect(outcomes['Left out']?.result).toMatchObject({ status: 'skipped', skip_reason: reason })
})

test.each([
  ['skip: true', 'skip: true'],
  ['skip: stage === "prod"', 'skip: stage === "prod"'],
  ['skip: { when: "{{isProd}}", reason: not on production }', 'not on production'],
])(
  'a suite with `%s` is skipped whole, for the reason that is given, or the condition',
  async (skip, reason) => {
    const { outcomes } = await runText(`suite_name: S
variables: { stage: prod, isProd: '{{js: variables.stage === "prod"}}' }
${skip}
setup:
  - { name: Set up, request: { url: 'http://localhost:1/' } }
steps:
  - { name: Left out, skip: false, request: { url: 'http://localhost:1/' }, capture: { stage: body } }
teardown:
  - { name: Tear down, request: { url: 'http://localhost:1/' } }
`)
    const skipped = { status: 'skipped', skip_reason: reason }
    expect(Object.values(outcomes).map(({ result }) => result)).toMatchObject([skipped, skipped, skipped])
  },
)

test('a reason to skip tells variables and exports of other suites', async () => {
  const { outcomes } = await runText(
    `suite_name: S
variables: { stage: prod }
steps:
  - name: Left out
    skip: { when: auth.role === 'guest', reason: '{{auth.role}} on {{stage}}' }
    request: { url: 'http://localhost:1/' }
`,
    { exports: { auth: { role: 'guest' } } },
  )
  expect(outcomes['Left out']?.result.skip_reason).toBe('guest on prod')
})

test('the `skip` of a suite is decided once: what a step captures changes nothing', async () => {
  await using server = await startServer()
  const { outcomes } = await runText(`suite_name: S
base_url: ${server.url}
variables: { stage: test }
skip: stage === "prod"
steps:
  - { name: First, request: { url: '/get?stage=prod' }, capture: { stage: body.args.stage } }
  - { name: Second, request: { url: /get }, skip: stage !== "prod" }
`)
  expect(Object.values(outcomes).map(({ result }) => result.status)).toEqual(['success', 'success'])
})

test('a `skip` of a suite that cannot be decided fails its first step, and no other one runs', async () => {
  const { outcomes } = await runText(`suite_name: S
skip: nobody.stage === "prod"
steps:
  - { name: First, request: { url: 'http://localhost:1/' } }
  - { name: Second, request: { url: 'http://localhost:1/' } }
`)
  expect(outcomes['First']?.failures).toMatchObject([
    {
      at: [2, 7],
      message: expect.stringContaining('`skip: nobody.stage === "prod"` could not be evaluated'),
    },
  ])
  expect(outcomes['Second']?.result).toMatchObject({
    status: 'skipped',
    skip_reason: 'the `skip` of the suite could not be evaluated',
  })
})

test.for(['todo', 'skip'])('what a step with `%s` would capture may come from a variable', async (key) => {
  const { outcomes } = await runText(`suite_name: S
variables: { stage: prod }
steps:
  - name: Left out
    ${key}: true
    request: { url: 'http://localhost:1/' }
    capture: { stage: body.stage }
  - name: Reads
    request: { url: 'http://localhost:1/{{stage}}' }
`)
  expect(outcomes['Left out']?.result.status).toBe('skipped')
  expect(outcomes['Reads']?.exchange?.request.url).toBe('http://localhost:1/prod')
})

test('a step with `skip: true` is skipped, although a variable that it reads has no value', async () => {
  const { outcomes } = await runText(
    `suite_name: S
variables: { path: '{{$env.NOT_THERE_AT_ALL}}' }
steps:
  - { name: Left out, skip: true, request: { url: 'http://localhost:1/{{path}}' } }
`,
    { settings: { unresolved: 'error' } },
  )
  expect(outcomes['Left out']?.result).toMatchObject({ status: 'skipped', skip_reason: 'skip: true' })
})

test('a step that reads an untaken branch through a suite variable is skipped', async () => {
  await using server = await startServer()
  const { outcomes } = await runText(`suite_name: S
base_url: ${server.url}
variables: { path: 'b-{{branch}}', deep: '{{path}}' }
steps:
  - name: Captures
    request: { url: /get }
    scenarios: [{ condition: status_code == 404, then: { capture: { branch: body.x } }, else: { assert: { status_code: 200 } } }]
  - name: Reads
    request: { url: '/get?x={{deep}}' }
`)
  expect(outcomes['Reads']?.result.skip_reason).toBe(
    'needs `branch`, which “Captures” (line 5) did not capture, because no branch that captures it was taken',
  )
})

test('a variable of the step itself stands for what no branch captured', async () => {
  await using server = await startServer()
  const { outcomes } = await runText(`suite_name: S
base_url: ${server.url}
steps:
  - name: Captures
    request: { url: /get }
    assert: { status_code: 200 }
    scenarios: [{ condition: status_code == 404, then: { capture: { limit: status_code } } }]
  - name: Reads
    variables: { limit: 5 }
    request: { url: '/get?limit={{limit}}' }
`)
  expect(outcomes['Reads']?.exchange?.request.url).toBe(`${server.url}/get?limit=5`)
})

test.for(['todo', 'skip'])('a default stands for what a step with `%s` would capture', async (key) => {
  await using server = await startServer()
  const { outcomes } = await runText(`suite_name: S
base_url: ${server.url}
steps:
  - { name: Left out, ${key}: true, request: { url: /get }, capture: { id: body.id } }
  - { name: Default, request: { url: "/get?id={{id ?? 'none'}}" } }
  - { name: Asks, skip: typeof id === 'number', request: { url: /get?asked } }
  - { name: Needs, request: { url: '/get?id={{id}}' } }
  - { name: Checks, request: { url: /get }, assert: { custom: [{ name: other, condition: id !== 5 }] } }
`)
  const reason = 'needs `id`, which “Left out” (line 4) did not provide'
  const told = Object.values(outcomes).map(
    ({ result, exchange }) => result.skip_reason ?? exchange?.request.url,
  )
  const [, ...others] = told
  expect(others).toEqual([`${server.url}/get?id=none`, `${server.url}/get?asked`, reason, reason])
})

test('in a teardown a default stands for what a failed step would have captured', async () => {
  await using server = await startServer()
  const { outcomes } = await runText(`suite_name: S
base_url: ${server.url}
setup:
  - { name: Makes, request: { url: /get }, capture: { id: body.none } }
steps:
  - { name: Default, request: { url: "/get?id={{id ?? 'none'}}" } }
teardown:
  - { name: Clears up, request: { url: "/get?id={{id ?? 'none'}}" } }
  - { name: Needs, request: { url: '/get?id={{id}}' } }
`)
  expect(outcomes['Default']?.result.status).toBe('skipped')
  expect(outcomes['Clears up']?.exchange?.request.url).toBe(`${server.url}/get?id=none`)
  expect(outcomes['Needs']?.result.skip_reason).toBe('needs `id`, which “Makes” (line 4) did not provide')
})

test('a condition that is not true or false fails the step', async () => {
  const { outcomes } = await runText(`suite_name: S
node_id: s
variables: { stage: prod }
steps:
  - name: Unclear
    skip: variables.stage
    request: { url: 'http://localhost:1/' }
`)
  expect(outcomes['Unclear']?.result).toMatchObject({
    status: 'failure',
    error_message: 'Expected `skip: variables.stage` to be true or false, got "prod".',
  })
  expect(outcomes['Unclear']?.failures[0]?.at).toEqual([6, 11])
})

test('a value that one branch did not capture, and a later step did, is there', async () => {
  const echo = await startServer()
  const step = (name: string, url: string, rest: string): string =>
    `  - name: ${name}\n    request: { url: '${echo.url}${url}' }\n    ${rest}\n`
  const { outcomes } = await runText(
    `suite_name: S\nsteps:\n${step('Branch', '/get', 'scenarios: [{ condition: status_code == 404, then: { capture: { path: body.url } } }]')}${step('Needs', '/anything?of={{path}}', 'assert: { status_code: 200 }')}${step('Captures', '/get', 'capture: { path: body.url }')}${step('Reads', '/anything?of={{path}}', 'assert: { status_code: 200 }')}`,
  )
  await echo.close()
  expect(Object.entries(outcomes).map(([name, { result }]) => `${name} ${result.status}`)).toEqual([
    'Branch success',
    'Needs skipped',
    'Captures success',
    'Reads success',
  ])
})

test('a `skip` that is decided by a misspelt name is told, whether the step runs or not', async () => {
  await using server = await startServer()
  const { outcomes } = await runText(`suite_name: S
base_url: ${server.url}
variables: { user: { role: admin } }
skip: user.rol === "guest"
steps:
  - { name: Out, skip: user.rol !== "guest", request: { url: /get } }
  - { name: In, skip: user.rol === "admin", request: { url: /get } }
  - { name: Meant, skip: user.role === "guest", request: { url: /get } }
`)
  const failed = await runText(`suite_name: S
variables: { user: { role: admin } }
skip: user.rol === "guest"
steps: [{ name: Late, delay_ms: '{{user.role}}', request: { url: 'http://127.0.0.1:1/' } }]
`)
  const told = (at: string, skip: string, name: string): object => {
    const message = `\`skip: ${skip}\` reads \`user.${name}\`, which is not there (did you mean \`role\`?).`
    const [line, column] = at.split(':').map(Number)
    return { message, line, column }
  }
  expect(Object.values(outcomes).map(({ result }) => [result.status, result.warnings])).toEqual([
    ['skipped', [told('4:7', 'user.rol === "guest"', 'rol'), told('6:24', 'user.rol !== "guest"', 'rol')]],
    ['success', [told('7:23', 'user.rol === "admin"', 'rol')]],
    ['success', undefined],
  ])
  expect(failed.outcomes['Late']?.result).toMatchObject({
    status: 'failure',
    warnings: [told('3:7', 'user.rol === "guest"', 'rol')],
  })
})

test('a loop over a list that is not there is skipped, even if the reason turns out to be empty', async () => {
  const { outcomes } = await runText(`suite_name: S
variables: { why: '', out: true }
steps:
  - { name: Loop, skip: { when: out, reason: '{{why}}' }, iterate: { over: '{{list}}', as: one }, request: { url: 'http://127.0.0.1:1/' } }
`)
  expect(outcomes['Loop']?.result.status).toBe('skipped')
})

test('a loop over a list that is not there says why: the `skip` of the suite, or the variable', async () => {
  const suite = (skip: string): string => `suite_name: S
skip: ${skip}
variables: { list: '{{js: null.x}}' }
steps:
  - { name: Loop, iterate: { over: '{{list}}', as: one }, request: { url: 'http://127.0.0.1:1/' } }
`
  const messages: (string | undefined)[] = []
  for (const skip of ['"{{js: null.y}}"', 'false'])
    messages.push((await runText(suite(skip))).outcomes['Loop']?.failures[0]?.message)
  expect(messages).toEqual([
    expect.stringMatching(/^The expression `js: null\.y` failed\./),
    expect.stringMatching(/^The variable `list` has no value: .*`js: null\.x` failed\./),
  ])
})

test('a long value of `skip` is cut in the message', async () => {
  const { outcomes } = await runText(`suite_name: S
variables: { long: ${'x'.repeat(500)} }
steps: [{ name: One, skip: '{{long}}', request: { url: 'http://127.0.0.1:1/' } }]
`)
  expect(outcomes['One']?.failures[0]?.message).toMatch(
    /^Expected `skip: {{long}}` to be true or false, got "x{118}…\.$/,
  )
})

test('a suite variable that has no value fails no step of a row that has one of that name', async () => {
  await using server = await startServer()
  const { outcomes } = await runText(`suite_name: S
base_url: ${server.url}
variables: { id: '{{js: null.id}}' }
each: [{ id: 7 }]
steps: [{ name: Get, request: { url: '/anything/{{id}}' }, assert: { body.url: { ends_with: /7 } } }]
`)
  expect(outcomes['Get']?.failures).toEqual([])
})

test('a loop without a list is skipped for the reason of its step, if there is one', async () => {
  await using server = await startServer()
  const { outcomes } = await runText(`suite_name: S
base_url: ${server.url}
steps:
  - name: Get
    request: { method: POST, url: /anything, body: { none: [] } }
    assert: { status_code: 500 }
    capture: { none: body.json.none, lost: body.lost }
  - name: Lost
    iterate: { over: '{{lost ?? []}}', as: n }
    request: { url: /get }
  - name: Left out
    skip: none.length === 0
    iterate: { over: '{{none}}', as: n }
    request: { url: /get }
    capture: { id: body.id }
  - name: Uses a default
    request: { url: "/anything/{{id ?? 'none'}}" }
  - name: Of an item
    skip: n.done
    iterate: { over: '{{none}}', as: n }
    request: { url: /get }
  - name: Unknown
    skip: n.done
    iterate: { over: '{{other}}', as: n }
    request: { url: /get }
`)
  const reasons = Object.values(outcomes).map(({ result }) => result.skip_reason ?? result.status)
  expect(reasons).toEqual([
    'failure',
    'needs `lost`, which “Get” (line 4) did not provide',
    'skip: none.length === 0',
    'success',
    'the list of `iterate` is empty',
    'failure',
  ])
  expect(outcomes['Unknown']?.result.error_message).toBe('`other` has no value.')
})
