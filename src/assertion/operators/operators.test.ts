import { expect, onTestFinished, test } from 'vitest'
import type { Json } from '../../json.ts'
import { evaluateChecks } from '../judge/evaluate-checks.ts'
import { check, makeResponse, makeTools, message } from '../fixtures/response.ts'
import { describeOperand } from './operator.ts'
import { setUserOperators, operatorNames, operators } from './operators.ts'
import { parseChecks } from '../fixtures/collect-problems.ts'
import { defaultLimits } from '../../limits.ts'

const values: Record<string, Json> = {
  string: 'abc',
  empty: '',
  number: 5,
  zero: 0,
  boolean: true,
  object: { a: 1 },
  array: [1, 'b'],
  null: null,
}

/** An operand for each operator, and the values on which it passes; on all others it has to fail. */
const matrix: Record<string, [operand: Json, passes: string[]]> = {
  equals: [5, ['number']],
  not_equals: [5, ['string', 'empty', 'zero', 'boolean', 'object', 'array', 'null']],
  in: [
    [5, null],
    ['number', 'null'],
  ],
  not_in: [
    [5, null],
    ['string', 'empty', 'zero', 'boolean', 'object', 'array'],
  ],
  same_items: [['b', 1], ['array']],
  same_keys: [['a'], ['object']],
  contains: ['b', ['string', 'array']],
  not_contains: ['z', ['string', 'empty', 'array']],
  pattern: ['.*', ['string', 'empty']],
  regex: ['.*', ['string', 'empty']],
  minLength: [0, ['string', 'empty', 'object', 'array']],
  maxLength: [9, ['string', 'empty', 'object', 'array']],
  length: [{ less_than: 9 }, ['string', 'empty', 'object', 'array']],
  notEmpty: [true, ['string', 'object', 'array']],
  greater_than: [-1, ['number', 'zero']],
  greater_than_or_equal: [0, ['number', 'zero']],
  less_than: [9, ['number', 'zero']],
  less_than_or_equal: [9, ['number', 'zero']],
  type: ['integer', ['number', 'zero']],
  exists: [true, Object.keys(values)],
  each: [{ exists: true }, ['array']],
  some: [{ exists: true }, ['array']],
  none: [{ equals: 'z' }, ['array']],
  not: [{ equals: 5 }, ['string', 'empty', 'zero', 'boolean', 'object', 'array', 'null']],
  any_of: [
    [{ equals: 5 }, { minLength: 3 }],
    ['string', 'number'],
  ],
  all_of: [
    [{ minLength: 1 }, { maxLength: 2 }],
    ['object', 'array'],
  ],
  starts_with: ['ab', ['string']],
  ends_with: ['bc', ['string']],
  between: [[1, 5], ['number']],
  close_to: [{ value: 4.9, delta: 0.1 }, ['number']],
  unique: [true, ['array']],
  sorted_by: ['length', []],
  is_before: ['now', ['number', 'zero']],
  is_after: ['2000-01-01', []],
  is_near: [{ to: 'now', by: '1m' }, []],
  schema: [{ type: 'number' }, []],
  snapshot: [true, []],
}

test('every operator is in the matrix', () => {
  const missing = operatorNames.filter((name) => name !== 'optional' && !(name in matrix))
  expect(missing, 'give each a row in the matrix above').toEqual([])
})

test.for(Object.keys(matrix))(
  '`%s` passes on what it works on and fails in words on everything else',
  (operator) => {
    const [operand, passes] = matrix[operator] as [Json, string[]]
    const { checks, problems } = parseChecks({ body: { v: { [operator]: operand } } }, () => [1, 1])
    expect(problems).toEqual([])
    const words = Object.entries(values).map(([name, value]): [string, string] => {
      const context = makeResponse({ body: { v: value } })
      return [name, evaluateChecks(checks, context, makeTools(context))[0]?.message ?? '']
    })
    expect(words.filter(([, text]) => text === 'OK').map(([name]) => name)).toEqual(passes)
    const failure = /^OK$|^(Expected|The) .*`body\.v`|^The snapshot was not compared/
    expect(words.filter(([, text]) => !failure.test(text))).toEqual([])
  },
)

// Operands that a template can give at run time.
const operands: Json[] = ['abc', '', 5, -1, 1.5, true, null, {}, { a: 1 }, [], [1]]

test.for(
  operatorNames.filter(
    (name) =>
      !operators[name]?.nested && !['equals', 'not_equals', 'optional', 'schema', 'snapshot'].includes(name),
  ),
)('an operand for `%s` that is known only at run time is used or refused, never ignored', (operator) => {
  const { checks, problems } = parseChecks({ body: { v: { [operator]: '{{operand}}' } } }, () => [1, 1])
  expect(problems).toEqual([])
  const unusable = operands.flatMap((operand) => {
    const refused = operators[operator]?.explainBadOperand?.(operand)
    return refused === undefined ? [] : [{ operand, refused }]
  })
  expect(unusable.length).toBeGreaterThan(2)
  for (const { operand, refused } of unusable)
    for (const value of Object.values(values)) {
      const context = makeResponse({ body: { v: value } })
      const tools = { ...makeTools(context), interpolate: (): Json => operand }
      const [result] = evaluateChecks(checks, context, tools)
      expect(result?.passed).toBe(false)
      expect(result?.message).toContain(`needs ${refused}`)
    }
})

test('`equals` ignores the order of keys but not of elements, and takes -0 for 0', () => {
  expect(message('body: {equals: {a: 1, b: [1, 2]}}', { body: { b: [1, 2], a: 1 } })).toBe('OK')
  expect(message('body: {equals: [1, 2]}', { body: [2, 1] })).toContain('2 differences')
  expect(message('body.a: 0', { body: { a: -0 } })).toBe('OK')
  expect(message('body.a: null', { body: { a: 0 } })).toMatch(/got `0`/)
  expect(message('body: {equals: [1]}', { body: { 0: 1 } })).toMatch(/^Expected/)
})

test('`equals` counts all differences and shows the first twenty', () => {
  const body = Array.from({ length: 100_000 }, (_, index) => index)
  const [result] = check('body: {equals: []}', { body })
  expect(result?.message.split('\n')).toHaveLength(22)
  expect(result?.message).toContain('100,000 differences')
  expect(result?.message).toMatch(/… and 99980 more$/)
  expect(result?.diff).toBeUndefined()
})

test('`contains` finds text, elements and parts of objects, at any depth of the part', () => {
  const body = {
    text: 'héllo',
    list: [{ id: 1, tags: ['a'] }, { id: 2 }, [3], 'c'],
    deep: { a: { b: { c: 1, d: 2 } } },
  }
  for (const yaml of [
    'text.contains: éll',
    'list.contains: {id: 2}',
    'list.contains: {tags: [a]}',
    'list.contains: [3]',
    'list.contains: [{id: 1}, {id: 2}]',
    'deep.contains: {a: {b: {c: 1}}}',
    'list.not_contains: bc',
  ])
    expect([yaml, message(`body.${yaml}`, { body })]).toEqual([yaml, 'OK'])
  for (const yaml of [
    'text.contains: 5',
    'list.contains: {id: "2"}',
    'list.contains: [{id: 1}, {id: 3}]',
    'deep.contains: {a: {b: {c: 2}}}',
    'deep.contains: {a: {b: {x: null}}}',
    'deep.contains: [1]',
    'text.not_contains: 5',
    'deep.not_contains: [1]',
    'list.not_contains: {id: 2}',
  ])
    expect([yaml, message(`body.${yaml}`, { body })]).not.toEqual([yaml, 'OK'])
})

test('`contains` names the elements and fields that are not there, and no others', () => {
  const body = { list: [1, 2, null], map: { a: 1, b: { c: [2], d: 3 }, e: 4 } }
  expect(message('body.list.contains: [1, 4, 5]', { body })).toBe(
    'Expected `body.list` to contain `4` (number), got `[1,2,null]` (array)',
  )
  expect(message('body.map.contains: {a: 1, b: {c: [3]}, x: 5}', { body })).toBe(
    `Expected \`body.map\` to contain the given object; 2 differences:
  \`body.map.b.c[0]\`: expected \`3\` (number), got \`2\` (number)
  \`body.map.x\`: expected \`5\` (number), nothing there`,
  )
  expect(message('body.list.contains: [1, null]', { body })).toBe('OK')
})

test('`unique` shows the first five equal elements', () => {
  const check = (count: number): string => message('body.unique: true', { body: Array(count + 1).fill(1) })
  expect(check(5)).toMatch(/1 at \[0\] and \[5\]$/)
  expect(check(6)).toMatch(/1 at \[0\] and \[5\] …$/)
})

test('`same_items` counts repeated items', () => {
  expect(message('body.same_items: [1, 1, 2]', { body: [2, 1, 1] })).toBe('OK')
  expect(message('body.same_items: [1, 1, 2]', { body: [1, 2, 2] })).toBe(
    'Expected `body` to have the same items in any order; missing [1]; unexpected [2] (expected 3 items, got 3)',
  )
  expect(message('body.same_items: [{a: 1, b: 2}]', { body: [{ b: 2, a: 1 }] })).toBe('OK')
  expect(message('body.same_items: ["1"]', { body: [1] })).toMatch(/missing \["1"\]; unexpected \[1\]/)
})

test('`same_keys` allows neither more nor fewer', () => {
  expect(message('body.same_keys: [b, a]', { body: { a: null, b: {} } })).toBe('OK')
  expect(message('body.same_keys: []', { body: {} })).toBe('OK')
  expect(message('body.same_keys: [a, b]', { body: { a: 1, c: 2 } })).toBe(
    'Expected `body` to have the same keys in any order; missing ["b"]; unexpected ["c"] (expected 2 keys, got 2)',
  )
  expect(message('body: { each: { same_keys: [a] } }', { body: [{ a: 1 }, { a: 1, b: 1 }] })).toMatch(
    /unexpected \["b"\]/,
  )
})

test('lengths count characters, not UTF-16 units', () => {
  expect(message('body.length: 3', { body: 'a👍b' })).toBe('OK')
  expect(message('body.length: 2', { body: '\ud83d\ud83d' })).toBe('OK')
  expect(message('body.length: {in: [1, 2], greater_than: 1}', { body: { a: 1, b: 2 } })).toBe('OK')
})

test('what a template gives where a count is expected must be one', () => {
  const variables = { three: '3', half: 3.5, below: -1, limits: { equals: 3 }, count: 3 }
  const judge = (yaml: string): string => message(yaml, { body: { list: [1, 2, 3] } }, variables)
  for (const name of ['three', 'half', 'below', 'limits'])
    for (const operand of [`{not_equals: '{{${name}}}'}`, `{not_in: [1, '{{${name}}}']}`, `'{{${name}}}'`])
      for (const yaml of [`body.list: {length: ${operand}}`, `body.list: {not: {length: ${operand}}}`])
        expect(`${yaml}: ${judge(yaml)}`).toMatch(/needs (?:a non-negative integer|a number)/)
  expect(judge("body.list: {length: {equals: '{{count}}', between: [1, '{{count}}']}}")).toBe('OK')
  expect(judge("size_bytes: {not_equals: '{{three}}'}")).toContain('needs a non-negative integer')
  expect(judge("size_bytes: {not_equals: '{{count}}'}")).toBe('OK')
})

test('`type` takes one name or several, and null without quotes', () => {
  expect(message('body.a.type: null', { body: { a: null } })).toBe('OK')
  expect(message('body.a.type: [string, null]', { body: { a: 'x' } })).toBe('OK')
  expect(check('body.a.type: [integer, null]', { body: { a: 1.5 } })[0]).toMatchObject({
    expected: 'integer or null',
    actual: 'number',
    message: 'Expected `body.a` to be of type integer or null, got `1.5` (number)',
  })
})

test('`each` reports the elements that failed, passes on an empty list and points at the failing check', () => {
  const body = { items: [{ id: 1, tags: ['a'] }, { id: 'x', tags: [] }, { tags: ['b'] }] }
  expect(
    message('body.items.each: {id: {type: integer}, tags: {each: {minLength: 1}, notEmpty: true}}', { body }),
  ).toBe(
    `Expected every element of \`body.items\` to pass; 2 of 3 did not:
  Expected \`body.items[1].id\` to be of type integer, got \`"x"\` (string)
  Expected \`body.items[1].tags\` not to be empty, got \`[]\` (array)
  nothing at \`body.items[2].id\`; \`body.items[2]\` has: tags`,
  )
  expect(message('body.items.each: {id: 1}', { body: { items: [] } })).toBe('OK')
  const { checks } = parseChecks({ body: { each: { a: 1, b: { type: 'string' } } } }, (path) => [
    path.length,
    1,
  ])
  const context = makeResponse({ body: [{ a: 1, b: 2 }] })
  expect(evaluateChecks(checks, context, makeTools(context))[0]?.at).toEqual([4, 1])
})

test('`each` over a hundred thousand failing elements stays short', () => {
  const body = Array.from({ length: 100_000 }, () => 1)
  const words = message('body.each: {type: string}', { body })
  expect(words).toContain('100000 of 100000 did not')
  expect(words.split('\n')).toHaveLength(12)
})

test.each([
  { each: { pattern: '^a+$' } },
  { not: { each: { pattern: '^a+$' } } },
  { any_of: [{ not: { each: { pattern: '^a+$' } } }] },
])('`each` ends at its limit and names the option: %j', (body) => {
  const { checks } = parseChecks({ body }, () => [1, 1])
  const context = makeResponse({ body: Array.from({ length: 200_000 }, () => 'aaaa') })
  const [row] = evaluateChecks(checks, context, {
    ...makeTools(context),
    limits: { ...defaultLimits, each: 1 },
  })
  expect(row?.message).toMatch(
    /^The `each` check of `body` took longer than 1 ms \(option `limits\.each`\): only \d+ elements were checked\./,
  )
  expect(row?.passed).toBe(false)
})

test('`each` does not try a pattern again that has reached its limit', () => {
  const { checks } = parseChecks({ body: { each: { pattern: '^(a+)+$' } } }, () => [1, 1])
  const context = makeResponse({ body: ['a', 'a', 'a'] })
  let tried = 0
  const test = (): never => {
    tried += 1
    throw new Error('It took too long')
  }
  const [row] = evaluateChecks(checks, context, { ...makeTools(context), test })
  expect([tried, row?.message]).toEqual([
    1,
    'The `pattern` check of `body[0]` could not be made: It took too long',
  ])
})

test.each([
  ['any', [null, 1, 'a', [], {}], []],
  ['text', ['', 'a'], [1, null, []]],
  ['number', [1, 0.5], ['1', null]],
  ['flag', [true, false], ['true', 0]],
  ['list', [[], [1]], ['a', {}]],
] as const)('an operand of the kind %s is %j, and not %j', (kind, good, bad) => {
  const { explainBadOperand } = describeOperand(kind)
  const explain = (value: Json): string | undefined => explainBadOperand?.(value)
  expect(good.map((value) => explain(value as Json))).toEqual(good.map(() => undefined))
  expect(bad.map((value) => explain(value as Json))).toEqual(bad.map(() => expect.any(String)))
})

test('an operand of one kind reaches an operator of your own as that kind, also for a header', () => {
  onTestFinished(() => setUserOperators({}))
  const seen: Json[] = []
  const judge = (_: Json, operand: Json) => ({ passed: seen.push(operand) > 0 })
  const kinds = { of_number: 'number', of_flag: 'flag', of_any: 'any' }
  setUserOperators(
    Object.fromEntries(
      Object.entries(kinds).map(([name, kind]) => [name, { about: '', ...describeOperand(kind), judge }]),
    ) as never,
  )
  check('headers.content-type: {of_number: 5, of_flag: true, of_any: 5}')
  expect(seen).toEqual([5, true, '5'])
})

test('a number that no double holds is not close to any', () => {
  expect(check('body.close_to: {value: 1, delta: 1}', { body: Infinity })[0]?.passed).toBe(false)
})
