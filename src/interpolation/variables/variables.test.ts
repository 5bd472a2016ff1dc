import { afterAll, describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../json.ts'
import { createEngine } from '../expressions/engine.ts'
import { loadFaker } from '../faker.ts'
import { interpolate } from '../interpolate.ts'
import type { Scope } from './scope.ts'
import { resolveVariables } from './variables.ts'

// More than a busy machine may need: only the limits of size are tested.
const engine = createEngine({ timeout: 60_000 })
const scope: Scope = {
  layers: [],
  exports: { node: { x: 'X' } },
  env: { E: '{{a}}' },
  engine,
  faker: await loadFaker(3, 1000),
}
afterAll(() => engine.dispose())

const resolve = (variables: JsonObject, more: Partial<Scope> = {}) =>
  resolveVariables(variables, { ...scope, ...more })

test.each<[string, JsonObject, JsonObject]>([
  ['in any order', { a: '{{b}}/x', b: 'h-{{c}}', c: 1 }, { a: 'h-1/x', b: 'h-1', c: 1 }],
  ['nested', { api: { host: 'h', url: 'http://{{api.host}}' } }, { api: { host: 'h', url: 'http://h' } }],
  [
    'in expressions',
    { api: { host: 'h', url: "{{js: api.host + '/' + variables.v}}" }, v: '{{w}}', w: 2 },
    { api: { host: 'h', url: 'h/2' }, v: 2, w: 2 },
  ],
  [
    'in methods',
    { list: ['{{x}}', 'b'], text: "{{list.join('-')}}", x: 'a' },
    { list: ['a', 'b'], text: 'a-b', x: 'a' },
  ],
  [
    'whole objects',
    { copy: '{{of}}', of: { a: '{{x}}' }, x: [1] },
    { copy: { a: [1] }, of: { a: [1] }, x: [1] },
  ],
  [
    'whole objects in expressions',
    { n: '{{Object.values(of)}}', of: { a: '{{x}}', b: 2 }, x: 1 },
    { n: [1, 2], of: { a: 1, b: 2 }, x: 1 },
  ],
  ['in lists', { list: ['{{list.1}}', 'b', '{{list.0}}'] }, { list: ['b', 'b', 'b'] }],
  ['of other suites', { a: '{{node.x}}' }, { a: 'X' }],
  ['with hyphens', { 'a-b': 1, c: '{{a-b}}', n: 3, d: '{{n - 1}}' }, { 'a-b': 1, c: 1, n: 3, d: 2 }],
])('variables refer to each other %s', (_, variables, values) => {
  expect(resolve(variables)).toEqual({ values, problems: [] })
})

test('nothing to fill in gives the same object back', () => {
  const variables = { a: { b: [1, 'x'] } }
  expect(resolve(variables).values).toBe(variables)
})

test('the original stays as it was', () => {
  const variables = { a: { b: '{{c}}' }, c: 1 }
  resolve(variables)
  expect(variables).toEqual({ a: { b: '{{c}}' }, c: 1 })
})

test('values from elsewhere are not templates', () => {
  const { values, problems } = resolve(
    { a: '{{$env.E}}', b: '{{a}}!', c: '{{outer}}' },
    { layers: [{ outer: '{{a}}' }] },
  )
  expect(values).toEqual({ a: '{{a}}', b: '{{a}}!', c: '{{a}}' })
  expect(problems).toEqual([])
})

test.each(['{{$env.E}}', '{{js: $env.E}}', '{{ $env.E || 1 }}'])(
  'a variable may have the name of the environment variable that it reads: %s',
  (text) => {
    expect(resolve({ E: text })).toEqual({ values: { E: '{{a}}' }, problems: [] })
  },
)

test('names like __proto__ are ordinary', () => {
  const variables = JSON.parse(
    '{"__proto__": "{{constructor}}", "constructor": {"toString": "{{x}}"}, "x": 1}',
  ) as JsonObject
  const { values } = resolve(variables)
  expect(JSON.stringify(values)).toBe('{"__proto__":{"toString":1},"constructor":{"toString":1},"x":1}')
})

describe('a cycle', () => {
  test.each<[JsonObject, string[]]>([
    [{ a: '{{a}}' }, ['a → a']],
    [{ a: '{{b}}', b: 'x{{c}}', c: '{{js: a + 1}}' }, ['a → b → c → a']],
    [{ a: { x: '{{a}}' } }, ['a.x → a.x']],
    [{ a: '{{js: Object.keys(variables)}}' }, ['a → a']],
    [{ a: '{{b}}', b: '{{a}}', c: '{{d}}', d: '{{c}}' }, ['a → b → a', 'c → d → c']],
    [{ a: '{{a}}-{{b}}', b: '{{a}}' }, ['a → a', 'a → b → a']],
  ])('%j is named', (variables, cycles) => {
    const { values, problems } = resolve(variables)
    expect(values).toEqual(variables)
    expect(problems.map(({ code, message }) => [code, message])).toEqual(
      cycles.map((cycle) => ['cycle', `These variables form a cycle: ${cycle}`]),
    )
  })

  test('says where it is', () => {
    expect(resolve({ a: { b: 'x {{ a.b }}' } }).problems[0]).toMatchObject({ path: ['a', 'b'] })
  })

  test('does not stop the others', () => {
    expect(resolve({ a: '{{a}}', b: '{{c}}', c: 1 }).values).toEqual({ a: '{{a}}', b: 1, c: 1 })
  })

  test('of 900 variables is found and shown short', () => {
    const variables = Object.fromEntries(
      Array.from({ length: 900 }, (_, i) => [`v${i}`, `{{v${(i + 1) % 900}}}`]),
    )
    const { problems } = resolve(variables)
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toMatch(/v0 → v1 → v2 → v3 → v4 → v5 → … → v895.* → v899 → v0$/)
  })
})

test.each([
  [1000, []],
  [1001, ['Expected a chain of at most 1000 variables that read one another, got more at `v1000`']],
])('a chain of %i variables', (length, told) => {
  const variables = Object.fromEntries(
    Array.from({ length }, (_, i) => [`v${i}`, i === length - 1 ? '{{js: 1}}' : `{{v${i + 1}}}`]),
  )
  const { values, problems } = resolve(variables)
  expect(problems.map(({ message }) => message)).toEqual(told)
  expect(values['v0']).toBe(length > 1000 ? '{{v1}}' : 1)
})

test('1500 variables that one needs, and that do not need one another, are no chain', () => {
  const { values, problems } = resolve({ all: '{{list}}', list: Array(1500).fill('{{x}}'), x: 1 })
  expect(problems).toEqual([])
  expect(values['all']).toEqual(Array(1500).fill(1))
})

test('what needs a failed variable is not told as well, even if it has another problem', () => {
  const { problems } = resolve({ list: ['{{nope}}', '{{js: null.x}}'], a: '{{list}}', b: '{{a}} {{none}}' })
  expect(problems.map(({ code, path }) => [code, path.join('.')])).toEqual([
    ['unresolved', 'list.0'],
    ['failed', 'list.1'],
  ])
})

test.each<[string, (previous: string) => Json]>([
  ['texts', (previous) => `{{${previous}}}{{${previous}}}`],
  ['lists', (previous) => [`{{${previous}}}`, `{{${previous}}}`]],
  ['expressions', (previous) => `{{js: [${previous}, ${previous}]}}`],
])('exploding %s end with an error that names the variable', (_, double) => {
  const variables: JsonObject = { v0: 'x'.repeat(100_000) }
  for (let i = 1; i < 100; i += 1) variables[`v${i}`] = double(`v${i - 1}`)
  const { problems } = resolve(variables)
  expect(problems[0]).toMatchObject({ code: 'failed' })
  expect(problems[0]?.message).toMatch(/^(?:`v\d+\.0`: )?Inserting `.*v\d+.*10485760/)
})

test('a layer above wins, a layer below gives way', () => {
  const variables = { a: '{{row}} {{plugin}} {{b}}', b: 'suite' }
  const layers = [{ row: 1, b: 'row' }, variables, { plugin: 2, b: 'plugin' }]
  expect(resolve(variables, { layers }).values).toEqual({ a: '1 2 row', b: 'suite' })
  const same = { id: '{{id}}' }
  expect(resolve(same, { layers: [{ id: 5 }, same] })).toEqual({ values: { id: 5 }, problems: [] })
})

test('problems say what is wrong and where', () => {
  const { values, problems } = resolve({
    a: 'x {{mising}}',
    missing: 1,
    b: { c: ['{{js: null.x}}'] },
    d: '{{',
    e: '{{b.c.0}}',
  })
  expect(values).toEqual({
    missing: 1,
    b: { c: ['{{js: null.x}}'] },
    d: '{{',
    e: '{{b.c.0}}',
  })
  expect(problems).toMatchObject([
    { code: 'failed', path: ['d'], message: expect.stringContaining('Expected an expression') },
    {
      code: 'unresolved',
      path: ['a'],
      message: '`mising` has no value (did you mean `missing`?)',
    },
    {
      code: 'failed',
      path: ['b', 'c', 0],
      message: expect.stringContaining('`b.c.0`: The expression `js: null.x` failed'),
    },
  ])
})

test('what is settled stays, what waits for a capture is tried again', () => {
  const variables = { id: '{{$faker.string.uuid}}', header: 'Bearer {{token}}', twice: '{{header}} {{id}}' }
  const first = resolve(variables)
  expect(first.values['header']).toBeUndefined()
  expect(first.problems).toMatchObject([
    { code: 'unresolved', path: ['header'] },
    { code: 'unresolved', path: ['twice'], message: '`token` has no value' },
  ])
  const second = resolveVariables(variables, { ...scope, layers: [{ token: 'T{{id}}' }, variables] }, first)
  expect(second.problems).toEqual([])
  expect(second.values).toEqual({
    id: first.values['id'],
    header: 'Bearer T{{id}}',
    twice: `Bearer T{{id}} ${first.values['id'] as string}`,
  })
})

test('what is settled stays however often the others are tried again', () => {
  const variables = { id: '{{$faker.string.uuid}}', one: '{{first}}', two: '{{second}}' }
  const start = resolve(variables)
  const between = resolveVariables(variables, { ...scope, layers: [{ first: 1 }, variables] }, start)
  const layers = [{ first: 2, second: 2 }, variables]
  const { values } = resolveVariables(variables, { ...scope, layers }, between)
  expect(values).toEqual({ id: start.values['id'], one: 1, two: 2 })
})

test('what a sandbox has seen half filled in is read whole later', () => {
  const variables = { api: { host: 'h', url: "{{js: api.host + '/x'}}", last: "{{js: api.url + '/y'}}" } }
  const { values } = resolve(variables)
  const read = (source: string) => engine.evaluate(source, { ...scope, layers: [values] })
  expect(read('[api.url, api.last]')).toEqual(['h/x', 'h/x/y'])
})

test('what needs a waiting variable is tried again too, though it has a value meanwhile', () => {
  const variables = { id: '{{token}}', also: "{{js: id ?? 'none'}}" }
  const first = resolve(variables)
  expect(first.values).toEqual({ also: 'none' })
  const { values } = resolveVariables(variables, { ...scope, layers: [{ token: 'T' }, variables] }, first)
  expect(values).toEqual({ id: 'T', also: 'T' })
})

test('what waits for a capture is not the export of a node that has its name', () => {
  const variables = { node: '{{token}}', twice: '{{node}}', also: "{{js: node ?? 'none'}}" }
  const { values, problems } = resolve(variables)
  expect(values).toEqual({ also: 'none' })
  expect(problems.map(({ path, message }) => [path, message])).toEqual([
    [['node'], '`token` has no value'],
    [['twice'], '`token` has no value'],
  ])
})

test.each<[JsonObject, string]>([
  [{ order: { id: '{{token}}', n: 1 } }, '{{variables.order}}'],
  [{ order: { id: '{{js: order.n + token}}', n: 1 } }, '{{order}}'],
])('an object of which a part waits for a capture has no value: %j in %s', (variables, text) => {
  const { values } = resolve(variables, { isAwaited: (name: string) => name === 'token' } as Partial<Scope>)
  const { value, unresolved } = interpolate(text, { ...scope, layers: [values] })
  expect(value).toBe(text)
  expect(unresolved).toMatchObject([{ cause: '`token` has no value' }])
})

test('an expression with a default does not wait for a capture, also where the default is a variable', () => {
  const variables = { user: 'Ann', name: '{{js: token ?? user}}' }
  const { values } = resolve(variables, { isAwaited: (name: string) => name === 'token' } as Partial<Scope>)
  expect(values).toEqual({ user: 'Ann', name: 'Ann' })
})

test('an engine may freeze all that it is given', () => {
  const freeze = (value: unknown): void => {
    if (typeof value === 'object' && value !== null)
      for (const part of Object.values(Object.freeze(value))) freeze(part)
  }
  const freezing: Scope['engine'] = {
    ...engine,
    evaluate(_source, { layers }) {
      for (const value of layers.flatMap((layer) => Object.values(layer))) freeze(value)
      return 1
    },
  }
  const variables = { a: '{{js: f()}}', deep: { list: ['{{js: f()}}', '{{a}}'] } }
  expect(resolve(variables, { engine: freezing }).values).toEqual({ a: 1, deep: { list: [1, 1] } })
})

test('ten thousand expressions in one variable are filled in at once', () => {
  const map = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, '{{js: base + 1}}']))
  const { values } = resolve({ base: 1, map, first: '{{js: map.k0 + 1}}' })
  expect(values).toMatchObject({ map: { k0: 2, k9999: 2 }, first: 3 })
})

test('data used in many places is searched once', () => {
  let shared: Json = ['plain']
  for (let i = 0; i < 100; i += 1) shared = [shared, shared]
  expect(resolve({ shared, a: '{{b}}', b: 1 }).values).toMatchObject({ a: 1 })
})
