import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { LoadOptions } from '../load-context.ts'
import type { SuiteError } from '../../errors.ts'
import { showWritten } from '../../source.ts'
import { loadSuite } from '../load-suite.ts'
import type { StepPlan, SuitePlan } from '../plan/plan.ts'

const folder = mkdtempSync(join(tmpdir(), 'shared-'))
afterAll(() => rmSync(folder, { recursive: true }))

function load(text: string, options: Partial<LoadOptions> = {}): Promise<SuitePlan> {
  return loadSuite({ path: 'tests/a.suite.yaml', text }, { folder, ...options })
}

function write(name: string, text: string): string {
  mkdirSync(join(folder, 'shared'), { recursive: true })
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

async function loadStep(defaults: string, step: string, options?: Partial<LoadOptions>): Promise<StepPlan> {
  const plan = await load(
    `suite_name: S\nbase_url: https://api.example/v1\ndefaults:\n${indent(defaults, 2)}\nsteps:\n  - name: s\n${indent(step, 4)}\n`,
    options,
  )
  return plan.steps[0] as StepPlan
}

function indent(text: string, by: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(by))
}

const checksOf = ({ checks }: StepPlan): string[] =>
  checks.map(({ field, operator }) => `${field} ${operator}`)

describe('defaults of requests', () => {
  test('are in every request; what the request says itself wins, header names in any case', async () => {
    const { request } = await loadStep(
      'headers: { X-Tenant: acme, x-trace: on }\nparams: { api-version: "2", page: 1 }',
      'request: { url: /x, headers: { x-tenant: other, x-trace: null }, params: { page: 2 } }',
    )
    expect(request).toMatchObject({
      headers: { 'x-tenant': 'other', 'x-trace': null },
      params: { 'api-version': '2', page: 2 },
    })
    expect(Object.keys(request?.headers ?? {})).toEqual(['x-tenant', 'x-trace'])
  })

  test('are left out where the url has a parameter of that name', async () => {
    const { request } = await loadStep(
      'params: { api-version: "2", page: 1 }',
      "request: { url: '/x?q={{q}}&api-version=1#top' }",
    )
    expect(request?.params).toEqual({ page: 1 })
    const { request: other } = await loadStep(
      'params: { a: 1, page: 1 }',
      `request: { url: "/{{js: q ? 'x' : 'y'}}?a=1#?page=2" }`,
    )
    expect(other?.params).toEqual({ page: 1 })
  })

  test('are where they are written: a template in them is located there', async () => {
    const plan = await load(
      'suite_name: S\nvariables: { tenant: acme }\ndefaults:\n  headers: { x-tenant: "{{tenant}}" }\nsteps:\n  - name: s\n    request: { url: /x }\n',
    )
    expect(plan.templates['/steps/0/request/headers/x-tenant']).toEqual([[4, 25]])
    expect(plan.steps[0]?.reads).toEqual(['tenant'])
  })

  test('give credentials to the origin of base_url only, and not where the step says `none`', async () => {
    const auth = 'auth: { bearer: abc }'
    const give = async (step: string): Promise<unknown> => (await loadStep(auth, step)).request?.auth
    expect(await give('request: { url: /x }')).toEqual({ bearer: 'abc' })
    expect(await give('request: { url: https://API.example:443/x }')).toEqual({ bearer: 'abc' })
    expect(await give('request: { url: https://other.example/x }')).toBeUndefined()
    expect(await give('request: { url: /x, auth: none }')).toBe('none')
    // There may be no `base_url` here, since it may come from an option.
    const [step] = (
      await load(
        'suite_name: S\ndefaults: { auth: { bearer: abc } }\nsteps:\n  - name: s\n    request: { url: /x }\n',
      )
    ).steps
    expect(step?.request?.auth).toEqual({ bearer: 'abc' })
  })

  test('of auth that read what the step itself captures are an error at that step', async () => {
    await expect(
      loadStep(
        'auth: { bearer: "{{token}}" }',
        'request: { url: /login, method: POST }\ncapture: { token: body.token }',
      ),
    ).rejects.toThrow(
      /`token`, which `defaults.auth` reads, is set by this step itself.*\n {2}hint: Write `auth: none` in this request\./,
    )
  })
})

describe('defaults of checks', () => {
  test('hold beside those of the step, which replace those of the same thing', async () => {
    const step = await loadStep(
      'assert: { status_code: 2xx, headers: { Content-Type: { contains: json }, x-id: { exists: true } }, body: { meta: { version: 2 }, id: { type: string } } }',
      'request: { url: /x }\nassert: { status_code: 201, headers.content-type: { contains: text }, body: { meta: { count: 3 } }, body.id: 7 }',
    )
    expect(checksOf(step)).toEqual([
      'status_code equals',
      'headers.x-id exists',
      'headers.content-type contains',
      'body.meta.version equals',
      'body.meta.count equals',
      'body.id equals',
    ])
  })

  test.for<[own: string, fields: string[]]>([
    ['{ notEmpty: true }', ['body.id equals', 'body.tags minLength', 'body notEmpty']],
    [
      '{ schema: { type: object }, tags: { maxLength: 3 } }',
      ['body.id equals', 'body schema', 'body.tags maxLength'],
    ],
    ['{ exists: true }', ['body.id equals', 'body.tags minLength', 'body exists']],
    ['{ exists: false }', ['body exists']],
    ['{ equals: { id: 7 } }', ['body equals']],
    ['gone', ['body equals']],
  ])(
    'of parts hold beside a check of the whole, unless it leaves nothing open: %s',
    async ([own, fields]) => {
      const step = await loadStep(
        'assert: { body: { id: 6, tags: { minLength: 1 } } }',
        `request: { url: /x }\nassert: { body: ${own} }`,
      )
      expect(checksOf(step).toSorted()).toEqual(fields.toSorted())
    },
  )

  test('are taken away by null, which in the body is a value', async () => {
    const defaults = 'assert: { status_code: 2xx, body: { error: { exists: false } } }'
    expect(checksOf(await loadStep(defaults, 'request: { url: /x }\nassert: { status_code: null }'))).toEqual(
      ['body.error exists'],
    )
    expect(
      checksOf(await loadStep(defaults, 'request: { url: /x }\nassert: { body: { error: null } }')),
    ).toEqual(
      ['status_code statusClass', 'body.error equals'].map((row) =>
        expect.stringContaining(row.split(' ')[0] as string),
      ),
    )
  })

  test.each([
    ['headers: { x-powered-by: null }', 'Expected `headers.x-powered-by` to be a string'],
    ['status_code: null', 'Expected `status_code` to be a status code'],
    ['cookies: null', 'Expected `cookies` to be a map of cookie names'],
  ])('of %s would check nothing where there is none to take away', async (assert, message) => {
    const step = 'request: { url: /x }'
    await expect(loadStep(`assert: { ${assert} }`, step)).rejects.toThrow(message)
    const lowest = { assert: { status_code: null } }
    await expect(loadStep('params: { a: 1 }', step, { defaults: lowest })).rejects.toThrow('got `null`')
    const defaults = { assert: { status_code: 200 } }
    expect(checksOf(await loadStep(`assert: { ${assert} }`, step, { defaults }))).toHaveLength(
      assert.startsWith('status') ? 0 : 1,
    )
  })

  test.each([
    ['data: { a: 1 }, body.data: { b: 2 }', ['body.data.a', 'body.data.b']],
    ['body.errors: { length: 1 }, errors: { minLength: 1 }', ['body.errors', 'body.errors']],
    ['body.data.user: { a: 1 }, data.user: { b: 2 }', ['body.data.user.a', 'body.data.user.b']],
  ])('stay when a step writes both names of the data of GraphQL: %s', async (assert, fields) => {
    const request = "request: { url: /x, graphql: { query: '{ a }' } }"
    const { checks } = await loadStep('params: { a: 1 }', `${request}\nassert: { ${assert} }`)
    expect(checks.filter(({ isImplied }) => !isImplied).map(({ field }) => field)).toEqual(fields)
  })

  test.for<[defaults: string, own: string, rows: string[]]>([
    [
      'body: { field: { type: invoice }, meta: { field: { length: { a: 1 } } } }',
      'body: { field: { length: 3 }, meta: { field: { type: x } } }',
      ['body.type equals', 'body.meta.length.a equals', 'body.length equals', 'body.meta.type equals'],
    ],
    ['body: { field: { type: invoice } }', 'body: { field: { type: order } }', ['body.type equals']],
    [
      'cookies: { sid: { secure: true, http_only: true, exists: true } }',
      'cookies: { sid: abc }',
      ['sid.secure equals', 'sid.http_only equals', 'sid exists', 'sid.value equals'],
    ],
    [
      'cookies: { sid: abc }',
      'cookies: { sid: { secure: true } }',
      ['sid.value equals', 'sid.secure equals'],
    ],
    ['cookies: { sid: abc }', 'cookies: { sid: { minLength: 3 } }', ['sid.value minLength']],
    [
      'cookies: { sid: { secure: true, minLength: 3 } }',
      'cookies: { sid: { exists: false } }',
      ['sid exists'],
    ],
    [
      'cookies: { sid: { secure: true } }',
      'cookies: { sid: null }, status_code: 200',
      ['status_code equals'],
    ],
    ['response_time_ms: 100', 'duration_ms: { less_than: 500 }', ['duration_ms less_than']],
    ['duration_ms: 100', 'response_time_ms: null, status_code: 200', ['status_code equals']],
  ])('of other things stay: %s with %s', async ([defaults, own, rows]) => {
    const step = await loadStep(`assert: { ${defaults} }`, `request: { url: /x }\nassert: { ${own} }`)
    expect(
      checksOf(step)
        .map((row) => row.replace('cookies.', ''))
        .toSorted(),
    ).toEqual(rows.toSorted())
  })

  test('of further settings are all taken away by `assert: null`', async () => {
    const defaults = { assert: { status_code: 200, size_bytes: 5 } }
    write('null.yaml', 'defaults: { assert: null }\n')
    const read = async (top: string): Promise<string[]> => {
      const plan = await load(`suite_name: S\n${top}\nsteps: [{ name: s, request: { url: /x } }]\n`, {
        defaults,
      })
      return checksOf(plan.steps[0] as StepPlan)
    }
    expect(await read('defaults: { assert: null }')).toEqual([])
    expect(await read('use: [null.yaml]\ndefaults: { assert: { redirects: 0 } }')).toEqual([
      'redirects length',
    ])
  })

  test('join their conditions, of one name the step’s', async () => {
    const step = await loadStep(
      'assert: { custom: [{ name: a, condition: body.a }, { name: b, condition: body.b }] }',
      'request: { url: /x }\nassert: { custom: [{ name: b, condition: body.c }] }',
    )
    expect(step.checks).toHaveLength(2)
  })

  test.each([
    '{ status_code: { lessthan: 3 } }',
    // A null removes checks, but there is none of that name.
    '{ status_cod: null }',
  ])('that are wrong, such as %s, are told once, where they are written', async (assert) => {
    await expect(
      load(
        `suite_name: S\ndefaults:\n  assert: ${assert}\nsteps:\n  - name: a\n    request: { url: /x }\n  - name: b\n    request: { url: /y }\n`,
      ),
    ).rejects.toMatchObject({ problems: [{ at: { 0: 3 } }] })
  })
})

describe('fragments', () => {
  test('lie below the suite, a later one above an earlier one, the option below all', async () => {
    write(
      'shared/one.yaml',
      'variables: { a: one, b: one }\ndefaults: { headers: { x: one, y: one } }\nproxy: http://one:1\nxml_namespaces: { a: "urn:one" }\n',
    )
    write(
      'shared/two.yaml',
      'variables: { b: two, c: two }\ndefaults: { headers: { y: two }, auth: null }\nredact: [pin]\nproxy: http://two:2\nxml_namespaces: { b: "urn:two" }\n',
    )
    const plan = await load(
      'suite_name: S\nuse: [./shared/one.yaml, ./shared/two.yaml]\nvariables: { c: suite }\nsteps:\n  - name: s\n    request: { url: https://h/x }\n',
      { defaults: { headers: { x: 'option', z: 'option' }, auth: { bearer: 'abc' } } },
    )
    expect(plan.variables).toEqual({ a: 'one', b: 'two', c: 'suite' })
    expect(plan.redact).toEqual(['pin'])
    expect(plan.connection).toEqual({ proxy: 'http://two:2' })
    expect(plan.xmlNamespaces).toEqual({ a: 'urn:one', b: 'urn:two' })
    expect(plan.steps[0]?.request).toEqual({
      url: 'https://h/x',
      headers: { z: 'option', x: 'one', y: 'two' },
    })
    expect(plan.files).toEqual([join(folder, 'shared/one.yaml'), join(folder, 'shared/two.yaml')])
  })

  test('add their mocks below those of the suite', async () => {
    write('shared/one.yaml', "mocks:\n  - { url: 'https://a.test/{{key}}' }\n")
    write('shared/two.yaml', "mocks: [{ url: 'https://b.test/' }]\n")
    const suite = (mocks: string): string =>
      `suite_name: S\nuse: [./shared/one.yaml, ./shared/two.yaml]\nvariables: { key: k }\n${mocks}steps:\n  - name: s\n    request: { url: https://h/x }\n`
    const list = async (mocks = ''): Promise<unknown> =>
      (await load(suite(mocks))).mocks.map(({ url, at, pointer }) => [url, at[2], pointer])
    const shared = [
      ['https://b.test/', 'tests/shared/two.yaml:1', '/mocks/0'],
      ['https://a.test/{{key}}', 'tests/shared/one.yaml:2', '/mocks/1'],
    ]
    expect(await list()).toEqual(shared)
    expect(await list('mocks: [{ url: https://c.test/ }]\n')).toEqual([
      ['https://c.test/', undefined, '/mocks/0'],
      ...shared.map(([url, from], index) => [url, from, `/mocks/${index + 1}`]),
    ])
    write('shared/two.yaml', "mocks: [{ url: 'https://b.test/', respond: { body: 1, file: x.json } }]\n")
    await expect(list()).rejects.toThrow(/^tests\/shared\/two.yaml:1:\d+ error /)
  })

  test('lie above the templates in the variables of the plugin, which count only where they are read', async () => {
    write('shared/one.yaml', 'variables: { a: one }\n')
    const templates = { a: '{{echo_url}}', b: '{{echo_url}}', c: '{{$env.TOKEN}}' }
    const suite = (url: string): string =>
      `suite_name: S\nuse: [./shared/one.yaml]\nsteps:\n  - name: s\n    request: { url: "${url}" }\n`
    const unread = await load(suite('/{{a}}'), { templates })
    expect(unread.variables).toEqual({ ...templates, a: 'one' })
    expect(unread).toMatchObject({ usesGiven: [], env: [{ name: 'TOKEN', required: false }] })
    const read = await load(suite('/{{b}}{{c}}'), { templates })
    expect(read).toMatchObject({ usesGiven: ['echo_url'], env: [{ name: 'TOKEN', required: true }] })
    await expect(load(suite('/x'), { templates: { a: '{{b c}}' } })).rejects.toThrow(
      /^the option `variables`:3:\d+ error bad-expression: /,
    )
  })

  test('are checked like the suite: each problem is told at its place in their file', async () => {
    write(
      'shared/bad.yaml',
      'defaults:\n  heders: { x: 1 }\n  assert: { body: { id: { typ: string } } }\nsteps: []\nskip: true\n__proto__: 1\n',
    )
    await expect(
      load(
        'suite_name: S\n__proto__: 1\nuse: [shared/bad.yaml, shared/none.yaml]\nsteps:\n  - name: s\n    request: { url: /x }\n',
      ),
    ).rejects.toMatchObject({
      problems: [
        { message: 'Unknown field `__proto__`.', file: 'tests/a.suite.yaml', at: { 0: 2 } },
        {
          message: 'The file `shared/none.yaml` does not exist.',
          file: 'tests/a.suite.yaml',
          at: { 0: 3 },
        },
        {
          code: 'unknown-field',
          hint: 'Did you mean `headers`?',
          file: 'tests/shared/bad.yaml',
          at: { 0: 2 },
        },
        { file: 'tests/shared/bad.yaml', at: { 0: 3 } },
        { message: 'Unknown field `steps`.', file: 'tests/shared/bad.yaml', at: { 0: 4 } },
        {
          message: 'Unknown field `skip`.',
          hint: 'It belongs in a suite or a step.',
        },
        { message: 'Unknown field `__proto__`.', file: 'tests/shared/bad.yaml', at: { 0: 6 } },
      ],
    })
  })

  test('are maps, and what cannot be read at all is told once', async () => {
    write('shared/list.yaml', '- a\n')
    write('shared/open.yaml', 'variables: [\n')
    const messages = await load(
      'suite_name: S\nuse: [shared/list.yaml, shared/open.yaml]\nsteps:\n  - name: s\n    request: { url: /x }\n',
    ).catch(({ problems }: SuiteError) => problems.map(({ file, message }) => `${file}: ${message}`))
    expect(messages).toEqual([
      'tests/shared/list.yaml: Expected the file to hold a map of settings.',
      'tests/shared/open.yaml: This bracket is not closed.',
    ])
  })

  test('given by the option are checked too', async () => {
    await expect(
      load('suite_name: S\nsteps:\n  - name: s\n    request: { url: /x }\n', { defaults: { haeders: {} } }),
    ).rejects.toThrow(/the option `defaults`:3:5 error unknown-field: Unknown field `haeders` in `defaults`/)
  })
})

test('what shared files say is placed where they say it; checks fail in the step and know where they are from', async () => {
  write(
    'shared/tenant.yaml',
    '# shared\ndefaults:\n  headers: { x-tenant: "{{tenant}}" }\n  assert: { status_code: 2xx, custom: [{ name: c, condition: "speed > 1" }] }\n',
  )
  const plan = await load(
    'suite_name: S\nuse: [shared/tenant.yaml]\nsteps:\n  - name: one\n    request: { url: /x }\n  - name: two\n    request: { url: /x }\n    assert:\n      body: ok\n',
    { defaults: { assert: { headers: { x: 'y' } } } },
  )
  expect(plan.steps.map(({ checks }) => checks.map(({ field, at }) => [field, ...at]))).toEqual([
    [
      ['status_code', 4, 5, 'tests/shared/tenant.yaml:4'],
      ['headers.x', 4, 5, 'the option `defaults`'],
      ['c', 4, 5, 'tests/shared/tenant.yaml:4'],
    ],
    [
      ['status_code', 9, 7, 'tests/shared/tenant.yaml:4'],
      ['headers.x', 9, 7, 'the option `defaults`'],
      ['body', 9, 13],
      ['c', 9, 7, 'tests/shared/tenant.yaml:4'],
    ],
  ])
  // Each place only once, although both steps read it.
  const places = plan.foreign.map(
    ({ range: [, , written] }) =>
      written && `${showWritten(written)} ${written.source.text.slice(...written.range)}`,
  )
  expect([...new Set(places)]).toEqual([
    'tests/shared/tenant.yaml:3 tenant',
    'tests/shared/tenant.yaml:4 speed',
  ])
})

test('a schema and a selector of a shared file that cannot be used are told there, once for all steps', async () => {
  write(
    'shared/checks.yaml',
    '# shared\ndefaults:\n  assert:\n    body: { schema: nope.json }\n    css: { "a[": { exists: true } }\n',
  )
  const step = (name: string): string => `  - name: ${name}\n    request: { url: /x }\n`
  const loading = load(`suite_name: S\nuse: [shared/checks.yaml]\nsteps:\n${step('one')}${step('two')}`)
  const { problems } = await loading.then(
    () => expect.fail('loaded'),
    (error: unknown) => error as SuiteError,
  )
  expect(problems.map(({ file, at, code }) => `${file}:${at[0]} ${code}`)).toEqual([
    'tests/shared/checks.yaml:4 bad-check',
    'tests/shared/checks.yaml:5 bad-path',
  ])
})

test('a default that is read before its capture is told at the step that comes too early', async () => {
  write('shared/token.yaml', 'defaults: { headers: { x: "{{token}}" } }\n')
  const { warnings } = await load(
    'suite_name: S\nuse: [shared/token.yaml]\nsteps:\n  - name: early\n    request: { url: /x }\n  - name: log in\n    request: { url: /y, headers: { x: a } }\n    capture: { token: body.t }\n',
  )
  expect(warnings).toMatchObject([
    {
      line: 5,
      column: 14,
      message:
        '`token`, which `defaults.headers` reads, is captured only later, by `log in` on line 6. Write `headers: { x: null }` in this request.',
    },
  ])
})

test('a secret needs a value only in suites that read it', async () => {
  const environment = write(
    'secrets.yaml',
    'variables: { login: "{{user}}:{{password}}" }\nsecrets: { user: "{{$env.USER_NAME}}", password: "{{$env.PASSWORD}}", other: "{{$env.OTHER}}" }\n',
  )
  const required = async (url: string): Promise<string[]> => {
    const text = `suite_name: S\nsteps:\n  - name: s\n    request: { url: "${url}" }\n`
    const { env } = await load(text, { environment })
    return env.filter((one) => one.required).map(({ name }) => name)
  }
  expect(await required('/x')).toEqual([])
  expect(await required('/{{other}}')).toEqual(['OTHER'])
  expect(await required('/{{js: login.length}}')).toEqual(['USER_NAME', 'PASSWORD'])
  expect(await required('/{{js: Object.keys(variables)}}')).toEqual(['USER_NAME', 'PASSWORD', 'OTHER'])
})

test('a secret is no environment variable as shells write it, whose name would be sent', async () => {
  const environment = write('bare.yaml', 'secrets: { password: "$env.PASSWORD" }\n')
  const text = 'suite_name: S\nsteps:\n  - name: s\n    request: { url: /x }\n'
  await expect(load(text, { environment })).rejects.toThrow(
    'tests/bare.yaml:1:22 error bad-value: Expected `secrets.password` to be a template, such as "{{$env.NAME}}" for an environment variable, got',
  )
})

test('an environment lies above the suite; its secrets are variables that no output shows', async () => {
  const environment = write(
    'staging.yaml',
    'base_url: https://staging.example\nvariables: { stage: staging }\nsecrets: { password: "{{$env.PASSWORD}}" }\n',
  )
  const plan = await load(
    'suite_name: S\nbase_url: http://localhost\nvariables: { stage: dev, other: 1 }\nsteps:\n  - name: s\n    request: { url: "/{{stage}}", body: { p: "{{password}}" } }\n',
    { environment },
  )
  expect(plan).toMatchObject({
    baseUrl: 'https://staging.example',
    variables: { stage: 'staging', other: 1, password: '{{$env.PASSWORD}}' },
    redact: ['password'],
    env: [{ name: 'PASSWORD' }],
    files: [environment],
  })
})

test('a value in the step takes the place of checks in the defaults, and checks that of a value', async () => {
  const request = 'request: { url: /x }\n'
  const tree = await loadStep('assert: { body: { a: { b: 1 } } }', `${request}assert: { body: { a: 5 } }`)
  expect(tree.checks.map(({ field, expected }) => [field, expected])).toEqual([['body.a', 5]])
  const value = await loadStep('assert: { body: { a: 5 } }', `${request}assert: { body: { a: { b: 1 } } }`)
  expect(value.checks.map(({ field, expected }) => [field, expected])).toEqual([['body.a.b', 1]])
})
