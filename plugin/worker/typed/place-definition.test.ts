import { describe, expect, test } from 'vitest'
import type { JsonObject, ValuePath } from '../../../src/json.ts'
import { findNode } from '../../../src/suite/source-tree.ts'
import { placeDefinition } from './place-definition.ts'

/** The texts at the places of the parts of a definition. The definition is passed in the last `here(` of the text. */
async function placed(
  text: string,
  value: JsonObject,
  path = 'x.test.ts',
): Promise<(path: ValuePath) => string> {
  const file = { path, text, nodeIds: new Set<string>() }
  const call = { file, offset: text.lastIndexOf('here'), direct: true }
  const tree = await placeDefinition(value, { call, stepCalls: new Map() })
  return (at) => {
    const [start, end] = findNode(tree, at).range
    return text.slice(start, end)
  }
}

describe('what is spelled out is where it is written', () => {
  test('nested keys, in whatever order and quotes', async () => {
    const at = await placed(
      `here({ steps: [{ 'request': { "url": '/a', ['method']: 'GET' }, name: 'one' }], suite_name: 'S' })`,
      { suite_name: 'S', steps: [{ name: 'one', request: { method: 'GET', url: '/a' } }] },
    )
    expect(at(['suite_name'])).toBe(`'S'`)
    expect(at(['steps', 0, 'name'])).toBe(`'one'`)
    expect(at(['steps', 0, 'request', 'url'])).toBe(`'/a'`)
    expect(at(['steps', 0, 'request', 'method'])).toBe(`'GET'`)
  })

  test('not in comments, texts and templates that look alike', async () => {
    const at = await placed(
      "here({ /* name: 'no' */ a: \"name: 'no'\", // name: 'no'\n b: `name: ${{ name: 'no' }}`, c: /name: 'no'/, name: 'yes' })",
      { a: '', b: '', c: '', name: 'yes' },
    )
    expect(at(['name'])).toBe(`'yes'`)
  })

  test('in the right one of several calls, nested ones included', async () => {
    const text = `other({ name: 'first' }); describe('x', () => { here({ name: 'second' }) }); other({ name: 'third' })`
    expect((await placed(text, { name: 'second' }))(['name'])).toBe(`'second'`)
  })

  test('keys like __proto__ and constructor', async () => {
    const value = JSON.parse('{"a": {"__proto__": 1, "constructor": 2}}') as JsonObject
    const at = await placed(`here({ a: { ['__proto__']: 1, constructor: 2 } })`, value)
    expect(at(['a', '__proto__'])).toBe('1')
    expect(at(['a', 'constructor'])).toBe('2')
    expect((await placed('here({ a: {} })', { a: {} }))(['a', 'toString'])).toBe('{}')
  })

  test('in TypeScript with types around values', async () => {
    const text = `enum E { A }\nabstract class C<T> { constructor(private readonly x: T) {} }
      const one = { name: 'one', n: 1 as const } satisfies Partial<{ name: string }>
      here<{ a: string }>({ steps: [one, <Step>{ name: 'two' }, ({ name: 'three' } as Step)!] } as Suite)`
    const at = await placed(text, { steps: [{ name: 'one' }, { name: 'two' }, { name: 'three' }] })
    expect([0, 1, 2].map((index) => at(['steps', index, 'name']))).toEqual([`'one'`, `'two'`, `'three'`])
  })

  test('in a file with JSX', async () => {
    const text = `const view = <p title="x">{'y'}</p>\nhere({ name: 'one' })`
    expect((await placed(text, { name: 'one' }, 'x.test.tsx'))(['name'])).toBe(`'one'`)
  })
})

describe('what is put together is followed as far as the file tells', () => {
  test('lists with spreads: elements behind them are counted from the end', async () => {
    const text = `here({ steps: [{ name: 'a' }, ...two, ...make(2), { name: 'z' }] })`
    const at = await placed(text, { steps: 'abcxyz'.split('').map((name) => ({ name })) })
    expect([0, 1, 4, 5].map((index) => at(['steps', index, 'name']))).toEqual([
      `'a'`,
      '...two',
      '...two',
      `'z'`,
    ])
  })

  test('between two spreads: elements that spell out their name, and those behind them', async () => {
    const text = `const b = { name: 'b' } as Step\nhere({ steps: [...two, { name: 'a' }, b, make('c'), ...none, ...two, { name: 'd' }, ...two] })`
    const steps = 'xyabcpqdrs'.split('').map((name) => ({ name }))
    const at = await placed(text, { steps })
    expect(steps.map((_, index) => at(['steps', index, 'name']))).toEqual([
      '...two',
      '...two',
      `'a'`,
      `'b'`,
      `make('c')`,
      '...none',
      '...none',
      `'d'`,
      '...two',
      '...two',
    ])
  })

  test('a part made by a function is at its call, a spread member at what holds it', async () => {
    const text = `here({ steps: [login('ada'), { ...login('bob'), name: 'own' }, imported] })`
    const step = { name: '', assert: { status_code: 1 } }
    const at = await placed(text, { steps: [step, step, step] })
    expect(at(['steps', 0, 'assert', 'status_code'])).toBe(`login('ada')`)
    expect(at(['steps', 1, 'assert', 'status_code'])).toBe(`{ ...login('bob'), name: 'own' }`)
    expect(at(['steps', 1, 'name'])).toBe(`'own'`)
    expect(at(['steps', 2, 'name'])).toBe('imported')
  })

  test('a name is that of a constant of the module, and one that means itself is not followed', async () => {
    const twice = `function f() { const s = { name: 'no' } }\nexport const s = { name: 'yes' }\nhere({ steps: [s] })`
    expect((await placed(twice, { steps: [{ name: '' }] }))(['steps', 0, 'name'])).toBe(`'yes'`)
    const cycle = 'const a = b; const b = a; here(a)'
    expect((await placed(cycle, { name: '' }))(['name'])).toBe('a')
    const self = 'const a = { ...a, list: [...a.list] }; here({ ...a })'
    expect((await placed(self, { name: '' }))(['name'])).toMatch(/a/)
  })
})

describe('what cannot be read is placed at the call', () => {
  test('syntax that the parser does not know', async () => {
    const text = `const x = @@@;\nhere({ name: 'one' })`
    expect((await placed(text, { name: 'one' }))(['name'])).toBe('h')
  })

  test('nesting of thousands of levels', async () => {
    const text = `const deep = ${'['.repeat(20_000)}${']'.repeat(20_000)}\nhere({ name: 'one' })`
    expect((await placed(text, { name: 'one' }))(['name'])).toMatch(/^h$|'one'/)
  })

  test('a definition in another file', async () => {
    const text = `here({ name: 'an argument of something else' })`
    const file = { path: 'x.test.ts', text, nodeIds: new Set<string>() }
    const call = { file, offset: 0, direct: false }
    expect(await placeDefinition({ name: 'one' }, { call, stepCalls: new Map() })).toEqual({ range: [0, 1] })
  })
})
