import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Json } from '../../json.ts'
import { evaluateChecks, failAllChecks } from './evaluate-checks.ts'
import { check, makeDeep, makeResponse, makeTools, message } from '../fixtures/response.ts'
import { parseChecks } from '../fixtures/collect-problems.ts'

test('rows have the fields of a result file; built-in checks say OK, custom checks their message', () => {
  const yaml = `
status_code: 200
body.json.token: {type: string, minLength: 3}
response_time_ms: 5000
custom: [{name: fast, condition: response_time_ms < 5000, message: answers in time}]`
  expect(check(yaml)).toMatchObject([
    { field: 'status_code', expected: 200, actual: 200, passed: true, message: 'OK' },
    { field: 'body.json.token.type', expected: 'string', actual: 'string', passed: true, message: 'OK' },
    { field: 'body.json.token.minLength', expected: '>= 3', actual: 3, passed: true, message: 'OK' },
    { field: 'response_time_ms', expected: '<= 5000', actual: 12, passed: true, message: 'OK' },
    {
      field: 'fast',
      expected: 'response_time_ms < 5000',
      actual: 'true',
      passed: true,
      message: 'answers in time',
    },
  ])
})

test('makes all checks, not only up to the first failure', () => {
  const results = check('{status_code: 500, body.json.token: abc, body.json.user.id: 6}')
  expect(results.map(({ passed }) => passed)).toEqual([false, true, false])
})

test('a text from a variable that a number is compared with is told how to become one', () => {
  const variables = { n: '6', word: 'six' }
  const told = (yaml: string): string | undefined => check(yaml, {}, variables)[0]?.message
  expect(told('body.json.user.id: "{{n}}"')).toBe(
    'Expected `body.json.user.id` to equal `"6"` (string), got `5` (number); write `{{js: Number(n)}}`',
  )
  expect(told('body.json.user.id: { less_than: "{{n}}" }')).toBe(
    'The `less_than` check of `body.json.user.id` needs a number, got `"6"` (string) from `"{{n}}"` (string); write `{{js: Number(n)}}`',
  )
  expect(told('body.json.token: { length: "{{n}}" }')).toBe(
    'The `length` check of `body.json.token` needs a non-negative integer or a map of number checks, got `"6"` (string) from `"{{n}}"` (string); write `{{js: Number(n)}}`',
  )
  expect(told('body.json.user.id: "{{word}}"')).toMatch(/\(number\)$/)
})

const golden: [yaml: string, message: string][] = [
  [
    'body.json.user.id: "5"',
    'Expected `body.json.user.id` to equal `"5"` (string), got `5` (number): same text, different type',
  ],
  [
    'body.json: {equals: {token: xyz, user: {id: 5, name: Ann}}}',
    `Expected \`body.json\` to equal the given object; 2 differences:
  \`body.json.token\`: expected \`"xyz"\` (string), got \`"abc"\` (string)
  \`body.json.user.name\`: expected \`"Ann"\` (string), nothing there`,
  ],
  [
    'body.json.user: {equals: {}}',
    `Expected \`body.json.user\` to equal the given object; 1 difference:
  \`body.json.user.id\`: nothing expected, got \`5\` (number)`,
  ],
  [
    'body.json.tokn: abc',
    'nothing at `body.json.tokn`; `body.json` has: token, user (did you mean `token`?)',
  ],
  ['body.json.token.x: abc', 'nothing at `body.json.token.x`; `body.json.token` is `"abc"` (string)'],
  ['body.json.list[0]: abc', 'nothing at `body.json.list[0]`; `body.json` has: token, user'],
  [
    'body.json.user.not_equals: {id: 5}',
    'Expected `body.json.user` not to equal `{"id":5}` (object), but it does',
  ],
  [
    'body.json.token.contains: z',
    'Expected `body.json.token` to contain `"z"` (string), got `"abc"` (string)',
  ],
  [
    'body.json.user.id.contains: z',
    'The `contains` check of `body.json.user.id` works on string, array or object, got `5` (number)',
  ],
  [
    'body.json.user.contains: id',
    'The `contains` check of `body.json.user` looks for `"id"` (string) in an object, which has only fields; for a name, use `exists`',
  ],
  [
    'body.json.token.pattern: ^z',
    'Expected `body.json.token` to match the pattern `^z`, got `"abc"` (string)',
  ],
  [
    'body.json.token.minLength: 4',
    'Expected `body.json.token` to have a length of at least 4, got 3: `"abc"` (string)',
  ],
  ['body.json.token.length: 4', 'Expected `body.json.token` to have a length of 4, got 3: `"abc"` (string)'],
  [
    'body.json.token.length: {less_than: 3}',
    'Expected `body.json.token.length` to be less than 3, got `3` (number)',
  ],
  ['body.json.token.notEmpty: false', 'Expected `body.json.token` to be empty, got `"abc"` (string)'],
  ['body.json.token.exists: false', 'Expected nothing at `body.json.token`, got `"abc"` (string)'],
  ['body.json.token.in: [a, b]', 'Expected `body.json.token` to be one of ["a","b"], got `"abc"` (string)'],
  ['body.json.token.not_in: [abc]', 'Expected `body.json.token` to be none of ["abc"], got `"abc"` (string)'],
  [
    'body.json.user.id.greater_than: 5',
    'Expected `body.json.user.id` to be greater than 5, got `5` (number)',
  ],
  ['body.json.user.id.less_than: 5', 'Expected `body.json.user.id` to be less than 5, got `5` (number)'],
  ['body.json.token.type: integer', 'Expected `body.json.token` to be of type integer, got `"abc"` (string)'],
  ['status_code: [201, 4xx]', 'Expected `status_code` to be one of 201, 4xx, got 200'],
  [
    'status_code: {between: [201, 299]}',
    'Expected `status_code` to be between 201 and 299, got `200` (number)',
  ],
  ['status_code: {not_in: [2xx]}', 'Expected `status_code` not to be one of 2xx, got 200'],
  [
    'headers.Content-Typ: x',
    'nothing at `headers.Content-Typ`; available headers: content-type (did you mean `content-type`?)',
  ],
  [
    'headers.content-type: text/html',
    'Expected `headers.content-type` to equal `"text/html"` (string), got `"application/json"` (string)',
  ],
  ['response_time_ms: 5', 'Expected `response_time_ms` to be at most 5, got `12` (number)'],
  [
    'body.json.token.minLength: "{{n}}"',
    'The `minLength` check of `body.json.token` needs a non-negative integer, got `"{{n}}"` (string)',
  ],
  [
    'body.json.token.minLength: "{{word}}"',
    'The `minLength` check of `body.json.token` needs a non-negative integer, got `"abc"` (string) from `"{{word}}"` (string)',
  ],
  [
    'body.json.token.equals: "{{broken}}"',
    'The `equals` check of `body.json.token` has an operand that could not be computed: `broken` is not defined',
  ],
]

test.for(golden)('%s fails with its exact words', ([yaml, words]) => {
  expect(message(yaml, {}, { word: 'abc' })).toBe(words)
})

test('a time may come from a variable as a duration', () => {
  const judge = (yaml: string): string => message(yaml, {}, { short: '10ms', long: '5s' })
  expect(judge('response_time_ms: "{{long}}"')).toBe('OK')
  expect(judge('duration_ms.between: ["{{short}}", "{{long}}"]')).toBe('OK')
  expect(judge('response_time_ms.less_than: "{{short}}"')).toBe(
    'Expected `response_time_ms` to be less than 10, got `12` (number)',
  )
  expect(judge('body.json.user.id.less_than: "{{long}}"')).toContain('needs a number, got `"5s"` (string)')
})

test('a missing value fails every check but `exists: false`', () => {
  for (const operand of [
    'equals: null',
    'not_equals: 1',
    'not_contains: a',
    'not_in: [1]',
    'exists: true',
    'notEmpty: false',
    'type: "null"',
    'maxLength: 5',
    'snapshot: true',
    'each: 1',
  ])
    expect(message(`body.nope.${operand}`)).toMatch(/^nothing at `body.nope`/)
  expect(message('body.nope.exists: false')).toBe('OK')
  expect(message('body.json.token.x.exists: false')).toBe('OK')
})

test('`exists: false` does not pass because the body has no fields at all', () => {
  expect(message('body.error.exists: false', { body: '<h1>Bad gateway</h1>' })).toMatch(
    /^`exists: false` proves nothing: nothing at `body.error`; `body` is/,
  )
  expect(message('body.error.exists: false', { body: '' })).toBe(
    '`exists: false` proves nothing: nothing at `body.error`; `body` is empty',
  )
})

test('invalid JSON fails the checks that need JSON and no others', () => {
  const broken = {
    body: '{"a":',
    bodyText: '{"a":',
    bodyError: 'The body is not valid JSON: unexpected end at line 1, column 6',
  }
  const yaml = `
status_code: 200
headers.content-type: application/json
body.a.exists: false
body: {contains: '"a"', not_contains: error, notEmpty: true, pattern: a, equals: '{"a":'}
custom: [{condition: "!body.error", message: no error}, {condition: request.body !== null}]`
  expect(check(yaml, broken).map(({ operator, passed, message }) => [operator, passed, message])).toEqual([
    ['equals', true, 'OK'],
    ['equals', true, 'OK'],
    ['exists', false, broken.bodyError],
    ['contains', true, 'OK'],
    ['not_contains', false, broken.bodyError],
    ['notEmpty', false, broken.bodyError],
    ['pattern', true, 'OK'],
    ['equals', false, broken.bodyError],
    ['condition', false, `no error: ${broken.bodyError}`],
    ['condition', true, 'OK'],
  ])
})

test('an empty body that is declared as JSON can be asked for being empty, and for nothing inside it', () => {
  const bodyError = 'The content type says JSON, but the body is empty'
  const empty = { body: '', bodyText: '', bodyError, size_bytes: 0 }
  const passed = (yaml: string): boolean[] => check(yaml, empty).map((result) => result.passed)
  expect(passed("body: ''")).toEqual([true])
  expect(passed('body: { notEmpty: false, length: 0 }')).toEqual([true, true])
  for (const asked of [
    'notEmpty: true',
    'type: object',
    'exists: true',
    'equals: null',
    'not_equals: {a: 1}',
    'not_equals: null',
    'not_in: [null]',
  ])
    expect(passed(`body: { ${asked} }`)).toEqual([false])
  expect(passed('body.a.exists: false')).toEqual([false])
})

test('a body of 0 bytes is not there, whatever its type', () => {
  const judge = (yaml: string, body: string) =>
    check(yaml, { body, bodyText: body, size_bytes: body.length }).map(({ message }) => message)
  expect(judge('body: { exists: false }', '')).toEqual(['OK'])
  expect(judge('body: { exists: true }', '')).toEqual(['the response has no body'])
  expect(judge('body: { exists: true }', 'x')).toEqual(['OK'])
  expect(judge('body: { exists: false }', 'x')).toEqual(['Expected nothing at `body`, got `"x"` (string)'])
})

test('headers are compared as text, by name in any case', () => {
  const headers = { 'x-limit': '100', 'set-cookie': ['a=1', 'b=2'], 'x-flag': 'true' }
  const passing = [
    'X-Limit: 100',
    'x-flag: true',
    'x-limit.greater_than: 99',
    'x-limit: {in: [100, 200]}',
    'set-cookie: {some: a=1}',
    'set-cookie: {some: {contains: b=}}',
    'x-limit.each.pattern: ^1',
    'set-cookie: [a=1, b=2]',
    'set-cookie.contains: b=2',
    'set-cookie.not_contains: c=',
    'set-cookie: {same_items: [b=2, a=1]}',
    'set-cookie[1]: b=2',
    'x-limit[0]: 100',
    'set-cookie.length: 2',
    'set-cookie: {each: {not_contains: c=}}',
    'x-none.exists: false',
    'x-limit: ["100"]',
    'set-cookie.type: array',
  ]
  for (const line of passing) expect([line, message(`headers.${line}`, { headers })]).toEqual([line, 'OK'])
  expect(message('headers["X-Limit"]: 100', { headers })).toBe('OK')
  const failing = [
    'set-cookie: a=1',
    'set-cookie.not_contains: a=',
    'set-cookie[2]: b=2',
    'x-flag.greater_than: 1',
    'x-limit.less_than: 100',
    'set-cookie: [a=1]',
    'set-cookie.not_equals: a=1',
    'x-limit.type: number',
    'x-none.not_contains: a',
  ]
  for (const line of failing)
    expect([line, message(`headers.${line}`, { headers })]).not.toEqual([line, 'OK'])
})

test('header names of the object prototype are ordinary names', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty'])
    expect(message(`headers.${name}.exists: true`)).toMatch(/^nothing at/)
})

function failing(condition: string, words = ''): string {
  return message(`custom: [{condition: "${condition}"${words}}]`)
}

test('custom checks fail with the text of an error or the value that is not true', () => {
  expect(failing('status_code === 500')).toBe(
    'Expected the condition `status_code === 500` to be true, got `false`',
  )
  expect(failing('`${status_code}` === 500')).toBe(
    'Expected the condition “`${status_code}` === 500” to be true, got `false`',
  )
  expect(failing('status_code === 500', ', message: must be broken')).toBe('must be broken')
  expect(failing('status_code', ', message: must be broken')).toBe('must be broken, got `200`')
  expect(failing('nope.x', ', message: must be broken')).toBe(
    "must be broken, but it failed with `TypeError: Cannot read properties of undefined (reading 'x') (not defined here: `nope`)`",
  )
  expect(failing('(() => { for (; body;); })()')).toMatch(/longer than 300 ms/)
})

test('a pattern cannot hang the run, and text inserted into one stands for its characters', () => {
  const body = { json: { token: `${'a'.repeat(40)}!`, dot: 'axb' } }
  expect(message('body.json.token.pattern: ^(a+)+$', { body })).toMatch(
    /^The `pattern` check of `body.json.token` could not be made: .*longer than 300 ms/,
  )
  expect(message('body.json.dot.pattern: "^{{part}}"', { body }, { part: 'a.b' })).toMatch(/^Expected/)
  expect(
    message('body.json.dot.pattern: "^{{part}}"', { body: { json: { dot: 'a.b-c' } } }, { part: 'a.b-c' }),
  ).toBe('OK')
  expect(message('body.json.dot.pattern: "{{whole}}"', { body }, { whole: '^a.b$' })).toBe('OK')
  expect(message('body.json.dot.pattern: "{{whole}}"', { body }, { whole: '(' })).toMatch(
    /needs a regular expression \(Invalid/,
  )
  expect(message('body.json.dot.pattern: /^AXB$/i', { body })).toBe('OK')
  expect(message('body.json.dot.pattern: /a.b/', { body })).toBe(
    'Expected `body.json.dot` to match the pattern `/a.b/`, got `"axb"` (string); without flags, slashes are part of the pattern',
  )
  expect(message('body.json.path.pattern: /users/', { body: { json: { path: '/users/1' } } })).toBe('OK')
  expect(message('body.json.dot.pattern: /^a\\{{part}}$/iu', { body }, { part: '-' })).toMatch(
    /Invalid regular expression|Expected/,
  )
})

test('a status from a cell of CSV is a text, also in a list', () => {
  const judge = (yaml: string) => message(yaml, {}, { code: '200', other: '404', word: 'abc' })
  expect(judge('status_code: "{{code}}"')).toBe('OK')
  expect(judge('status_code: ["{{other}}", "{{code}}"]')).toBe('OK')
  expect(judge('status_code: {in: [404, "{{code}}"]}')).toBe('OK')
  expect(judge('status_code: {not_in: [404, "{{code}}"]}')).toBe(
    'Expected `status_code` not to be one of 404, 200, got 200',
  )
  expect(judge('status_code: {in: "{{js: [200, 404]}}"}')).toBe('OK')
  expect(judge('status_code: "{{js: [200, 404]}}"')).toContain('(a list belongs below `in` or `not_in`)')
  expect(judge('status_code: {in: [200, "{{word}}"]}')).toContain('needs a list of status codes')
})

test('snapshot checks hand over the value without its ignored paths and fail until they are compared', () => {
  const body = {
    id: 7,
    items: [
      { id: 1, n: 'a' },
      { id: 2, n: 'b' },
    ],
    pair: ['c', 'd'],
    __proto__: null,
  }
  const [result] = check('body.snapshot: {name: list, ignore: [id, "items[*].id", "pair[0]", nope.x]}', {
    body,
  })
  expect(result).toMatchObject({
    passed: false,
    snapshot: { name: 'list', value: { items: [{ n: 'a' }, { n: 'b' }], pair: ['d'] } },
  })
  expect(result?.snapshot?.value).not.toHaveProperty('id')
  expect(body).toHaveProperty('id')
  const [filled] = check(
    "body.snapshot: {name: 'of {{who}}', ignore: ['{{what}}']}",
    { body },
    { who: 'Ann', what: 'items' },
  )
  expect(filled).toMatchObject({ snapshot: { name: 'of Ann', value: { id: 7, pair: ['c', 'd'] } } })
  expect(message("body.snapshot: {ignore: ['{{what}}']}", { body }, { what: 5 })).toContain(
    'paths as `ignore`; `5`',
  )
})

test('loose comparison takes numbers and booleans for their text', () => {
  const { checks } = parseChecks(
    parse('body: {a: "5", b: true, c: {in: [1]}, d: {notEmpty: true}}') as Json,
    () => [1, 1],
  )
  const context = makeResponse({ body: { a: 5, b: 'true', c: '1', d: 3 } })
  const tools = makeTools(context)
  expect(evaluateChecks(checks, context, tools).map(({ passed }) => passed)).toEqual([
    false,
    false,
    false,
    false,
  ])
  expect(evaluateChecks(checks, context, { ...tools, isLenient: true }).map(({ passed }) => passed)).toEqual([
    true,
    true,
    true,
    true,
  ])
})

test('loose comparison looks for the texts of numbers and booleans in a text', () => {
  const { checks } = parseChecks(
    parse(
      'body: {a: {contains: 5}, b: {contains: true}, c: {not_contains: 7}, d: {not_contains: 5}, e: {contains: {x: 1}}}',
    ) as Json,
    () => [1, 1],
  )
  const context = makeResponse({ body: { a: 'no 5', b: 'is true', c: 'no 5', d: 'no 5', e: 'x' } })
  const rows = evaluateChecks(checks, context, { ...makeTools(context), isLenient: true })
  expect(rows.map(({ message }) => message)).toEqual([
    'OK',
    'OK',
    'OK',
    'Expected `body.d` not to contain `"5"` (string), but it does: `"no 5"` (string)',
    'The `contains` check of `body.e` looks for `{"x":1}` (object) in a string, which contains only strings; for several values, write `all_of`',
  ])
})

test('reports every check as failed when there is no response', () => {
  const { checks } = parseChecks({ status_code: 200, body: { a: 1 } }, () => [3, 4])
  expect(failAllChecks(checks, 'GET http://x failed')).toEqual([
    {
      field: 'status_code',
      expected: 200,
      actual: null,
      passed: false,
      message: 'GET http://x failed',
      operator: 'equals',
      at: [3, 4],
    },
    {
      field: 'body.a.equals',
      expected: 1,
      actual: null,
      passed: false,
      message: 'GET http://x failed',
      operator: 'equals',
      at: [3, 4],
    },
  ])
})

test('answers nested 500 levels deep are compared, and give no diff', () => {
  const [result] = check('body: {equals: {a: 1}, contains: {b: 1}, same_items: [1], not_equals: 2}', {
    body: makeDeep(499),
  })
  expect(result?.diff).toBeUndefined()
  const { checks } = parseChecks(
    { body: { equals: makeDeep(499), contains: makeDeep(499), not_equals: makeDeep(500) } },
    () => [1, 1],
  )
  const same = makeResponse({ body: makeDeep(499) })
  expect(evaluateChecks(checks, same, makeTools(same)).map(({ passed }) => passed)).toEqual([
    true,
    true,
    true,
  ])
  const other = makeResponse({ body: makeDeep(499, 2) })
  const [failed] = evaluateChecks(checks, other, makeTools(other))
  expect(failed?.message).toMatch(
    /1 difference:\n {2}`body\.a\.a.*`: expected `1` \(number\), got `2` \(number\)$/s,
  )
  expect(failed?.message.length).toBeLessThan(2000)
})

test('fields with the names of the object prototype are data', () => {
  const body = JSON.parse('{"__proto__": {"x": 1}, "constructor": "c"}') as Json
  expect(message('body: {__proto__: {x: 1}}', { body })).toBe('OK')
  expect(message('body.constructor: c', { body })).toBe('OK')
  expect(message('body.toString.exists: true', { body })).toMatch(/^nothing at/)
  expect(message('body.constructor.name.exists: true', { body })).toMatch(/^nothing at/)
  const { checks } = parseChecks(
    { body: { equals: JSON.parse('{"__proto__": {"x": 2}, "constructor": "c"}') as Json } },
    () => [1, 1],
  )
  const context = makeResponse({ body })
  expect(evaluateChecks(checks, context, makeTools(context))[0]?.message).toContain(
    '`body.__proto__.x`: expected `2` (number), got `1` (number)',
  )
})

test('the answers of a burst are counted by the tools; a check among others keeps its warning', () => {
  const context = makeResponse()
  const tree = { responses: [{ where: { status_code: 409 }, count: 2 }] }
  const { checks } = parseChecks(tree, undefined, 'burst')
  const count = (answers: number) =>
    evaluateChecks(checks, context, {
      ...makeTools(context),
      countResponses: (counted) => answers + counted.length - 1,
    })[0]?.passed
  expect([count(2), count(3)]).toEqual([true, false])
  const empty = { body: { json: { list: [] } } }
  expect(check('body.json.list: {all_of: [{each: {type: string}}]}', empty)).toMatchObject([
    { passed: true, warning: expect.stringContaining('empty') as string },
  ])
})

test('a late element that fails after many that pass is named with what it fails', () => {
  const list = [...Array.from({ length: 300 }, () => 1), 'late']
  const [row] = check('body.json.list: {each: {type: number}}', { body: { json: { list } } })
  expect(row?.message).toContain('`body.json.list[300]`')
})
