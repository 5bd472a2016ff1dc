import { afterAll, describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../json.ts'
import { createEngine } from './engine.ts'
import { EngineError, InterpolationError, TemplateError } from './errors.ts'
import { createPlainValues } from './expression-values.ts'
import { interpolate } from './interpolate.ts'
import { parseExpression } from './syntax/expression.ts'
import { parseTemplate } from './template.ts'
import { resolveVariables } from './variables.ts'

const engine = await createEngine({ timeout: 100 })
afterAll(() => engine.dispose())

/** Numbers from 0 to below 1 that depend on the seed alone (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const createPick =
  (random: () => number) =>
  <Item>(items: readonly Item[]): Item =>
    items[Math.floor(random() * items.length)] as Item

const names = [
  'a',
  'b',
  '__proto__',
  'constructor',
  'toString',
  'x-y',
  'list',
  '0',
  '$env',
  '$faker',
  'variables',
]
const scraps = [
  ...names,
  '{{',
  '}}',
  '{',
  '}',
  ' ',
  '.',
  '[',
  ']',
  '(',
  ')',
  "'",
  '"',
  '`',
  '${',
  '\\',
  '/',
  '//',
  '/*',
  '*/',
  '\n',
  'js:',
  '$js.',
  '|| 1',
  '? 1 : 2',
  '=>',
  'import("fs")',
  'async',
  '\u2028',
  '\u{1f600}',
  '\ud800',
  '$&',
  '<!--',
  '-->',
  '1',
  ',',
  ':',
  ';',
]
const scope = {
  layers: [
    JSON.parse(
      '{"a":1,"b":{"a":[null,{"b":"{{a}}"}]},"__proto__":{"a":2},"list":[1,"{{js: 1}}"],"x-y":"$&"}',
    ) as JsonObject,
  ],
  exports: { 'x-y': { a: 'e' } },
  env: { a: '{{a}}' },
  engine,
}

describe.each([1, 2, 3])('with seed %d', (seed) => {
  test('any text is refused with a place in it, or filled in', () => {
    const random = createRandom(seed)
    const pick = createPick(random)
    const outcomes = { filled: 0, refused: 0 }
    for (let i = 0; i < 4000; i += 1) {
      const text = `{{${Array.from({ length: 1 + random() * 8 }, () => pick(scraps)).join('')}${pick(['}}', '', '}} {{a}}'])}`
      const refused = fillOrRefuse(text)
      outcomes[refused ? 'refused' : 'filled'] += 1
      const ranges = refused
        ? [[0, text.length] as const]
        : parseTemplate(text).parts.map(({ range }) => range)
      expect(ranges.map((range) => text.slice(...range)).join('')).toBe(text)
      expect(refused?.path ?? ['k']).toEqual(['k'])
      expect(text.length - (refused?.offset ?? 0)).toBeGreaterThanOrEqual(0)
    }
    expect(outcomes.filled).toBeGreaterThan(100)
    expect(outcomes.refused).toBeGreaterThan(100)
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test('data is inserted as it is, whatever it says', () => {
    const random = createRandom(seed)
    const pick = createPick(random)
    for (let i = 0; i < 2000; i += 1) {
      const data = Array.from({ length: 1 + random() * 6 }, () => pick(scraps)).join('')
      const at = { ...scope, layers: [{ data, nested: [{ data }] }] }
      expect(interpolate('{{data}}', at).value).toBe(data)
      expect(interpolate('<{{ data }}|{{nested[0].data}}>', at).value).toBe(`<${data}|${data}>`)
      expect(interpolate('{{js: nested}}', at).value).toEqual([{ data }])
      expect(resolveVariables({ v: '{{data}}', w: '{{v}}' }, at).values).toEqual({ v: data, w: data })
    }
  })

  test('variables that refer to each other at random end settled or with a problem', () => {
    const random = createRandom(seed)
    const pick = createPick(random)
    const keys = ['a', 'b', 'c', 'd', '__proto__', 'constructor']
    const make = (depth: number): Json => {
      if (random() < 0.2) return pick<Json>([1, null, true, 'text'])
      if (depth < 3 && random() < 0.3) return Array.from({ length: 2 }, () => make(depth + 1))
      if (depth < 3 && random() < 0.3)
        return Object.fromEntries([pick(keys), pick(keys)].map((key) => [key, make(depth + 1)]))
      const key = pick(keys)
      return pick([
        `{{${key}}}`,
        `{{${key}.${pick(keys)}}}`,
        `x{{${key}.0}}`,
        `{{js: [${key}, 1]}}`,
        `{{js: ${key}?.${pick(keys)}}}`,
      ])
    }
    for (let i = 0; i < 1500; i += 1) {
      const variables = Object.fromEntries(keys.map((key) => [key, make(0)]))
      const { values, problems } = resolveVariables(variables, { ...scope, layers: [], exports: {} })
      expect(problems.length > 0 || !JSON.stringify(values).includes('{{')).toBe(true)
      expect(Object.keys(values)).toEqual(Object.keys(variables))
    }
  })

  test('an expression taken to be bounded gives the same with and without a time limit', () => {
    const random = createRandom(seed)
    const pick = createPick(random)
    const values = createPlainValues({
      a: 2,
      b: 'text',
      c: { d: [1, 2, { e: 'x' }] },
      list: [{ id: 1 }, { id: 2 }],
    })
    const make = (depth: number): string => {
      if (depth > 3 || random() < 0.25)
        return pick(['a', 'b', 'c.d', 'list', '1', '"s"', 'c.d[2].e', 'null', 'missing'])
      const inner = (): string => make(depth + 1)
      return pick([
        () => `(${inner()} + ${inner()})`,
        () => `(${inner()} ? ${inner()} : ${inner()})`,
        () => `(${inner()} ?? ${inner()})`,
        () => `\`\${${inner()}}-\``,
        () => `[${inner()}, ${inner()}]`,
        () => `({ k: ${inner()} }).k`,
        () => `String(${inner()})`,
        () => `JSON.stringify(${inner()})`,
        () => `${inner()}?.map?.(x => [x, ${inner()}])`,
        () => `[${inner()}].flatMap(x => x).length`,
        () => `Object.keys(${inner()})`,
        () => `(${inner()} === ${inner()})`,
        () => `[${inner()}].join(",")`,
        () => `typeof ${inner()}`,
      ])()
    }
    for (let i = 0; i < 300; i += 1) {
      const source = make(0)
      const timed = `(() => { return ${source} })()`
      expect(parseExpression(source).degree).toBeTypeOf('number')
      expect(parseExpression(timed).degree).toBeUndefined()
      expect(tell(() => engine.evaluate(source, values))).toEqual(tell(() => engine.evaluate(timed, values)))
    }
  })

  test('no text breaks the parser of expressions', () => {
    const random = createRandom(seed)
    const pick = createPick(random)
    for (let i = 0; i < 3000; i += 1) {
      const source = Array.from({ length: 1 + random() * 10 }, () => pick(scraps)).join('')
      expect(tell(() => engine.evaluate(source, createPlainValues({ a: 1 })))).toBeDefined()
    }
  })
})

function fillOrRefuse(text: string): InterpolationError | undefined {
  try {
    interpolate({ k: text }, scope)
    return undefined
  } catch (error) {
    if (error instanceof InterpolationError) return error
    throw error
  }
}

function tell(evaluate: () => unknown): unknown {
  try {
    return evaluate() ?? 'nothing'
  } catch (error) {
    if (error instanceof EngineError || error instanceof TemplateError)
      return `${error.name} ${error.message}`
    throw error
  }
}
