import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProject } from './fixtures/project.ts'

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
    if (step.name === 'Watched') throw new Error(\`answered \${response.status_code} in \${seen.join()}\`)
  },
  afterSuite({ variables }) {
    if (variables['stage'] === 'bad') throw new Error('left a mess')
  },
})
`

const suite = (steps: string, id = 'shop'): string =>
  `suite_name: ${id}\nnode_id: ${id}\nbase_url: '{{echo_url}}'\nvariables: { items: [{ price: 5 }, { price: 7.5 }] }\nsteps:\n${steps}\n`

test('functions, operators and hooks of a module are there in every suite', async () => {
  await using project = await createProject(
    {
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
    request: { url: "/get?a={{js: later()}}" }
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
    },
    { suites: "{ extend: './suitecase.extend.ts' }" },
  )
  const { output } = await project.run('--no-color')
  expect(output).toContain('1 passed')
  const message = async (name: string): Promise<string | undefined> =>
    (await project.step('shop', name)).error_message
  expect(await message('Passes')).toBeUndefined()
  const failures = (await message('Fails')) ?? ''
  expect(failures).toContain('12.50 EUR is not 13 euros')
  expect(failures).toContain('The `money` check of `body.json.count` works on string, got `1` (number)')
  expect(failures).toMatch(/could not be made: cannot judge \(suitecase\.extend\.ts:22:\d+\)/)
  expect(await message('Throws')).toMatch(/fail: no luck \(suitecase\.extend\.ts:11:\d+\)/)
  expect(await message('Waits')).toContain('later: it returned a promise, and expressions cannot wait')
  expect(await message('Refused')).toMatch(
    /`beforeEach` failed: not this one \(suitecase\.extend\.ts:\d+:\d+\)/,
  )
  expect(await message('Changed')).toContain(
    "`beforeEach` failed: Cannot assign to read only property 'items'",
  )
  expect(await message('Misspelt')).toContain(
    '`beforeEach` set `request.headrs`, which it does not have; available: method, url,',
  )
  expect(await message('Socket')).toBe(
    '`beforeEach` set `request.auth`, which it does not have; available: url, params, headers, timeout, insecure, proxy, tls.',
  )
  expect(await message('Twice')).toContain('`afterEach` failed: ["b","c"]')
  expect(await message('Watched')).toMatch(/`afterEach` failed: answered 200 in shop/)
})

test('`afterEach` gets every answer of a burst, before its checks', async () => {
  await using project = await createProject(
    {
      'suitecase.extend.ts': `import { defineExtension } from 'suitecase/extend'
export default defineExtension({
  afterEach({ response }) {
    if (response.status_code !== 200) throw new Error('answered ' + response.status_code)
  },
})
`,
      'shop.suite.yaml': suite(`
  - name: Burst
    request: { url: '/sequence/burst?statuses=200,201,201,200' }
    burst: { times: 4, concurrent: 1 }
    assert: { status_code: 200 }`),
    },
    { suites: "{ extend: './suitecase.extend.ts' }" },
  )
  await project.run()
  expect((await project.step('shop', 'Burst')).error_message).toBe(
    `\`afterEach\` failed: answered 201 (suitecase.extend.ts:4:45)
Expected \`status_code\` to be 200, got 201 (response 2 of 4, one of 2 that failed)`,
  )
})

test('an `auth` scheme of a module gives requests their credentials', async () => {
  await using project = await createProject(
    {
      'suitecase.extend.ts': extension,
      'shop.suite.yaml': suite(`
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
  - { name: Line, request: { url: /get, auth: { signed: { key: k, place: header } } } }`),
    },
    { suites: "{ extend: './suitecase.extend.ts' }" },
  )
  await project.run('--no-color')
  const message = async (name: string): Promise<string | undefined> =>
    (await project.step('shop', name)).error_message
  expect([await message('Header'), await message('Query')]).toEqual([undefined, undefined])
  expect(await message('Keyless')).toMatch(
    /GET http:\S+ failed while getting its credentials after \d+ ms: `auth\.signed` failed: no key \(suitecase\.extend\.ts:\d+:\d+\)/,
  )
  expect(await message('Elsewhere')).toContain('expected `request.url` to keep the origin http://127.0.0.1:')
  expect(await message('Method')).toContain('Cannot set property method')
  expect(await message('Line')).toContain('`x-bad` to have only printable Latin-1 characters')
})

test('an `auth` scheme that is not there, or there already, is a mistake before anything runs', async () => {
  await using project = await createProject(
    {
      'suitecase.extend.ts': extension,
      'shop.suite.yaml': suite(`  - { name: s, request: { url: /get, auth: { sgined: { key: k } } } }`),
    },
    { suites: "{ extend: './suitecase.extend.ts' }" },
  )
  const run = async (): Promise<string> => (await project.run('--no-color')).output
  expect(await run()).toMatch(
    /unknown-field: Unknown field `sgined` in `steps\[0\]\.request\.auth`\.[^]*Did you mean `signed`\?/,
  )
  await project.write({ 'suitecase.extend.ts': extension.replace('signed(request', 'digest(request') })
  expect(await run()).toMatch(
    /suitecase\.extend\.ts:\d+:\d+ error bad-value: The package already has `digest` in `auth`: give yours another name\./,
  )
  await project.write({
    'suitecase.extend.ts': 'export default {}\n',
    'shop.suite.yaml': suite(`  - { name: s, request: { url: /get, auth: { signed: { key: k } } } }`),
  })
  expect(await run()).toMatch(
    /Unknown field `signed` in `steps\[0\]\.request\.auth`[^]*Known here: basic, bearer,/,
  )
})

const typed = (steps: string): string => `import { defineSuite } from 'suitecase'

defineSuite({
  suite_name: 'Shop',
  node_id: 'shop',
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

test('suites in TypeScript have all of a module that suites in YAML have', async () => {
  await using project = await createProject(
    {
      'suitecase.extend.ts': extension,
      'shop.test.ts': typed(`
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
      ),
    },
    { suites: "{ extend: './suitecase.extend.ts' }" },
  )
  const { output } = await project.run('--no-color')
  const message = async (name: string): Promise<string | undefined> =>
    (await project.step('shop', name)).error_message
  expect([await message('Passes'), await message('Signed'), await message('Open')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(await message('Fails')).toMatch(/http\S+\/get is not 13 euros/)
  expect(await message('Refused')).toMatch(
    /`beforeEach` failed: not this one \(suitecase\.extend\.ts:\d+:\d+\)/,
  )
  expect(await message('Watched')).toContain('`afterEach` failed: answered 200 in shop')
  expect(output).toMatch(
    /bad\.test\.ts:14:\d+ error unknown-field: Unknown field `sgined` in `steps\[0\]\.request\.auth`\.[^]*Did you mean `signed`\?/,
  )
  expect(output).toMatch(/bad\.test\.ts:14:\d+ error \S+: Unknown check `monye`[^]*Did you mean `money`\?/)
})

test('a broken module fails suites in TypeScript, which say where it is broken', async () => {
  await using project = await createProject(
    {
      'suitecase.extend.ts': extension.replace('operators:', 'operatrs:'),
      'shop.test.ts': typed(`    { name: 's', request: { url: '/get' } },`),
    },
    { suites: "{ extend: './suitecase.extend.ts' }" },
  )
  const run = async (): Promise<string> => (await project.run('--no-color')).output
  expect(await run()).toMatch(
    /suitecase\.extend\.ts:15:3 error bad-value: An extension has no `operatrs`[^]*❯ suitecase\.extend\.ts:15:3/,
  )
  await project.write({ 'suitecase.extend.ts': extension.replace('export default', 'export defalt') })
  expect(await run()).toMatch(/suitecase\.extend\.ts:6:8 error bad-value: The module cannot be parsed here\./)
  await project.write({ 'suitecase.extend.ts': `${extension}\nthrow new Error('broken module')\n` })
  expect(await run()).toMatch(
    /suitecase\.extend\.ts could not be loaded: broken module \(suitecase\.extend\.ts:\d+:\d+\)/,
  )
  await rm(join(project.root, 'suitecase.extend.ts'))
  const missing = await run()
  expect(missing).toContain('The module of the option `extend` cannot be read')
  expect(missing).not.toContain('define-suite')
})

test('what is wrong with the module, or with a check of it, is told at its place before anything runs', async () => {
  await using project = await createProject(
    {
      'suitecase.extend.ts': extension.replace('operators:', 'operatrs:'),
      'shop.suite.yaml': suite(`  - { name: s, request: { url: /get } }`),
    },
    { suites: "{ extend: './suitecase.extend.ts' }" },
  )
  const run = async (): Promise<string> => (await project.run('--no-color')).output
  expect(await run()).toContain(
    'suitecase.extend.ts:15:3 error bad-value: An extension has no `operatrs` (did you mean `operators`?). It can have functions, operators,',
  )
  await project.write({ 'suitecase.extend.ts': `${extension}\nthrow new Error('broken module')\n` })
  expect(await run()).toMatch(
    /suitecase\.extend\.ts could not be loaded: broken module \(suitecase\.extend\.ts:\d+:\d+\)/,
  )
  await project.write({ 'suitecase.extend.ts': 'export default { operators: { even: null } }\n' })
  expect(await run()).toContain('suitecase.extend.ts: expected `even.judge` to be a function, got undefined.')
  await project.write({
    '.env': 'DATABASE_KEY=9ahvoo4Eem1u',
    'suitecase.extend.ts': `${extension}\nthrow new Error('refused with 9ahvoo4Eem1u')\n`,
    'shop.suite.yaml': suite(`  - { name: s, request: { url: '/get?q={{$env.DATABASE_KEY}}' } }`),
  })
  expect(await run()).toContain('could not be loaded: refused with [redacted]')
  await project.write({
    'suitecase.extend.ts': extension,
    'shop.suite.yaml': suite(
      `  - { name: s, request: { url: /get }, assert: { body: { a: { money: x }, b: { mony: 1 } } } }`,
    ),
  })
  const output = await run()
  expect(output).toContain('Expected the `money` check of `body.a` to have a number, got `"x"` (string).')
  expect(output).toContain('Unknown check `mony` for `body.b`.')
  expect(output).toContain('Did you mean `money`?')
  await project.write({
    'shop.suite.yaml': suite(
      `  - { name: s, request: { url: '/get?q={{total}}' }, assert: { custom: [{ condition: 'totl([]) === 0' }] } }`,
    ),
  })
  const told = await run()
  expect(told).toContain('Did you mean `total`?')
  expect(told).toContain('It is a function. Call it, such as `{{total()}}`.')
})

test('an edit of the module runs the suites again', async () => {
  await using project = await createProject(
    {
      'suitecase.extend.ts': extension,
      'shop.suite.yaml': suite(
        `  - { name: s, request: { url: "/get?a={{js: total(items)}}" }, assert: { body.args.a: '12.5' } }`,
      ),
      'typed.test.ts': typed(
        `    { name: 't', request: { url: '/get' }, assert: { 'body.headers.X-Total': '2' } },`,
      ),
    },
    { suites: "{ extend: './suitecase.extend.ts' }", test: '{ isolate: false }' },
  )
  const vitest = project.start('watch', '--no-color')
  try {
    await vitest.shows(/PASS {2}Waiting/)
    vitest.clear()
    await project.write({ 'suitecase.extend.ts': extension.replace('sum + price, 0)', 'sum + price, 1)') })
    await vitest.shows(/FAIL {2}Tests failed/)
    expect(vitest.output()).toContain('13.5')
    expect(vitest.output()).toMatch(/Tests {2}2 failed/)
  } finally {
    vitest.kill('SIGTERM')
    await vitest.ended(10_000)
  }
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
    { suites: "{ extend: './extend.ts', limits: { blocked: 1000 } }" },
  )
  const { output } = await project.run()
  expect(output).toMatch(/Tests {2}1 failed \| 1 passed \(2\)/)
  expect((await project.step('a', 'Before')).status).toBe('success')
  expect((await project.step('a', 'Loops')).error_message).toContain('was blocked for 1000 ms')
})
