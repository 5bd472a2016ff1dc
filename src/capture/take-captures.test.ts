import { expect, test } from 'vitest'
import { makeDeep, makeResponse } from '../assertion/fixtures/response.ts'
import type { Json, JsonObject } from '../json.ts'
import { compilePath } from '../path/compile-path.ts'
import { evaluatePath, preparePathData } from './take-captures.ts'

function evaluate(source: string, body: Json): Json | string {
  const compiled = compilePath(source)
  if ('message' in compiled) throw new Error(compiled.message)
  const result = evaluatePath(compiled, preparePathData(makeResponse({ body })))
  return result.found ? result.value : result.message
}

const body = {
  items: [
    { id: 10, name: 'ten', active: true },
    { id: 9, name: 'nine', active: false },
    { id: 1, name: 'one', active: true },
  ],
  numbers: [10, 9, 1],
  text: '  padded ',
  nothing: null,
  dots: { 'a.b': { c: 1 } },
}

test.for<[source: string, value: Json]>([
  ['body.items[?id == 9].name | [0]', 'nine'],
  ['body.items[?active == true].id', [10, 1]],
  ['body.items[?id > 5 && active].name', ['ten']],
  ['body.items[?price == null].id', [10, 9, 1]],
  ['body.items[-1].name', 'one'],
  ['!body.items[0].* && true', false],
  ['!body.nothing.* && true', true],
  ['!body.items[].name', false],
  ['!!body.items[0].name', true],
  ['!headers.Content-Type', false],
  ['!body.nothing | type(@)', 'boolean'],
  ['body.items[0:2].id', [10, 9]],
  [
    'body.items[*].{n: name, t: true, "true": `1`}',
    [
      { n: 'ten', t: true, true: 1 },
      { n: 'nine', t: true, true: 1 },
      { n: 'one', t: true, true: 1 },
    ],
  ],
  ['sort(body.numbers)', [1, 9, 10]],
  ['max(body.numbers)', 10],
  ['min(body.numbers)', 1],
  ['sort_by(body.items, &name)[*].id', [9, 1, 10]],
  ['max_by(body.items, &name).id', 10],
  ['min_by(body.items, &id).name', 'one'],
  ['map(&id, body.items)', [10, 9, 1]],
  ['group_by(body.items, &name).ten[0].id', 10],
  ["group_by([{t: 'constructor'}, {t: '__proto__'}], &t) | keys(@)", ['constructor', '__proto__']],
  ['reverse(body.numbers)', [1, 9, 10]],
  ["reverse('a👍b')", 'b👍a'],
  ['contains(body.items, body.items[1])', true],
  [
    '[!body.items[0].active, !body.nope.x, !!body.text, !contains(body.text, `"z"`) && !body.items[?id == 7].name]',
    [false, true, true, true],
  ],
  ['length(body.text)', 9],
  ['trim(body.text)', 'padded'],
  ["trim_left('xxaxx', 'x')", 'axx'],
  ["trim_right('xxaxx', 'x')", 'xxa'],
  ["replace('aaa', 'a', 'b', `2`)", 'bba'],
  ["pad_left('7', `3`, '0')", '007'],
  ["join(', ', body.items[*].name)", 'ten, nine, one'],
  ['merge(body.items[0], {id: 3}).id', 3],
  ["from_items([['a', 1], ['b', 2]])", { a: 1, b: 2 }],
  ['to_string(body.numbers)', '[10,9,1]'],
  ["body.missing || 'fallback'", 'fallback'],
  ["'it\\'s'", "it's"],
  ['`"a\\`b\\`c"`', 'a`b`c'],
  ['5 - 3', 2],
  ['body.numbers[?@ > -1 && @ != 9]', [10, 1]],
  ['[1, -2.5, 3]', [1, -2.5, 3]],
  ["status_code == 200 ? 'ok' : 'bad'", 'ok'],
  ['headers.Content-Type', 'application/json'],
  ['request.headers.x-auth', 'jwt'],
  ['body.nothing', null],
])('%s', ([source, value]) => {
  const result = evaluate(source, body)
  expect(JSON.parse(JSON.stringify(result))).toEqual(value)
})

test.for<[source: string, words: string]>([
  [
    'body.itms',
    '`body.itms` found nothing; `body` has: items, numbers, text, nothing, dots (did you mean `items`?)',
  ],
  ['body.items[7].id', '`body.items[7].id` found nothing; `body.items` is an array of 3 elements'],
  ['body.items.id', '`body.items.id` found nothing; `body.items` is an array of 3 elements'],
  [
    'body.dots.a.b.c',
    '`body.dots.a.b.c` found nothing; `body.dots` has: a.b; for a name with a dot, write `body.dots."a.b".c`',
  ],
  ['body.text.x', '`body.text.x` found nothing; `body.text` is `"  padded "` (string)'],
  ['body.nothing.x', '`body.nothing.x` found nothing; `body.nothing` is `null`'],
  [
    'items',
    '`items` found nothing; the response has: status_code, headers, cookies, body, response_time_ms, duration_ms, size_bytes, request; did you mean `body.items`?',
  ],
  [
    'headrs',
    '`headrs` found nothing; the response has: status_code, headers, cookies, body, response_time_ms, duration_ms, size_bytes, request (did you mean `headers`?)',
  ],
  [
    'body.items.length',
    '`body.items.length` found nothing; `body.items` is an array of 3 elements: write `length(…)`',
  ],
  ['headers.X-Nope', '`headers.X-Nope` found nothing; `headers` has: content-type'],
  ['body.items[?id == 7] | [0]', '`body.items[?id == 7] | [0]` found nothing'],
  [
    'length(body.itms)',
    '`length(body.itms)` could not be evaluated: Invalid type: length() expected argument 1 to be type (string | array | object) but received type null instead; `body` has: items, numbers, text, nothing, dots (did you mean `items`?)',
  ],
  [
    'sort(body.items)',
    '`sort(body.items)` could not be evaluated: Invalid type: sort() expected argument 1 to be type (Array<string> | Array<number>) but received type array instead',
  ],
  [
    'sum([`1`, `9007199254740993`])',
    '“sum([`1`, `9007199254740993`])” could not be evaluated: JMESPath can calculate only with numbers, and only up to 2⁵³; use `{{js: …}}`',
  ],
  [
    "'5' + `1`",
    "“'5' + `1`” could not be evaluated: JMESPath can calculate only with numbers, and only up to 2⁵³; use `{{js: …}}`",
  ],
  ['`5` / `0`', '“`5` / `0`” could not be evaluated: not-a-number: divide by zero'],
  [
    'sort_by(body.items, &active)',
    '`sort_by(body.items, &active)` could not be evaluated: only numbers or only strings can be sorted, got `true` (boolean)',
  ],
])('%s says what is there instead', ([source, words]) => {
  expect(evaluate(source, body)).toBe(words)
})

test('a name that is not in the response is not looked for in a body that is a list', () => {
  expect(evaluate('length', [1])).toMatch(/^`length` found nothing; the response has: [\w, ]+$/)
})

test('names of the object prototype are found only when they are data', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'length']) {
    expect(evaluate(`body.${name}`, {})).toMatch(/found nothing/)
    expect(evaluate(`[body.${name}] | [0]`, {})).toMatch(/found nothing/)
    expect(evaluate(`body.list[*].${name}`, { list: [{}] })).toEqual([])
    const own = JSON.parse(`{"${name}": "own"}`) as Json
    expect(evaluate(`body.${name}`, own)).toBe('own')
    expect(evaluate(`[body.${name}] | [0]`, own)).toBe('own')
  }
  const merged = evaluate('merge(body, {a: `1`})', JSON.parse('{"__proto__": 1}') as Json) as JsonObject
  expect(Object.keys(merged)).toEqual(['__proto__', 'a'])
  const made = evaluate('{__proto__: body.a}', { a: { polluted: 1 } }) as JsonObject
  expect(Object.keys(made)).toEqual(['__proto__'])
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

test('an answer cannot pass for an expression', () => {
  const evil = { expref: true, type: 'Field', name: 'secret' }
  expect(evaluate('type(body)', evil)).toBe('object')
  expect(evaluate('map(body, [body])', evil)).toMatch(/could not be evaluated: Invalid type/)
})

test('hostile answers neither hang nor overflow', () => {
  expect(
    evaluate(
      'max(body)',
      Array.from({ length: 500_000 }, (_, index) => index),
    ),
  ).toBe(499_999)
  expect(evaluate('trim(body)', ` ${'x '.repeat(100_000)}`)).toHaveLength(199_999)
  expect(evaluate("trim_right(body, 'x')", 'xy'.repeat(100_000))).toHaveLength(200_000)
  expect(evaluate('body.a == body.b', { a: makeDeep(50_000), b: makeDeep(50_000) })).toMatch(
    /too large or too deep/,
  )
  expect(evaluate("pad_left('a', 1000000000)", null)).toMatch(/too large or too deep/)
  expect(evaluate("replace(body, 'a', body)", 'a'.repeat(100_000))).toMatch(/too large or too deep/)
  const list = Array.from({ length: 20_000 }, (_, index) => index)
  expect(evaluate('body[?contains($.body, @ + 0.5)]', list)).toMatch(
    /took longer than 1000 ms \(option `limits\.expression`\)/,
  )
})
