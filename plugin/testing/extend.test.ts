import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProject, type Project } from './fixtures/project.ts'
import { shareRun } from './fixtures/shared-run.ts'

const extension = `import { createHmac } from 'node:crypto'
import { defineExtension, type JsonObject } from 'suitecase/extend'

const seen: string[] = []

export default defineExtension({
  functions: {
    sign: (text: string) => createHmac('sha256', 'key').update(text).digest('hex').slice(0, 8),
    total: (items: { price: number }[]) => items.reduce((sum, { price }) => sum + price, 0),
    fail: () => {
      throw new Error('no luck')
    },
    later: () => Promise.resolve(1), wrap: (id: bigint) => ({ id, rest: [id - 9007199254740000n, 'n1'] }),
  },
  operators: {
    money: {
      about: 'An amount in euros.',
      operand: 'number',
      takes: ['string'],
      judge: (actual: string, operand: number) => actual === \`\${operand.toFixed(2)} EUR\` || \`\${actual} is not \${operand} euros\`,
    },
    broken: { about: 'Throws.', judge: () => { throw new Error('cannot judge') } },
  },
  auth: {
    async signed(request, settings) {
      const { key, place } = settings as { key: string; place?: string }
      if (key === 'none') throw new Error('no key')
      const signature = createHmac('sha256', key).update(request.method + request.url + (request.headers['x-a'] ?? '')).update(request.body ?? '').digest('hex')
      if (place === 'query') request.url += '?signature=' + signature.slice(0, 8)
      else request.headers['x-signature'] = signature.slice(0, 8)
      if (place === 'elsewhere') request.url = 'http://elsewhere.example/'
      if (place === 'method') Object.assign(request, { method: 'PUT' })
      if (place === 'header') request.headers['x-bad'] = 'a\\nb'
    },
  },
  beforeSuite: ({ suite }) => void seen.push(suite.node_id),
  beforeEach({ step, request, variables }) {
    request['headers'] = { ...(request['headers'] as JsonObject), 'x-step': step.name }
    if (step.name === 'Changed') variables['items'] = []
    if (step.name === 'Refused') throw new Error('not this one')
    if (step.name === 'Misspelt') Object.assign(request, { headrs: { 'x-a': 'b' } })
    Object.assign(request, { follow_redirects: false, http2: false })
    if (step.name === 'Socket') Object.assign(request, { auth: { bearer: 'b' } })
  },
  afterEach({ step, request, response }) {
    if (step.name === 'Twice') throw new Error(JSON.stringify(request.headers['x-a']))
    if (step.name === 'Burst' && response.status_code !== 200) throw new Error('answered ' + response.status_code)
    if (step.name === 'Watched') throw new Error(\`answered \${response.status_code} in \${seen.join()}\`)
  },
  afterSuite({ variables }) {
    if (variables['stage'] === 'bad') throw new Error('left a mess')
  },
})
`

const suite = (steps: string, id = 'shop'): string =>
  `suite_name: ${id}\nnode_id: ${id}\nbase_url: '{{echo_url}}'\nvariables: { items: [{ price: 5 }, { price: 7.5 }] }\nsteps:\n${steps}\n`

const options = { suites: "{ extend: './suitecase.extend.ts' }", test: "{ pool: 'threads' }" }
const extended = shareRun(options)

/** The messages of the steps of a suite that failed, by name. */
async function messagesOf(project: Project, nodeId: string): Promise<Record<string, string | undefined>> {
  const { steps_results } = await project.result(nodeId)
  return Object.fromEntries(steps_results.map((step) => [step.step_name, step.error_message]))
}

const hooked = extended(() => ({
  'suitecase.extend.ts': extension,
  'shop.suite.yaml': suite(`
  - name: Passes
    request:
      { method: POST, url: /anything, body: { total: '12.50 EUR', sign: "{{js: sign('a' + total(items))}}", big: '{{js: wrap(9007199254740993n)}}' } }
    assert:
      body: { json: { total: { money: 12.5 }, sign: { length: 8 }, big: { id: 9007199254740993, rest: [993, n1] } }, headers: { X-Step: Passes } }
      custom: [{ condition: total(variables.items) === 12.5 && body.json.sign === sign('a12.5') }]
  - name: Fails
    request: { method: POST, url: /anything, body: { total: '12.50 EUR', count: 1 } }
    assert: { body: { json: { total: { money: 13 }, count: { money: 1 } }, method: { broken: 1 } } }
  - name: Throws
    request: { url: "/get?a={{js: fail()}}" }
  - name: Waits
    websocket: { url: /websocket/echo, exchange: [{ send: '{{js: later()}}' }] }
  - name: Refused
    request: { url: /get }
  - name: Changed
    request: { url: /get }
  - name: Misspelt
    request: { url: /get }
  - name: Socket
    websocket: { url: /websocket/echo }
  - name: Twice
    request: { url: /get, headers: { X-A: [b, c] } }
  - name: Watched
    request: { url: /get }`),
}))

test('functions, operators and hooks of a module are there in every suite', async () => {
  const { project } = await hooked()
  const told = await messagesOf(project, 'shop')
  expect(told['Passes']).toBeUndefined()
  const failures = told['Fails']
  expect(failures).toContain('12.50 EUR is not 13 euros')
  expect(failures).toContain('The `money` check of `body.json.count` works on string, got `1` (number)')
  expect(failures).toMatch(/could not be made: cannot judge \(suitecase\.extend\.ts:22:\d+\)/)
  expect(told['Throws']).toMatch(/fail: no luck \(suitecase\.extend\.ts:11:\d+\)/)
  expect(told['Waits']).toContain(
    'later: it is asynchronous, and expressions cannot wait here. They can in variables,',
  )
  expect(told['Refused']).toMatch(/`beforeEach` failed: not this one \(suitecase\.extend\.ts:\d+:\d+\)/)
  expect(told['Changed']).toContain("`beforeEach` failed: Cannot assign to read only property 'items'")
  expect(told['Misspelt']).toContain(
    '`beforeEach` set `request.headrs`, which it does not have; available: method, url,',
  )
  expect(told['Socket']).toBe(
    '`beforeEach` set `request.auth`, which it does not have; available: url, params, headers, timeout, insecure, proxy, tls.',
  )
  expect(told['Twice']).toContain('`afterEach` failed: ["b","c"]')
  expect(told['Watched']).toMatch(/`afterEach` failed: answered 200 in .*\bshop\b/)
})

const burst = extended(() => ({
  'burst.suite.yaml': suite(
    `
  - name: Burst
    request: { url: '/sequence/burst?statuses=200,201,201,200' }
    burst: { times: 4, concurrent: 1 }
    assert: { status_code: 200 }`,
    'burst',
  ),
}))

test('`afterEach` gets every answer of a burst, before its checks', async () => {
  const { project } = await burst()
  expect((await messagesOf(project, 'burst'))['Burst']).toMatch(
    /^`afterEach` failed: answered 201 \(suitecase\.extend\.ts:\d+:\d+\)\nExpected `status_code` to be 200, got 201 \(response 2 of 4, one of 2 that failed\)$/,
  )
})

const signed = extended(() => ({
  'signed.suite.yaml': suite(
    `
  - name: Header
    variables: { word: y }
    request: { method: POST, url: /anything, headers: { X-A: [b, c] }, body: { a: 1 }, auth: { signed: { key: 'ke{{word}}' } } }
    assert:
      custom:
        - condition: body.headers['X-Signature'] === sign('POST' + body.url + 'b, c' + body.data)
  - name: Query
    request: { url: /get, auth: { signed: { key: key, place: query } } }
    assert:
      custom:
        - condition: body.args.signature === sign('GET' + body.url.split('?')[0])
  - { name: Keyless, request: { url: /get, auth: { signed: { key: none } } } }
  - { name: Elsewhere, request: { url: /get, auth: { signed: { key: k, place: elsewhere } } } }
  - { name: Method, request: { url: /get, auth: { signed: { key: k, place: method } } } }
  - { name: Line, request: { url: /get, auth: { signed: { key: k, place: header } } } }`,
    'signed',
  ),
}))

test('an `auth` scheme of a module gives requests their credentials', async () => {
  const { project } = await signed()
  const told = await messagesOf(project, 'signed')
  expect([told['Header'], told['Query']]).toEqual([undefined, undefined])
  expect(told['Keyless']).toMatch(
    /GET http:\S+ failed while getting its credentials after \d+ ms: `auth\.signed` failed: no key \(suitecase\.extend\.ts:\d+:\d+\)/,
  )
  expect(told['Elsewhere']).toContain('expected `request.url` to keep the origin http://127.0.0.1:')
  expect(told['Method']).toContain('Cannot set property method')
  expect(told['Line']).toContain('`x-bad` to have only printable Latin-1 characters')
})

const wrong = extended(() => ({
  'sgined.suite.yaml': suite(
    `  - { name: s, request: { url: /get, auth: { sgined: { key: k } } } }`,
    'sgined',
  ),
  'checks.suite.yaml': suite(
    `  - { name: s, request: { url: /get }, assert: { body: { a: { money: x }, b: { mony: 1 } } } }`,
    'checks',
  ),
  'names.suite.yaml': suite(
    `  - { name: s, request: { url: '/get?q={{total}}' }, assert: { custom: [{ condition: 'totl([]) === 0' }] } }`,
    'names',
  ),
}))

test('what is wrong with a use of the module is told before anything runs', async () => {
  const { output } = await wrong()
  expect(output).toMatch(
    /sgined\.suite\.yaml:6:\d+ error unknown-field: Unknown field `sgined` in `steps\[0\]\.request\.auth`\.[^]*?Did you mean `signed`\?/,
  )
  expect(output).toContain('Expected the `money` check of `body.a` to have a number, got `"x"` (string).')
  expect(output).toMatch(/Unknown check `mony` for `body\.b`\.\n.*Did you mean `money`\?/)
  expect(output).toContain('Did you mean `total`?')
  expect(output).toContain('It is a function. Call it, such as `{{total()}}`.')
})

const typed = (steps: string, nodeId = 'typed'): string => `import { defineSuite } from 'suitecase'

defineSuite({
  suite_name: 'Shop',
  node_id: '${nodeId}',
  base_url: '{{echo_url}}',
  variables: { key: 'key' },
  defaults: {
    headers: { 'x-total': "{{js: total([{ price: 2 }])}}", 'x-key': ({ variables }) => variables.key },
    auth: { signed: { key: ({ variables }) => variables.key } },
    assert: { status_code: 200, custom: [{ condition: "sign(variables.key).length === 8" }] },
  },
  steps: [
${steps}
  ],
})
`

const inTypeScript = extended(() => ({
  'typed.test.ts': typed(`
    {
      name: 'Passes',
      request: { method: 'POST', url: '/anything', body: { total: '12.50 EUR' } },
      assert: {
        'body.json.total': { money: 12.5 },
        'body.headers': { 'X-Step': 'Passes', 'X-Total': '2', 'X-Key': 'key' },
        custom: [{ condition: "body.headers['X-Signature'] === sign('POST' + body.url + body.data)" }],
      },
    },
    { name: 'Signed', request: { url: '/get' }, assert: { 'body.headers.X-Signature': { length: 8 } } },
    { name: 'Open', request: { url: '/get', auth: 'none' }, assert: { 'body.headers.X-Signature': { exists: false } } },
    { name: 'Fails', request: { url: '/get' }, assert: { 'body.url': { money: 13 } } },
    { name: 'Refused', request: { url: '/get' } },
    { name: 'Watched', request: { url: '/get' } },`),
  'bad.test.ts': typed(
    `    { name: 's', request: { url: '/get', auth: { sgined: {} } }, assert: { body: { monye: 1 } } },`,
    'bad',
  ),
}))

test('suites in TypeScript have all of a module that suites in YAML have', async () => {
  const { output, project } = await inTypeScript()
  const told = await messagesOf(project, 'typed')
  expect([told['Passes'], told['Signed'], told['Open']]).toEqual([undefined, undefined, undefined])
  expect(told['Fails']).toMatch(/http\S+\/get is not 13 euros/)
  expect(told['Refused']).toMatch(/`beforeEach` failed: not this one \(suitecase\.extend\.ts:\d+:\d+\)/)
  expect(told['Watched']).toContain('`afterEach` failed: answered 200 in typed')
  expect(output).toMatch(
    /bad\.test\.ts:14:\d+ error unknown-field: Unknown field `sgined` in `steps\[0\]\.request\.auth`\.[^]*Did you mean `signed`\?/,
  )
  expect(output).toMatch(/bad\.test\.ts:14:\d+ error \S+: Unknown check `monye`[^]*Did you mean `money`\?/)
})

test('what is wrong with the module is told at its place before anything runs, for suites of both kinds', async () => {
  await using project = await createProject(
    {
      'shop.suite.yaml': suite(`  - { name: s, request: { url: '/get?q={{$env.DATABASE_KEY}}' } }`),
      'signed.suite.yaml': suite(
        `  - { name: s, request: { url: /get, auth: { signed: { key: k } } } }`,
        'signed',
      ),
      'typed.test.ts': typed(`    { name: 's', request: { url: '/get' } },`),
      '.env': 'DATABASE_KEY=9ahvoo4Eem1u',
    },
    options,
  )
  const run = async (code: string, ...args: string[]): Promise<string> => {
    await project.write({ 'suitecase.extend.ts': code })
    return (await project.run(...args)).output
  }
  const misspelt = await run(extension.replace('operators:', 'operatrs:'))
  expect(misspelt).toContain(
    'SuiteError: suitecase.extend.ts:15:3 error bad-value: An extension has no `operatrs` (did you mean `operators`?). It can have functions, operators,',
  )
  expect(misspelt).toMatch(
    /typed\.test\.ts > Shop\nError: suitecase\.extend\.ts:15:3 error bad-value: An extension has no `operatrs`.*\n ❯ suitecase\.extend\.ts:15:3/,
  )
  const broken = await run(`${extension}\nthrow new Error('refused with 9ahvoo4Eem1u')\n`)
  const place = String.raw`\(suitecase\.extend\.ts:\d+:\d+\)`
  expect(broken).toMatch(
    new RegExp(
      String.raw`^Error: suitecase\.extend\.ts could not be loaded: refused with \[redacted\] ${place}`,
      'm',
    ),
  )
  expect(broken).toMatch(
    new RegExp(
      String.raw`typed\.test\.ts > Shop\nError: .* suitecase\.extend\.ts could not be loaded: refused with \[redacted\] ${place}`,
    ),
  )
  expect(await project.report('failures.json')).not.toContain('9ahvoo4Eem1u')
  const poor = await run('export default { operators: { even: null } }\n', 'suite.yaml')
  expect(poor).toMatch(
    /^Error: suitecase\.extend\.ts: expected `even\.judge` to be a function, got undefined\./m,
  )
  expect(poor).toMatch(
    /signed\.suite\.yaml.*Unknown field `signed` in `steps\[0\]\.request\.auth`\.\n.*Known here: basic, bearer,/,
  )
  await rm(join(project.root, 'suitecase.extend.ts'))
  const { output } = await project.run()
  expect(output).toMatch(/^Error: The module of the option `extend` cannot be read/m)
  expect(output).toMatch(/typed\.test\.ts > Shop\nError: .* The module of the option `extend` cannot be read/)
  expect(output).not.toContain('define-suite')
})

test('a hook that does not come to an end has the time of a suite', async () => {
  await using project = await createProject(
    {
      'suitecase.extend.ts': `import { defineExtension } from 'suitecase/extend'
const never = () => new Promise(() => {})
export default defineExtension({ afterEach: ({ step }) => step.name === 'Last' && never(), afterSuite: never })
`,
      'a.suite.yaml': `
suite_name: A
base_url: '{{echo_url}}'
steps:
  - { name: First, request: { url: /get }, assert: { status_code: 200 } }
  - { name: Last, request: { url: /get }, assert: { status_code: 200 } }
`,
    },
    { suites: "{ extend: './suitecase.extend.ts', limits: { suite: 1500 } }" },
  )
  const { code, output } = await project.run()
  expect(output).toContain('The step was stopped: the suite took longer than 1500 ms.')
  expect(output).toContain('`afterEach` failed: it did not finish before the step was stopped')
  expect(output).toContain('`afterSuite` failed: it did not finish within 1500 ms (option `limits.suite`)')
  expect(output).toMatch(/Tests {2}1 failed \| 1 passed/)
  expect(code).toBe(1)
})

test('a function that never ends fails the step that calls it', async () => {
  const extension = `export default { functions: { loop: () => { for (;;); } } }`
  const suite = `suite_name: A\nnode_id: a\nbase_url: '{{echo_url}}'
steps:
  - { name: Before, request: { url: /anything }, assert: { status_code: 200 } }
  - { name: Loops, request: { url: "/anything/{{js: loop()}}" }, assert: { status_code: 200 } }
`
  await using project = await createProject(
    { 'extend.ts': extension, 'a.suite.yaml': suite },
    { suites: "{ extend: './extend.ts', limits: { blocked: 3000 } }" },
  )
  const { output } = await project.run()
  expect(output).toMatch(/Tests {2}1 failed \| 1 passed \(2\)/)
  expect((await project.step('a', 'Before')).status).toBe('success')
  expect((await project.step('a', 'Loops')).error_message).toContain('was blocked for 3000 ms')
})

const database = `import { setTimeout } from 'node:timers/promises'
import { defineExtension } from 'suitecase/extend'

const users: string[] = []
const asked: string[] = []
let looks = 0

export default defineExtension({
  functions: {
    async seed(name: string) {
      await setTimeout(5)
      return users.push(name)
    },
    async find(name: string) {
      await setTimeout(5)
      if (name === 'nobody') throw new Error('no such user')
      return { id: users.indexOf(name) + 1, name }
    },
    all: async () => [...users],
    // It also counts what is asked without waiting.
    ask: (what: string) => asked.push(what),
    same: async (value: unknown) => setTimeout(5, value),
    looked: async () => ++looks,
    never: () => new Promise(() => {}),
    // As the queries of many clients of databases, it starts only when someone waits.
    query: (name: string) => ({ then: (done: (id: number) => void) => void setTimeout(5).then(() => done(users.indexOf(name) + 1)) }),
  },
})
`

test('expressions can call asynchronous functions, such as those of a database', async () => {
  await using project = await createProject(
    {
      'suitecase.extend.ts': database,
      'db.suite.yaml': `
suite_name: db
node_id: db
base_url: '{{echo_url}}'
variables: { ann: "{{js: seed('ann')}}", some: '{{js: crypto.randomUUID()}}', same_one: '{{js: same(some)}}' }
steps:
  - name: Adds
    variables: { bob: "{{js: seed('bob')}}" }
    request:
      method: POST
      url: "/anything/{{js: find('ann').id}}"
      body: { ann: '{{ann}}', bob: '{{bob}}', user: "{{js: find('bob')}}", asked: ["{{js: ask('x')}}", "{{js: ask('x')}}"] }
    assert:
      body.json: { ann: 1, bob: 2, user: { id: 2, name: bob }, asked: [1, 2] }
      body.url: { ends_with: "/{{js: find('ann').id}}" }
      custom: [{ condition: "all().length === 2 && find(all()[body.json.bob - 1]).id === 2" }]
    capture: { id: "{{js: find(body.json.user.name).id}}" }
    scenarios: [{ condition: "{{js: all().includes('bob')}}", then: { capture: { seen: status_code } }, else: { capture: { unseen: status_code } } }]
  - name: Skipped
    skip: all().length === 2
    request: { url: /get }
  - name: Calls
    call: { suite: ./called.suite.yaml, variables: { user: "{{js: find('bob').id}}" } }
    assert: { custom: [{ condition: variables.called.seen === '2' }] }
  - name: Each {{user}}
    iterate: { over: '{{js: all()}}', as: user }
    request: { url: '/get?user={{user}}' }
    assert: { body.args.user: '{{user}}' }
  - name: Polls
    request: { url: /get }
    retry: { max_attempts: 5, base_delay_ms: 1, until: looked() === 3 }
  - name: Once
    request: { url: /get, params: { one: '{{some}}', both: "{{js: [crypto.randomUUID()].every((id) => id === same(id) && same(Date.now()) > 0)}}" } }
    assert:
      body.args: { one: '{{same_one}}', both: 'true' }
      custom: [{ condition: query('bob') === 2 }, { condition: looked() === 3 || (false && looked() === 6) }, { condition: looked() === 5 }]
  - name: Fails
    request: { url: /get }
    assert: { custom: [{ condition: find('ann').id === 7 }, { condition: "find('nobody').id === 1" }] }
`,
      'called.suite.yaml': `
suite_name: called
node_id: called
base_url: '{{echo_url}}'
variables: { user: 7 }
exports: [seen]
steps:
  - { name: Sees, request: { url: '/get?user={{user}}' }, assert: { status_code: 200 }, capture: { seen: body.args.user } }
`,
      'typed.test.ts': `import { setTimeout } from 'node:timers/promises'
import { buildSuite } from 'suitecase'

const find = async (id: number) => setTimeout(5, { id, name: 'user ' + id })

buildSuite({ suite_name: 'typed', node_id: 'typed', base_url: '{{echo_url}}' })
  .step({
    name: 'Reads',
    skip: async () => (await find(1)).id !== 1,
    request: { method: 'POST', url: async () => '/anything/' + (await find(7)).id, body: { user: () => find(2) } },
    assert: {
      'body.json.user': ({ body }) => find(body.json.user.id),
      custom: [{ condition: async ({ body }) => (await find(3)).id > body.json.user.id }],
    },
    capture: { name: async () => (await find(4)).name },
  })
  .step({ name: 'Fails', request: { url: '/get' }, assert: { body: { args: async () => { throw new Error('lost') } } } })
`,
    },
    options,
  )
  await project.run()
  const result = await project.result('db')
  const told = await messagesOf(project, 'db')
  expect(result.variables_captured).toEqual({ id: 2, seen: 200 })
  expect(result.steps_results.map(({ step_name, status }) => [step_name, status])).toEqual([
    ['Adds', 'success'],
    ['Skipped', 'skipped'],
    ['Calls', 'success'],
    ['Each ann', 'success'],
    ['Each bob', 'success'],
    ['Polls', 'success'],
    ['Once', 'failure'],
    ['Fails', 'failure'],
  ])
  expect((await project.step('db', 'Polls')).attempts).toHaveLength(3)
  expect(told['Once']).toBe(
    'Expected the condition `looked() === 3 || (false && looked() === 6)` to be true, got `false`: `looked()` is `4`, `looked()` is `4`',
  )
  expect(told['Fails']).toMatch(
    /find\('ann'\)\.id` is `1`.*find: no such user \(suitecase\.extend\.ts:16:\d+\)/s,
  )
  const typed = await messagesOf(project, 'typed')
  expect(typed['Reads']).toBeUndefined()
  expect((await project.result('typed')).variables_captured).toEqual({ name: 'user 4' })
  expect(typed['Fails']).toMatch(/lost \(typed\.test\.ts:17:\d+\)/)
})

test('a function that has not answered when its suite has no more time is stopped with its step', async () => {
  const suite = (name: string, step: string): string =>
    `suite_name: ${name}\nbase_url: '{{echo_url}}'\nsteps:\n  - { name: Waits, request: { url: /get }, ${step} }\n`
  await using project = await createProject(
    {
      'suitecase.extend.ts': database,
      'variable.suite.yaml': suite('A', "variables: { a: '{{js: never()}}' }, assert: { status_code: 200 }"),
      'list.suite.yaml': suite(
        'B',
        "iterate: { over: '{{js: never()}}', as: a }, assert: { status_code: 200 }",
      ),
    },
    { suites: "{ extend: './suitecase.extend.ts', limits: { suite: 1500 } }" },
  )
  await project.run()
  for (const name of ['variable', 'list'])
    expect((await project.step(name, 'Waits')).error_message).toContain(
      'The step was stopped: the suite took longer than 1500 ms.',
    )
})
