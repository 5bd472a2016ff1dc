import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { LoadOptions } from './load-context.ts'
import { loadSuite } from './load-suite.ts'
import type { SuitePlan } from './plan/plan.ts'

const head = 'suite_name: S\nsteps:\n  - name: First\n    request: { url: /x }\n'

function load(text: string, options: Partial<LoadOptions> = {}): Promise<SuitePlan> {
  return loadSuite({ path: 'folder/a.suite.yaml', text }, { folder: import.meta.dirname, ...options })
}

test.each(["'{{id}} == 1'", `"'{{id}}' == '1'"`, "{ when: '{{id}} && {{id}}', reason: x }"])(
  'a template in the midst of a condition of `skip` is refused: %s',
  async (skip) => {
    const suite = `suite_name: S\nvariables: { id: 1 }\nsteps:\n  - { name: A, skip: ${skip}, request: { url: 'http://h' } }\n`
    await expect(load(suite)).rejects.toThrow('contains a template, which is not filled in here')
  },
)

test('a text without such a template is none, also beside a value without a name', async () => {
  const plan = await load(
    `variables: { '': 1 }\n${head}  - { name: B, request: { method: POST, url: /x, body: { c: d } } }\n`,
  )
  expect(plan.warnings).toEqual([])
})

test.each([
  ['\'{ "a": 1 }\'', true],
  ['\'[{"a": "{{js: 1}}"}]\'', true],
  ["'{{js: 1}}'", false],
  ["'[note] hello'", false],
  ['{ a: 1 }', false],
])('the body %s is a text that looks like JSON: %s', async (body, isTold) => {
  const step = `method: POST, url: /x, body: ${body}`
  const plan = await load(
    `${head}  - { name: B, request: { ${step} } }\n  - { name: C, request: { ${step}, headers: { Content-Type: application/json } } }\n`,
  )
  expect(plan.warnings.map(({ message, line }) => `${line} ${message}`)).toEqual(
    isTold
      ? [
          '5 This text looks like JSON, but is sent as text/plain. Write it as a map or list without quotes, or add the header `content-type: application/json`.',
        ]
      : [],
  )
})

test.each([
  ['body: { form: { a: 1 } }', 'This body is sent as JSON with the field `form`.'],
  ['body: { json: { a: 1 } }', 'This body is sent as JSON with the field `json`.'],
  ["body: { mode: raw, raw: '{}' }", 'This body is sent as JSON with the field `raw`.'],
  [
    'body: { mode: urlencoded, urlencoded: [{ key: a, value: b }] }',
    'This body is sent as JSON with the field `urlencoded`.',
  ],
  ['body: { mode: fast, a: 1 }', undefined],
  ["body: { id: '{% uuid %}' }", 'A `{% … %}` as Insomnia writes it is not filled in.'],
  [
    'body: { file: ./load-valid.test.ts }',
    '`./load-valid.test.ts` is sent as a text, although there is a file of this name.',
  ],
  [
    "body: '@load-valid.test.ts'",
    '`load-valid.test.ts` is sent as a text, although there is a file of this name.',
  ],
  ["body: { a: ['x ${API_KEY}'] }", 'An environment variable as shells write it is not filled in.'],
  ["body: { a: '{{js: `${API_KEY}-1`}}' }, headers: { x: '{{API_KEY}}' }", undefined],
  ['multipart: { name: load-valid.test.ts, up: { file: load-valid.test.ts } }', undefined],
  ['body: { form: blue, file: photo.png }', undefined],
  ['body: { file: photo.png }', undefined],
  ["form: { a: '@ann', b: 'ann@example.com', c: '${name}' }", undefined],
])('warns of a request as other tools write it: %s', async (written, message) => {
  const plan = await load(`${head}  - { name: B, request: { method: POST, url: /x, ${written} } }\n`)
  expect(plan.warnings[0]?.message.split('. ')[0]?.replace(/\.?$/, '.')).toBe(message ?? undefined)
})

test.each([
  ['headers:\n        id: #123 a', '`id` has no value, since `#123` is a comment in YAML.'],
  ['"body": #fff', '`body` has no value, since `#fff` is a comment in YAML.'],
  ['headers: #all\n        id: 1', undefined],
  ['body: # none', undefined],
  ['headers:\n        id: null #123', undefined],
])('warns of a comment in the place of a value: %s', async (written, message) => {
  const text = `${head}  - name: B\n    request:\n      url: /x\n      method: POST\n      ${written}\n`
  const { warnings } = await load(text)
  const hint = `Put quotes around it: '${/#\w+/.exec(written)?.[0]}'. For a comment, write a space after the \`#\`.`
  expect(warnings.map((warning) => warning.message)).toEqual(message ? [`${message} ${hint}`] : [])
})

test.each([
  ['load-valid.test.ts', true],
  ['"@load-valid.test.ts"', true],
  ['[other, load-valid.test.ts]', true],
  ['gone.test.ts', false],
  ['check', false],
  ['{ file: load-valid.test.ts }', false],
])('the part %s of a form names a file that is sent as a text: %s', async (part, isTold) => {
  const plan = await load(
    `${head}  - { name: B, request: { method: POST, url: /x, multipart: { f: ${part} } } }\n`,
  )
  expect(plan.warnings.map(({ message }) => message)).toEqual(
    isTold
      ? [
          '`load-valid.test.ts` is sent as a text, although there is a file of this name. To send the file, write `file: load-valid.test.ts` below `f`.',
        ]
      : [],
  )
})

describe('values', () => {
  test('are those of the YAML 1.2 core schema: dates and words stay text, leading zeros stay as written', async () => {
    const { variables } = await load(`${head}variables:
  date: 2020-01-01
  time: 2020-01-01T00:00:00Z
  clock: 12:30:45
  words: [yes, no, on, off, y, n]
  truths: [true, False, null, ~]
  numbers: [1, -2.5, 1e3, 0x1F, 0o17, +1, 007, -08, 00.5, 1_000, 0b11]
  texts: ['1', "true", '007']
  tagged: [!!str 5, !!int '7']
`)
    expect(variables).toEqual({
      date: '2020-01-01',
      time: '2020-01-01T00:00:00Z',
      clock: '12:30:45',
      words: ['yes', 'no', 'on', 'off', 'y', 'n'],
      truths: [true, false, null, null],
      numbers: [1, -2.5, 1000, 31, 15, 1, '007', '-08', '00.5', '1_000', '0b11'],
      texts: ['1', 'true', '007'],
      tagged: ['5', 7],
    })
  })

  test('of maps keep keys like __proto__ as data, without touching any prototype', async () => {
    const { variables, steps } = await load(
      `suite_name: S\nvariables: { __proto__: 1, constructor: 2, toString: { a: 3 } }\nsteps:\n  - name: First\n    request: { url: /x, headers: { __proto__: a, constructor: b }, body: { __proto__: { polluted: true } } }\n`,
    )
    expect(Object.keys(variables)).toEqual(['__proto__', 'constructor', 'toString'])
    expect(Object.keys(steps[0]?.request?.headers ?? {})).toEqual(['__proto__', 'constructor'])
    expect(JSON.stringify(steps[0]?.request?.body)).toBe('{"__proto__":{"polluted":true}}')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  test('can be merged: own keys win over merged ones, earlier maps over later ones', async () => {
    const { variables } = await load(`${head}variables:
  one: &one { a: 1, b: 1 }
  two: &two { b: 2, c: 2 }
  all: { <<: [*one, *two], c: 3 }
  quoted: { '<<': 4 }
`)
    expect(variables).toMatchObject({ all: { a: 1, b: 1, c: 3 }, quoted: { '<<': 4 } })
  })
})

describe('files', () => {
  test.each([
    ['a byte order mark', `\uFEFF${head}`],
    ['Windows line ends', head.replaceAll('\n', '\r\n')],
    ['a start and an end marker', `---\n${head}...\n`],
    ['a directive of the version that is read', `%YAML 1.2\n---\n${head}`],
    ['comments everywhere', `# a\n${head}# b\n`],
    ['JSON, which is YAML', '{"suite_name": "S", "steps": [{"name": "First", "request": {"url": "/x"}}]}'],
  ])('may have %s', async (_, text) => {
    expect(await load(text)).toMatchObject({ name: 'S', steps: [{ name: 'First', request: { url: '/x' } }] })
  })

  test('may use one anchor a thousand times', async () => {
    const steps = Array.from({ length: 1000 }, (_, index) => `  - name: s${index}\n    request: *r\n`)
    const plan = await load(
      `suite_name: S\nvariables: { r: &r { url: '/{{v}}', headers: { A: b } }, v: x }\nsteps:\n${steps.join('')}`,
    )
    expect(plan.steps).toHaveLength(1000)
    expect(plan.steps.at(-1)?.request).toEqual({ url: '/{{v}}', headers: { A: 'b' } })
    expect(plan.templates['/steps/999/request/url']).toEqual([[2, 29]])
  })

  test('of the examples load without a word', async () => {
    const folder = join(import.meta.dirname, '../../examples/echo')
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.suite.yaml'))) {
      const text = readFileSync(join(folder, name), 'utf8')
      expect((await loadSuite({ path: name, text }, { folder })).warnings).toEqual([])
    }
  })
})

test('positions of templates are those of the file, however the text is quoted', async () => {
  const { templates } = await load(`${head}variables:
  plain: a {{x || 1}} b
  single: 'it''s {{x || 1}} and {{x || 2}}'
  double: "tab\\t{{x || 1}}"
  escaped: "\\x7b\\x7bx || 1}}"
  block: |
    first
      {{x || 1}}
  folded: >-
    first
    {{x || 1}}
`)
  expect({ ...templates }).toEqual({
    '/variables/plain': [[6, 12]],
    '/variables/single': [
      [7, 18],
      [7, 33],
    ],
    '/variables/double': [[8, 17]],
    '/variables/escaped': [[9, 12]],
    '/variables/block': [[12, 7]],
    '/variables/folded': [[15, 5]],
  })
})

test('what a step does not say has no value in its plan; durations of mocks are milliseconds', async () => {
  const { steps, mocks } = await load(
    `suite_name: S\nmocks:\n  - { url: http://a.example/*, respond: { delay_ms: 2s } }\n  - { url: http://b.example/* }\n  - { url: http://c.example/*, respond: passthrough }\nsteps:\n  - { name: One, request: { url: /x } }\n  - { name: Two, todo: true }\n`,
  )
  expect(steps[0]?.todo).toBeUndefined()
  expect(steps[1]).toMatchObject({ todo: true })
  expect(mocks).toMatchObject([{ respond: { delay_ms: 2000 } }, {}, { respond: 'passthrough' }])
  expect(mocks?.[1]?.respond).toBeUndefined()
})

test('a plan is plain data with the places of steps and their defaults', async () => {
  const plan = await load(
    `suite_name: My suite\nretry: { max_attempts: 2 }\nsteps:\n  - name: GET /users – all\n    request: { url: /x }\n    skip: '{{off}}'\n\n  - name: Second\n    request: { url: /y }\n    retry: { max_attempts: 3, until: '{{js: body.done}}' }\n    advance: 1.5h\n    debug: true\nclock: 2026-01-01T00:00:00Z\n`,
  )
  expect(JSON.parse(JSON.stringify(plan))).toEqual(JSON.parse(JSON.stringify({ ...plan })))
  expect(plan).toMatchObject({ nodeId: 'a', name: 'My suite', priority: 'medium', at: [1, 13] })
  expect(plan.steps).toMatchObject([
    { id: 'step-1-get-users-all', at: [4, 11], lines: [4, 6], skip: '{{off}}', reads: ['off'] },
    { id: 'step-2-second', at: [8, 11], lines: [8, 12], advance: 5_400_000, debug: true },
  ])
  expect(plan.steps.map(({ retry }) => retry)).toMatchObject([
    { max_attempts: 2, base_delay_ms: 1000, max_delay_ms: 30_000, backoff: 'exponential' },
    { max_attempts: 3, until: 'body.done' },
  ])
})

test.each([
  ['503', [503]],
  ['5xx', ['5xx']],
  ['[429, 5xx]', [429, '5xx']],
  ['body.busy', 'body.busy'],
])('`retry.on: %s` is a list of statuses, or a condition', async (written, on) => {
  const { steps } = await load(`${head}    retry: { max_attempts: 2, on: ${written} }\n`)
  expect(steps[0]?.retry?.on).toEqual(on)
})

test('`retry.on` of a status in quotes is refused: as a condition it would never hold', async () => {
  await expect(load(`${head}    retry: { max_attempts: 2, on: '429' }\n`)).rejects.toThrow(
    'Expected `steps[0].retry.on` to be a status code or class, a list of them, or a condition, got `"429"` (string).',
  )
})

describe('rows of each', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rows-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const rows = async (name: string, text: string): Promise<unknown> => {
    writeFileSync(join(folder, name), text)
    const plan = await load(`${head}each: { file: ${name} }\n`, { folder })
    expect(plan.files).toEqual([join(folder, name)])
    return plan.each
  }
  const failure = async (name: string, text: string): Promise<string> =>
    rows(name, text).then(
      () => 'loaded',
      (error: Error) => error.message.split('\n')[0] as string,
    )

  test('come from CSV as text, templates and odd names included', async () => {
    expect(await rows('a.csv', '\uFEFFuser,__proto__\n"a, b",{{x}}\n\n01, c \n')).toEqual([
      Object.fromEntries([
        ['user', 'a, b'],
        ['__proto__', '{{x}}'],
      ]),
      Object.fromEntries([
        ['user', '01'],
        ['__proto__', 'c'],
      ]),
    ])
  })

  test('come from JSON and YAML with their types, and keep every digit', async () => {
    expect(await rows('a.json', '[{"id": 12345678901234567890, "n": 1.5}]')).toEqual([
      { id: 12345678901234567890n, n: 1.5 },
    ])
    expect(await rows('a.yaml', '- { id: 007, ok: true }\n')).toEqual([{ id: '007', ok: true }])
  })

  test('come from YAML of any size that the option allows', async () => {
    const fileSize = 11_000_000
    writeFileSync(join(folder, 'large.yaml'), `- { a: ${'x'.repeat(10_500_000)} }\n`)
    const { each } = await load(`${head}each: { file: large.yaml }\n`, { folder, fileSize })
    expect(each).toHaveLength(1)
  })

  test.each([
    ['broken.csv', 'a,b\n1\n', 'Invalid Record Length: expect 2, got 1 on line 2.'],
    ['comma.csv', 'a,b\n1,2\n\n3,4,5\n', 'Invalid Record Length: expect 2, got 3 on line 4.'],
    ['quote.csv', 'a\n"x\n', 'Quote Not Closed'],
    ['twice.csv', 'a,a\n1,2\n', 'The column `a` appears twice in the header line.'],
    [
      'excel.csv',
      'id;title\n1;x\n',
      'The header line has only one column, `id;title`: separate cells with commas.',
    ],
    ['decimal.csv', 'id;fee\n1;2,50\n', 'The header line has only one column, `id;fee`'],
    ['unnamed.csv', 'a,\n1,2\n', 'A column has no name in the header line.'],
    ['header.csv', 'a,b\n', 'It has no rows.'],
    ['broken.json', '[{"a": 1,]', 'position 9'],
    ['map.json', '{"a": 1}', 'It does not contain a list of rows.'],
    ['mixed.json', '[{"a": 1}, 2]', 'Row 2 is not a map.'],
    ['deep.json', '['.repeat(9000) + ']'.repeat(9000), 'It nests deeper than 100 levels.'],
    [
      'deeper.json',
      `${'['.repeat(60_000)}12345678901234567${']'.repeat(60_000)}`,
      'Maximum call stack size exceeded.',
    ],
    ['broken.yaml', 'a: [\n', 'Line 1, column 4'],
    ['template.yaml', '- { a: {{b}} }\n', 'Line 1, column 8: The unquoted `{{b}}`'],
  ])('are refused from %s', async (name, text, reason) => {
    const message = await failure(name, text)
    expect(message).toContain(`:5:15 error bad-value: \`${name}\` cannot be read: `)
    expect(message).toContain(reason)
  })

  test('are refused from a file that is not there', async () => {
    await expect(load(`${head}each: { file: none.csv }\n`, { folder })).rejects.toThrow(
      'a.suite.yaml:5:15 error unknown-reference: The file `none.csv` does not exist.',
    )
  })

  test.each(['each: { file: latin.csv }', 'use: [latin.yaml]'])('%s is refused if not UTF-8', async (key) => {
    for (const [name, text] of [
      ['latin.csv', 'user\nJ\u00f6rg\n'],
      ['latin.yaml', 'variables: { user: J\u00f6rg }\n'],
    ] as const)
      writeFileSync(join(folder, name), text, 'latin1')
    await expect(load(`${head}${key}\n`, { folder })).rejects.toThrow(
      /error unknown-reference: The file `latin\.\w+` is not UTF-8\.\n {2}hint: Save it as UTF-8\./,
    )
  })

  test('are refused from a device, which would never end', async () => {
    symlinkSync('/dev/zero', join(folder, 'zero.csv'))
    await expect(load(`${head}each: { file: zero.csv }\n`, { folder })).rejects.toThrow(
      'a.suite.yaml:5:15 error unknown-reference: The file `zero.csv` is not a regular file.',
    )
  })
})

test('a time limit of the suite with a template is that of each request, unless a step has its own', async () => {
  const { steps } = await load(`suite_name: S
timeout: '{{limit}}'
variables: { limit: 5 }
steps:
  - { name: First, request: { url: /x } }
  - { name: Second, request: { url: /x, timeout: 7 } }
`)
  expect(steps.map(({ request }) => request)).toMatchObject([{ timeout: '{{limit}}' }, { timeout: 7 }])
  const fixed = await load(`timeout: 5\n${head}`)
  expect(fixed.steps[0]?.request).not.toHaveProperty('timeout')
})

test('a time limit is at least 1 ms, and at most what timers can wait', async () => {
  const loadStep = (more: string): Promise<SuitePlan> =>
    load(`suite_name: S\nsteps:\n  - { name: First, request: { url: /x, ${more}\n`)
  const { steps } = await loadStep('timeout: 1ms }, delay_ms: 0s }')
  expect(steps).toMatchObject([{ delay: 0, request: { timeout: '1ms' } }])
  const { steps: longest } = await loadStep('timeout: 2147483647ms } }')
  expect(longest).toMatchObject([{ request: { timeout: '2147483647ms' } }])
  for (const wrong of ['0ms', '0.5ms', '2147483648ms', '25d'])
    await expect(loadStep(`timeout: ${wrong} } }`)).rejects.toThrow('to be a duration such as')
})

test('a stream may end by events, by time, or by both', async () => {
  const { steps } = await load(`suite_name: S
steps:
  - { name: First, request: { url: /x }, stream: { events: 2, within: 1.5s } }
`)
  expect(steps[0]?.stream).toEqual({ events: 2, within: 1500, at: [3, 50] })
})

test('the addresses of mocks are absolute, start with a star or with a template', async () => {
  const urls = ['https://h/x', '*/x', '{{host}}/x']
  const mocks = urls.map((url) => `  - { url: '${url}', respond: { status: 200 } }\n`).join('')
  expect((await load(`${head}mocks:\n${mocks}`)).mocks.map(({ url }) => url)).toEqual(urls)
})

test('only a step that says so is run alone', async () => {
  const { steps } = await load(`${head}  - { name: Second, only: true, request: { url: /x } }\n`)
  expect(steps.map(({ only }) => only)).toEqual([false, true])
})

test('a plan tells what its suite reads beside its steps', async () => {
  const { reads } = await load(`suite_name: S
base_url: 'http://{{host}}'
variables: { path: '{{js: root + 1}}', home: '{{$env.HOME}}' }
steps:
  - { name: First, request: { url: '/{{id}}' } }
`)
  expect(reads).toEqual(['host', 'root'])
})

test('a plan tells which exports its steps read', async () => {
  const { steps } = await load(
    'suite_name: S\ndepends: [login]\nsteps:\n  - { name: First, request: { url: "/{{login.token}}/{{login}}" } }\n',
  )
  expect(steps[0]?.externalReads).toEqual(['login.token'])
})

test('variables in a filter of a condition are read, also all of them', async () => {
  const read = (condition: string): Promise<SuitePlan> =>
    load(
      `${head}    capture: { id: body.id }\n  - name: Second\n    request: { url: /y }\n    scenarios: [{ condition: '${condition}', then: { assert: { status_code: 200 } } }]\n`,
    )
  const plan = await read('length(body[?id == $.variables.id]) == 1')
  expect(plan.steps[1]?.reads).toEqual(['id'])
  expect((await read('body[?id == $.variables.idd]')).foreign).toMatchObject([
    { root: 'idd', condition: true },
  ])
  for (const condition of ['contains(values(variables), body.id)', 'variables.{a: id}.a == 1'])
    expect((await read(condition)).steps[1]?.reads).toEqual(['variables', 'id'])
})

test.each(['setup', 'steps', 'teardown'] as const)(
  'of plain texts in %s only conditions read exports',
  async (list) => {
    const read = async (step: string): Promise<readonly string[] | undefined> => {
      const other = list === 'steps' ? '' : 'steps:\n  - { name: Other, request: { url: /x } }\n'
      const plan = await load(
        `suite_name: S\ndepends: [login]\n${list}:\n  - { name: First, ${step} }\n${other}`,
      )
      return plan[list][0]?.externalReads
    }
    const request = "request: { method: POST, url: /x, body: 'login.token' }"
    expect(await read(request)).toEqual([])
    expect(await read(`${request}, skip: login.token`)).toEqual(['login.token'])
    expect(await read(`${request}, skip: { when: login.token, reason: no token }`)).toEqual(['login.token'])
  },
)

test('a plan tells which given variables its suite uses', async () => {
  expect((await load(head)).usesGiven).toEqual([])
  expect((await load(`${head}base_url: '{{echo_url}}'\n`)).usesGiven).toEqual(['echo_url'])
})
