import * as v from 'valibot'
import { expect, test } from 'vitest'
import { makeResponse } from '../assertion/fixtures/response.ts'
import type { Json, JsonObject } from '../json.ts'
import { captureSchema } from '../suite/schema/schema-checks.ts'
import { collectProblems } from '../assertion/fixtures/collect-problems.ts'
import { parseCaptures } from './capture.ts'
import { takeCaptures, type CaptureTools } from './take-captures.ts'
import { defaultLimits } from '../limits.ts'

const tools: CaptureTools = {
  limits: defaultLimits,
  interpolate: (value) => {
    if (value === '{{broken}}') throw new Error('`broken` is not defined')
    return value === '{{user}}' ? 'ann' : value
  },
}

function parse(tree: Json) {
  const place = collectProblems((path) => [path.length, 1])
  return { captures: parseCaptures(tree as JsonObject, place), problems: place.problems }
}

function take(tree: Json, overrides: Parameters<typeof makeResponse>[0] = {}, isLenient = false) {
  const { captures, problems } = parse(tree)
  expect(problems).toEqual([])
  return takeCaptures(captures, makeResponse(overrides), { ...tools, isLenient })
}

test.each([
  [
    { selector: 'h1', attribute: 'id' },
    'unknown-field',
    'Unknown field `selector` in capture `a`.',
    ['a', 'selector'],
  ],
  [{ jsonpath: '$.id' }, 'unknown-field', 'Unknown field `jsonpath` in capture `a`.', ['a', 'jsonpath']],
  [{ body: 'id' }, 'unknown-field', 'Unknown field `body` in capture `a`.', ['a', 'body']],
  [{ header: 'etag' }, 'unknown-field', 'Unknown field `header` in capture `a`.', ['a', 'header']],
  [{ regex: '(\\d+)' }, 'unknown-field', 'Unknown field `regex` in capture `a`.', ['a', 'regex']],
  [
    { id: '$.user.id' },
    undefined,
    '`$.user.id` would be captured as these characters: a map or list is taken literally, and paths in it are not evaluated.',
    ['a', 'id'],
  ],
  [{ from: 'body', regex: '(\\d+)' }, 'unknown-field', 'Unknown field `from` in capture `a`.', ['a', 'from']],
  [
    { source: 'header', key: 'etag' },
    'unknown-field',
    'Unknown field `source` in capture `a`.',
    ['a', 'source'],
  ],
  [{ pth: 'body.token' }, 'unknown-field', 'Unknown field `pth` in capture `a`.', ['a', 'pth']],
  [{ optinal: true }, 'unknown-field', 'Unknown field `optinal` in capture `a`.', ['a', 'optinal']],
  [{ where: 'body.token' }, undefined, '`body.token` would be captured as these characters', ['a', 'where']],
  [[1, 'body.id'], undefined, '`body.id` would be captured', ['a', 1]],
  [{ user: { id: 'headers[0]' } }, undefined, '`headers[0]` would be captured', ['a', 'user', 'id']],
])('a map or list that means a path is refused: %j', (...[value, code, message, path]) => {
  const { problems } = parse({ a: value as Json })
  expect(problems).toMatchObject([{ ...(code && { code }), path, message: expect.stringContaining(message) }])
})

test('takes a selector as it is written, and a blank one for nothing', () => {
  expect(parse({ title: { css: 'h1' } }).captures).toMatchObject([
    { name: 'title', select: { language: 'css', expression: 'h1' } },
  ])
  expect(parse({ title: { css: ' ' } }).captures).toEqual([])
})

test('takes values by path, literals, texts and templates', () => {
  const { values, failures } = take({
    token: 'body.json.token',
    type: 'headers.Content-Type',
    count: 3,
    list: [1, 'two'],
    map: { a: 'one' },
    text: '"body.json.token"',
    raw: "'text'",
    who: '{{user}}',
    code: 'status_code',
    first: { path: 'body.list[0]', default: 'none' },
  })
  expect(failures).toEqual([])
  expect({ ...values }).toEqual({
    token: 'abc',
    type: 'application/json',
    count: 3,
    list: [1, 'two'],
    map: { a: 'one' },
    text: 'body.json.token',
    raw: 'text',
    who: 'ann',
    code: 200,
    first: 'none',
  })
})

test('a capture that finds nothing fails with its place and what was there; the others are taken', () => {
  expect(take({ a: 'body.json.tokn', b: 'body.json.token', c: '{{broken}}' })).toEqual({
    values: { __proto__: null, b: 'abc' },
    failures: [
      {
        name: 'a',
        at: [1, 1],
        gap: 'body.json.tokn',
        message:
          'The capture `a` has no value: `body.json.tokn` found nothing; `body.json` has: token, user (did you mean `token`?)',
      },
      { name: 'c', at: [1, 1], message: 'The capture `c` failed: `broken` is not defined' },
    ],
    warnings: [],
  })
})

test('null that is there is a value, nothing is not', () => {
  const body = { there: null }
  expect(
    take(
      {
        a: { path: 'body.there', default: 1 },
        b: { path: 'body.nope', default: 1 },
        c: { path: 'body.nope', optional: true },
      },
      { body },
    ).values,
  ).toEqual({ a: null, b: 1, c: null })
})

test.for<[path: string, problem: string]>([
  [
    'body.user.{id: id, name: nmae}',
    '`nmae` in `body.user.{id: id, name: nmae}` was not found; available: id, name (did you mean `name`?)',
  ],
  [
    'body.items[*].idd',
    '`idd` in `body.items[*].idd` was not found; available: id, tags (did you mean `id`?)',
  ],
  [
    '[body.user.id, body.usr]',
    '`usr` in `[body.user.id, body.usr]` was not found; available: user, items, empty, company (did you mean `user`?)',
  ],
  [
    'map(&idd, body.items)',
    '`idd` in `map(&idd, body.items)` was not found; available: id, tags (did you mean `id`?)',
  ],
  [
    'body.{a: user.id, b: company.name}',
    '`name` in `body.{a: user.id, b: company.name}` was not found; it was looked for in `null`',
  ],
])('a member that is found nowhere fails like a whole capture: %s', ([path, problem]) => {
  const body = {
    user: { id: 1, name: 'Ann' },
    items: [{ id: 1 }, { id: 2, tags: [] }],
    empty: [],
    company: null,
  }
  const { values, failures } = take({ a: path }, { body })
  expect([values, failures.map(({ message }) => message)]).toEqual([
    {},
    [`The capture \`a\` has no value: ${problem}`],
  ])
  expect(take({ a: { path, optional: true } }, { body }).failures).toEqual([])
  expect(take({ a: { path, default: 7 } }, { body }).values).toEqual({ a: 7 })
})

test.for([
  { path: 'body.totl', optional: true },
  { path: 'body.totl', default: 7 },
])('what may be missing is told where its name is misspelt: %j', (capture) => {
  const { failures, warnings } = take({ a: capture }, { body: { total: 5 } })
  expect([failures, warnings.map(({ message }) => message)]).toEqual([
    [],
    ['The capture `a` has no value: `body.totl` found nothing; `body` has: total (did you mean `total`?)'],
  ])
  expect(take({ a: { ...capture, path: 'body.note' } }, { body: { total: 5 } }).warnings).toEqual([])
})

test('what may be missing is told where a filter looks for it in vain', () => {
  const warn = (filter: string): string[] =>
    take(
      { a: { path: `body.items[?${filter}].id | [0]`, default: 7 } },
      { body: { items: [{ id: 1, name: 'Ann' }] } },
    ).warnings.map(({ message }) => message)
  expect(warn("id == '1'")).toEqual([
    "The capture `a` has no value: `body.items[?id == '1'].id | [0]` found nothing; `body.items[?id == '1'].id | [0]` compares `1` (number) with `\"1\"` (string), which are never equal",
  ])
  expect(warn("naem == 'Bob'")).toEqual([expect.stringContaining('did you mean `name`?')])
  expect(warn("name == 'Bob'")).toEqual([])
})

test('what may be missing is told where the path cannot be evaluated on what is there', () => {
  const warn = (path: string): string[] =>
    take({ a: { path, default: 0 } }, { body: { prices: ['5'], none: null, tags: [{}] } }).warnings.map(
      ({ message }) => message,
    )
  expect(warn('sum(body.prices)')).toEqual([
    expect.stringContaining('`sum(body.prices)` could not be evaluated: Invalid type: sum() expected'),
  ])
  expect(warn("body.tags[?contains(names, 'a')]")).toHaveLength(1)
  for (const path of ['sum(body.totals)', 'sum(body.none)', 'sum(body.totals[*].price)'])
    expect(warn(path)).toEqual([])
})

test.for([
  'body.items[*].tags',
  'body.empty[*].id',
  'body.{a: nick || name}',
  'body.items[?x].id',
  'not_null(body.nope, body.name)',
])('a member that may be missing does not fail: %s', (path) => {
  const body = { name: 'Ann', items: [{ id: 1 }, { id: 2, tags: [] }], empty: [] }
  const { failures, warnings } = take({ a: path }, { body })
  expect([failures, warnings]).toEqual([[], []])
})

test('a filter that compares what no element has gives a warning', () => {
  const { values, warnings } = take(
    { a: 'body.items[?pric > 5].id' },
    { body: { items: [{ id: 1, price: 7 }] } },
  )
  expect(values).toEqual({ a: [] })
  expect(warnings.map(({ message }) => message)).toEqual([
    'The capture `a`: `pric` in `body.items[?pric > 5].id` was not found; available: id, price (did you mean `price`?).',
  ])
})

test('what a filter compares is a warning where no element has it, however it is spelt', () => {
  const warnings = [
    "body.items[?state == 'x'].id",
    "body.items[?state != 'x'].id",
    'body.items[?state == null].id',
  ].map((path) => take({ a: path }, { body: { items: [{ id: 1 }] } }).warnings.map(({ message }) => message))
  const words = (path: string) => [
    `The capture \`a\`: \`state\` in \`${path}\` was not found; available: id.`,
  ]
  expect(warnings).toEqual([words("body.items[?state == 'x'].id"), words("body.items[?state != 'x'].id"), []])
})

test('a filter that looks for a variable in the elements gives a warning', () => {
  const path = 'length(body.items[?id == variables.id])'
  const { values, warnings } = take({ a: path }, { body: { items: [{ id: 1 }] } })
  expect(values).toEqual({ a: 0 })
  expect(warnings.map(({ message }) => message)).toEqual([
    `The capture \`a\`: \`variables\` in \`${path}\` was not found; available: id.`,
  ])
})

test('a member that fails a capture is not told as a warning, too', () => {
  const { failures, warnings } = take({ a: 'body.{id: id, name: nmae}' }, { body: { id: 1, name: 'x' } })
  expect([failures.length, warnings]).toEqual([1, []])
})

test('what finds nothing is null with a warning, where that is allowed', () => {
  const { values, failures, warnings } = take({ a: 'body.nope' }, {}, true)
  expect([values, failures, warnings.length]).toEqual([{ a: null }, [], 1])
})

test('invalid JSON fails the captures that read into the body', () => {
  const broken = { body: '{', bodyText: '{', bodyError: 'The body is not valid JSON' }
  const { values, failures } = take(
    { all: 'body', code: 'status_code', a: 'body.a', b: 'length(body)' },
    broken,
  )
  expect({ ...values }).toEqual({ all: '{', code: 200 })
  expect(failures.map(({ message }) => message)).toEqual([
    'The capture `a` has no value: The body is not valid JSON',
    'The capture `b` has no value: The body is not valid JSON',
  ])
})

test('a header that came once is its own first value, as in checks', () => {
  const paths = { a: 'headers.set-cookie[0]', b: 'headers.x[0]', c: 'headers.x[1]' }
  const { values, failures } = take(paths, { headers: { 'set-cookie': 'a=1', x: ['1', '2'] } })
  expect({ ...values }).toEqual({ a: 'a=1', b: '1', c: '2' })
  expect(failures).toEqual([])
  expect(take({ a: 'headers.x[1]' }, { headers: { x: '1' } }).failures).toHaveLength(1)
})

test('a body that cannot be read is told also where a value may be missing', () => {
  const why = 'The body is not valid JSON'
  const broken = { body: '{', bodyText: '{', bodyError: why, markup: () => ({ problem: 'it is no HTML' }) }
  const { values, failures, warnings } = take(
    { a: { path: 'body.a', optional: true }, b: { css: 'p', optional: true } },
    broken,
  )
  expect([{ ...values }, failures]).toEqual([{ a: null, b: null }, []])
  expect(warnings.map(({ message }) => message)).toEqual([
    `The capture \`a\` has no value: ${why}`,
    'The capture `b` has no value: it is no HTML',
  ])
  const empty = { body: '', bodyText: '', markup: broken.markup }
  expect(take({ b: { css: 'p', default: '' } }, empty).warnings).toEqual([])
})

test('captured names and values never reach a prototype', () => {
  const { values } = take(JSON.parse('{"__proto__": "body.x", "constructor": "status_code"}') as Json, {
    body: { x: { polluted: 1 } },
  })
  expect(Object.keys(values)).toEqual(['__proto__', 'constructor'])
  expect(Object.getPrototypeOf(values)).toBeNull()
  expect(values['polluted']).toBeUndefined()
})

test.for<[tree: Json, words: string]>([
  [{ a: 'body.' }, '`body.` is not a JMESPath expression: at character 6, it ends too early.'],
  [{ a: '' }, 'The capture `a` has no path.'],
  [
    { a: 'x{{b}}' },
    '`x{{b}}` is not a JMESPath expression: at character 2, `{{…}}` is not filled in inside a path.',
  ],
  [
    { a: '{{b}} and {{c}}' },
    '`{{b}} and {{c}}` is not a JMESPath expression: at character 1, `{{…}}` is not filled in inside a path.',
  ],
  [{ 'a.b': 'body' }, '`a.b` cannot be the name of a variable.'],
  [{ '': 'body' }, '`` cannot be the name of a variable.'],
  [{ a: null }, 'The capture `a` has no path.'],
  [{ a: { pth: 'body.id' } }, 'Unknown field `pth` in capture `a`.'],
])('%o is a load error', ([tree, words]) => {
  expect(parse(tree).problems[0]?.message).toBe(words)
})

test.each(['pm.response.json().id', "body.url.split('/')[2]", 'body.items.find((one) => one.id == 1).id'])(
  '%s is JavaScript and not a path',
  (path) => {
    expect(parse({ id: path }).problems.map(({ hint }) => hint)).toEqual([
      'Captures are JMESPath, such as `body.token`: write JavaScript over `body` in `{{js: …}}`.',
    ])
  },
)

test.for([{ default: 'none' }, { optional: true }, {}])(
  'an expression as a path with %o goes outside of the map',
  (more) => {
    const path = '{{js: body.match(/a(.)/)?.[1]}}'
    expect(parse({ x: { path, ...more } }).problems.map(({ hint }) => hint)).toEqual([
      "Write `x: \"{{js: … ?? 'none'}}\"`, where `?? 'none'` is the default.",
    ])
  },
)

test.for<Json>([
  {},
  ['a'],
  5,
  { a: { path: 'body', defualt: 1 } },
  { a: { default: 1 } },
  { a: { path: 5 } },
  { a: { path: ' ' } },
  { a: { path: 'body', optional: 'yes' } },
])('%o is refused by the schema', (tree) => {
  expect(v.safeParse(captureSchema, tree).success).toBe(false)
})
