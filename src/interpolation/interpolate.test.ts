import { afterAll, describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../json.ts'
import { createEngine } from './expressions/engine.ts'
import { InterpolationError } from './errors.ts'
import { loadFaker } from './faker.ts'
import { interpolate } from './interpolate.ts'
import type { Scope } from './variables/scope.ts'
import { resolveVariables } from './variables/variables.ts'

const engine = createEngine({ timeout: 20_000 })
const impatient = createEngine({ timeout: 100 })
const faker = await loadFaker(1, 1000)
afterAll(() => {
  engine.dispose()
  impatient.dispose()
})

const hostile = '{{js: 1+1}} {{name}} ${name} $& $1 $$ {{$env.SECRET}}'

const scope: Scope = {
  layers: [
    { token: 'captured', hostile },
    { row: 1 },
    {
      name: 'Ada',
      token: 'suite',
      count: 3,
      zero: 0,
      no: false,
      nothing: null,
      empty: '',
      user: { id: 7, tags: ['a', { b: 'c' }] },
      list: [{ id: 1 }, { id: 2 }],
      auth: { own: 'variable' },
    },
  ],
  exports: { auth: { token: 'exported' }, 'auth-flow': { token: 'T', user: { roles: ['admin'] } } },
  env: { HOME: '/home', SECRET: 's' },
  engine,
  faker,
}

const fill = (value: Json, more: Partial<Scope> = {}): Json => interpolate(value, { ...scope, ...more }).value
const failOn = (value: Json, more: Partial<Scope> = {}): InterpolationError => {
  try {
    interpolate(value, { ...scope, ...more })
  } catch (error) {
    if (error instanceof InterpolationError) return error
    throw error
  }
  throw new Error('It did not fail')
}

test.each<[string, Json]>([
  ['{{name}}', 'Ada'],
  ['{{ name }}', 'Ada'],
  ['{{count}}', 3],
  ['{{zero}}', 0],
  ['{{no}}', false],
  ['{{nothing}}', null],
  ['{{empty}}', ''],
  ['{{user}}', { id: 7, tags: ['a', { b: 'c' }] }],
  ['{{user.tags.1.b}}', 'c'],
  ['{{user.tags[1].b}}', 'c'],
  ['{{list.length}}', 2],
  ['{{name.length}}', 3],
  ['{{token}}', 'captured'],
  ['{{row}}', 1],
  ['{{auth.own}}', 'variable'],
  ['{{auth.token}}', 'exported'],
  ['{{auth-flow.token}}', 'T'],
  ['{{auth-flow.user.roles.0}}', 'admin'],
  ['{{variables.name}}', 'Ada'],
  ['{{variables.auth-flow.token}}', 'T'],
  ['{{count - 1}}', 2],
  ['{{js: count - 1}}', 2],
  ["{{missing || 'b'}}", 'b'],
  ["{{count > 2 ? 'many' : 'few'}}", 'many'],
  ['{{$env.HOME}}', '/home'],
  ['{{$env.PORT || 3000}}', 3000],
  ['{{count}}\n', 3],
  ['{{count}}\n\n', '3\n\n'],
  ['{{name}}\n', 'Ada\n'],
  ['{{count}}{{zero}}\n', '30\n'],
  [' {{count}}', ' 3'],
  ['{{count}}{{zero}}', '30'],
  ['[{{user}}]', '[{"id":7,"tags":["a",{"b":"c"}]}]'],
  ['[{{nothing}}{{empty}}]', '[]'],
  ['[{{no}}]', '[false]'],
  ['{{name}}}', 'Ada}'],
  ['{ {{name}} }', '{ Ada }'],
  ['{{ "{{name}}" }}', '{{name}}'],
])('%s becomes %j', (text, value) => {
  expect(interpolate(text, scope)).toEqual({ value, unresolved: [] })
})

test.each(['{{name.first}}', '{{count.length}}', '{{nothing.length}}', '{{list.size}}'])(
  '%s has no value',
  (text) => {
    const { value, unresolved } = interpolate(text, scope)
    expect([value, unresolved.length]).toEqual([text, 1])
  },
)

test('a value is filled in deep, and only where it must be', () => {
  const plain = { keep: ['me'] }
  const value = { url: '/u/{{user.id}}', plain, deep: [{ a: ['{{count}}', 1] }], '{{name}}': '{{name}}' }
  const filled = fill(value) as JsonObject
  expect(filled).toEqual({
    url: '/u/7',
    plain,
    deep: [{ a: [3, 1] }],
    '{{name}}': 'Ada',
  })
  expect(filled['plain']).toBe(plain)
  expect(Object.keys(filled)).toEqual(Object.keys(value))
})

test('a value without templates is given back as it is', () => {
  const value = { a: ['{x}', { b: 1 }], c: '}}' }
  expect(interpolate(value, scope).value).toBe(value)
  expect(interpolate('plain', scope).value).toBe('plain')
  expect(interpolate(5, scope).value).toBe(5)
})

describe('what comes from elsewhere', () => {
  test('is never evaluated, at any depth', () => {
    expect(fill('{{hostile}}')).toBe(hostile)
    expect(fill('<{{hostile}}>')).toBe(`<${hostile}>`)
    expect(fill('{{js: [hostile]}}')).toEqual([hostile])
    expect(fill('{{js: `${hostile}`}}')).toBe(hostile)
    expect(fill('{{a}}', { layers: [{ a: { b: ['{{name}}'] } }] })).toEqual({ b: ['{{name}}'] })
    expect(fill('{{$env.E}}', { env: { E: '{{name}}' } })).toBe('{{name}}')
  })

  test('cannot complete a template with its neighbours', () => {
    const parts = { layers: [{ open: '{{', name: 'name', close: '}}' }] }
    expect(fill('{{open}}{{name}}{{close}}', parts)).toBe('{{name}}')
    expect(fill('{{open}}name}}', parts)).toBe('{{name}}')
  })

  test('cannot reach a prototype by its names', () => {
    for (const name of [
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'valueOf',
      '__defineGetter__',
    ]) {
      expect(interpolate(`{{${name}}}`, scope).unresolved).toHaveLength(1)
      expect(interpolate(`{{user.${name}}}`, scope).unresolved).toHaveLength(1)
      expect(interpolate(`{{list.${name}}}`, scope).unresolved).toHaveLength(1)
      expect(interpolate(`{{auth-flow.${name}}}`, scope).unresolved).toHaveLength(1)
      expect(interpolate(`{{${name}.${name}}}`, scope).unresolved).toHaveLength(1)
      expect(interpolate(`{{$env.${name}}}`, scope).unresolved).toHaveLength(1)
      expect(fill(`{{${name} || 'none'}}`)).toBe('none')
    }
  })

  test('keeps such names as data', () => {
    const own = JSON.parse('{"__proto__": {"x": "{{name}}"}, "constructor": "{{count}}"}') as JsonObject
    const filled = fill(own) as JsonObject
    expect(JSON.stringify(filled)).toBe('{"__proto__":{"x":"Ada"},"constructor":3}')
    expect(Object.getPrototypeOf(filled)).toBe(Object.prototype)
    const layers = [JSON.parse('{"__proto__": 1, "toString": {"constructor": 2}}') as JsonObject]
    expect(fill(['{{__proto__}}', '{{toString.constructor}}', '{{js: __proto__ + 1}}'], { layers })).toEqual([
      1, 2, 2,
    ])
  })
})

describe('what is not known', () => {
  test('stays as written and is listed with its place', () => {
    const value = { a: ['x {{ nam }} {{missing.b}}', '{{user.idd}}'], b: '{{js: undefined}}' }
    expect(interpolate(value, scope)).toMatchObject({
      value,
      unresolved: [
        { path: ['a', 0], offset: 2, message: '`nam` has no value (did you mean `name`?)' },
        { path: ['a', 0], offset: 12, message: '`missing.b` has no value' },
        { path: ['a', 1], offset: 0, message: '`user.idd` has no value (did you mean `user.id`?)' },
        { path: ['b'], offset: 0, message: '`js: undefined` has no value' },
      ],
    })
  })

  test.each([
    ['{{Name}}', 'name'],
    ['{{toke}}', 'token'],
    ['{{auth-flw.token}}', 'auth-flow'],
    ['{{auth-flow.tokn}}', 'auth-flow.token'],
    ['{{auth-flow.user.rolls}}', 'auth-flow.user.roles'],
    ['{{$env.HOMEE}}', '$env.HOME'],
    ['{{js: coun}}', 'count'],
    ['{{zzzzzz}}', undefined],
    [`{{${'x'.repeat(500)}}}`, undefined],
  ])('%s suggests %s', (text, nearest) => {
    const hint = nearest === undefined ? '' : ` (did you mean \`${nearest}\`?)`
    const message = `\`${text.slice(2, -2)}\` has no value${hint}`
    expect(interpolate(text, scope).unresolved[0]?.message).toBe(message)
  })

  test('tells what there is where no key is near, but never all environment variables', () => {
    const tell = (text: string): string | undefined => interpolate(text, scope).unresolved[0]?.message
    expect(tell('{{user.zzzzzz}}')).toBe('`user.zzzzzz` has no value; `user` has: id, tags')
    expect(tell('{{name.first}}')).toBe('`name.first` has no value; `name` is a text')
    expect(tell('{{$env.ZZZZZZ}}')).toBe('`$env.ZZZZZZ` has no value')
  })

  test('includes expressions that compute with a missing name, unless they have a default', () => {
    const inner = { ...scope, exports: { login: { token: 't' } } }
    const tell = (text: string): string | undefined => interpolate(text, inner).unresolved[0]?.message
    for (const name of ['missing', '$env.MISSING', 'login.missing', 'variables.missing'])
      expect(tell(`{{js: 'a' + ${name}}}`)).toContain(
        ` has no value: \`${name.replace('variables.', '')}\` has`,
      )
    for (const known of ["missing ?? ''", 'login.token', 'typeof missing', "missing ? 'a' + missing : 1"])
      expect(tell(`{{js: 'a' + (${known})}}`)).toBeUndefined()
    const { values } = resolveVariables({ order: { id: '{{missing}}', n: 1 } }, scope)
    const layers = [values, ...scope.layers]
    expect(interpolate('{{js: [order]}}', { ...scope, layers }).unresolved).toEqual([
      expect.objectContaining({
        message: '`js: [order]` has no value: `order` has no value: `missing` has no value',
      }),
    ])
    expect(interpolate("{{js: 'a' + order.n}}", { ...scope, layers }).value).toBe('a1')
  })

  test('includes hyphens whose parts do not all exist', () => {
    expect(interpolate('{{count-x}}', scope).unresolved).toHaveLength(1)
    expect(interpolate('{{nodes-list.token}}', scope).unresolved).toHaveLength(1)
  })
})

test('generated data starts the engine only for arguments', () => {
  const sources: string[] = []
  const counting = {
    ...engine,
    evaluate(...[source, values]: Parameters<typeof engine.evaluate>) {
      sources.push(source)
      return engine.evaluate(source, values)
    },
  }
  const text = '{{$faker.string.alpha}}{{$faker.string.alpha()}}{{$faker.string.alpha(3)}}'
  expect(fill(text, { engine: counting })).toMatch(/^[A-Za-z]{5}$/)
  expect(sources).toEqual(['[3]'])
})

describe('a failure', () => {
  test('carries expression, path and offset, and says why', () => {
    const error = failOn({ body: ['ok', 'a {{ missing.x.y || 1 }}'] })
    expect(error).toMatchObject({
      path: ['body', 1],
      offset: 2,
    })
    expect(error.message).toMatch(/^The expression `missing\.x\.y \|\| 1` failed\. TypeError: .*`missing`/)
  })

  test.each([
    ['{{js: (() => { for (;;); })()}}', 'It ran longer than 100 ms (option `limits.expression`)'],
    ['{{js: () => 1}}', 'The result is a function, not data'],
    ['{{js: missing * 2}}', 'The result is NaN, not data'],
    ['{{a b}}', 'Expected `}}`'],
    ['{{$faker.internet.emial}}', 'got `$faker.internet.emial`'],
    ['{{user}'.repeat(2), 'Expected `}}`'],
  ])('%s fails with the reason: %s', (text, message) => {
    const error = failOn(text, text.includes('for (;;)') ? { engine: impatient } : {})
    expect(error.message).toContain(message)
  })

  test('says when generated data is not loaded', () => {
    const { faker: _, ...without } = scope
    expect(() => interpolate('{{$faker.internet.email}}', without)).toThrow(
      'Generated data is not loaded here',
    )
  })
})

describe('limits', () => {
  const tooLong = /^Inserting `\w+` makes the result longer than 10485760 characters/

  test('the result has at most maxLength characters', () => {
    expect(fill('{{name}}{{name}}', { maxLength: 6 })).toBe('AdaAda')
    const error = failOn(['{{name}}', '{{name}}', 'x{{name}}'], { maxLength: 8 })
    expect(error).toMatchObject({ path: [2], offset: 1 })
    expect(error.message).toBe(
      'Inserting `name` makes the result longer than 8 characters (option `limits.interpolation`)',
    )
  })

  test('inserted data counts as its JSON, shared or not', () => {
    let value: Json = 'x'
    for (let i = 0; i < 60; i += 1) value = [value, value]
    expect(failOn('{{value}}', { layers: [{ value }] }).message).toMatch(tooLong)
    expect(failOn('a{{value}}', { layers: [{ value }] }).message).toMatch(tooLong)
  })

  test('10 MB is the default', () => {
    const big = 'x'.repeat(6_000_000)
    expect(fill('{{big}}', { layers: [{ big }] })).toBe(big)
    expect(failOn('{{big}}{{big}}', { layers: [{ big }] }).message).toMatch(tooLong)
  })

  test('the nesting of what is inserted is bounded', () => {
    let deep: Json = 'x'
    for (let i = 0; i < 50_000; i += 1) deep = [deep]
    expect(failOn('{{deep}}', { layers: [{ deep }] }).message).toContain('500 levels')
    expect(failOn('a {{deep}}', { layers: [{ deep }] }).message).toContain('500 levels')
  })
})

test('data used in many places is searched once', () => {
  let shared: Json = ['plain']
  for (let i = 0; i < 100; i += 1) shared = [shared, shared]
  const value = [shared, '{{name}}']
  expect((fill(value) as Json[])[0]).toBe(shared)
})

test('an integer that a number cannot hold stays what it is, and is its digits in a text', () => {
  const big = 9007199254740993n
  const at = { ...scope, layers: [{ big, list: [big, { id: -big, text: 'n1' }] } as unknown as JsonObject] }
  const { value } = interpolate(
    { id: '{{big}}', sum: '{{js: big + 1n}}', path: '/{{big}}', list: '{{list}}', text: 'x {{list}}' },
    at,
  )
  expect(value).toEqual({
    id: big,
    sum: big + 1n,
    path: '/9007199254740993',
    list: [big, { id: -big, text: 'n1' }],
    text: 'x [9007199254740993,{"id":-9007199254740993,"text":"n1"}]',
  })
})

test('locals win over variables', () => {
  const more = { locals: { name: 'local', body: { a: 1 } } }
  expect(fill(['{{name}}', '{{body.a}}', '{{js: name + body.a}}', '{{variables.name}}'], more)).toEqual([
    'local',
    1,
    'local1',
    'Ada',
  ])
})
