import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { readOwn, type Json } from '../../json.ts'
import { createEngine } from '../expressions/engine.ts'
import { EngineError } from '../errors.ts'
import { createPlainValues } from '../fixtures/plain-values.ts'
import { data, tameExpression } from '../fixtures/expressions.ts'
import { measureSize } from '../expressions/measure.ts'
import { boundCost } from './cost.ts'
import { parseExpression } from './expression.ts'
import { parseJavaScript } from './javascript.ts'

/** True if an expression over data of this size runs directly. */
const isCheap = (source: string, size: number): boolean =>
  parseExpression(source).estimateCost((root) => (/^[A-Z]/.test(root) ? 30 : size)) <= 1e7

describe('over 20 KB of data', () => {
  test.each([
    'a',
    'a.b[0] + 1 > c ? `${d}` : -e',
    'body.items.length > 0 && variables.x === "y"',
    '({ a, b: [c], ...d })',
    'Date.now()',
    'new Date(a).toISOString()',
    'Math.round(a * 100) / 100',
    'crypto.sha256(a + b)',
    'a.split(",").join("-")',
    'a.includes("x") || a.trim().toLowerCase().startsWith("y")',
    'String(a).padStart(4, "0")',
    'a.replaceAll("b", "c").replace("x", "")',
    'JSON.stringify(JSON.parse(a))',
    'list.map(x => x.id).join()',
    'list.map(x => x.a + x.b)',
    'list.map(x => [x, x])',
    'list.map(({ id, tags: [first] }) => ({ id, first }))',
    'list.filter(Boolean).map(Number)',
    'list.every(({ id: n }) => n > 0 && !(n === 5) || n % 2 == 1)',
    'list.map(x => x["a-b"]).some(x => x == null)',
    'new Set(list.map(x => x.id)).size === list.length',
    'Object.keys(a).length',
    'id === 9007199254740993n',
    'Math.max(...list.map(x => x.id))',
  ])('%s is cheap', (source) => {
    expect(isCheap(source, 20_000)).toBe(true)
  })

  test.each([
    'list.map(x => list)',
    'list.map(x => `${list}`)',
    'list.every(x => x !== list)',
    'list.map(x => list.filter(y => y.a + x.a).length)',
    'a.includes(b)',
    'a.split(b)',
    'a.join(b)',
    'a.replaceAll("b", c)',
    'a.replaceAll("b", "$`")',
    'String.fromCharCode(a)',
  ])('%s is not, though it is over little', (source) => {
    expect(isCheap(source, 20_000)).toBe(false)
    expect(isCheap(source, 100)).toBe(source !== 'String.fromCharCode(a)')
  })

  test('other data than what is read does not count', () => {
    const { estimateCost } = parseExpression('body.text.includes(body.id)')
    const size =
      (id: number) =>
      (_: string, [name]: readonly (string | number)[]) =>
        name === 'id' ? id : 100_000
    expect(estimateCost(size(20))).toBeLessThan(1e7)
    expect(estimateCost(size(100_000))).toBeGreaterThan(1e9)
  })
})

test.each([
  '/a/.test(b)',
  'new RegExp(a)',
  'a.match("(b+)+")',
  'a.repeat(b)',
  'a.padEnd(b)',
  'Array(a)',
  'new Array(a)',
  'Array.from(a, b => c)',
  '2n ** 3n',
  'a << b',
  'BigInt(a)',
  'a()',
  'a.b()',
  'a[b]()',
  '(() => 1)()',
  '(x => x)',
  'list.map(function (x) { return x })',
  'list.map(x => { return x })',
  'list.reduce((a, b) => a + a, "x")',
  'list.map(a => b => c)',
  'list.map((a = list) => a)',
  'list.map(f)',
  'list.sort(a.b)',
  'a.replace("b", x => x)',
  'JSON.stringify(a, null, 10)',
  'JSON.stringify(a, b => c)',
  '({ get a() { return 1 } })',
  '({ a() {} })',
  '({ a: () => 1 })',
  '({ __proto__: list, length: 1e9 }).map(x => x)',
  '[].map.call({ length: 1e9 }, x => x)',
  'a = b',
  'a++',
  'a`b`',
  'Promise.resolve(a)',
  'async () => 1',
  'class {}',
])('%s is never cheap', (source) => {
  expect(isCheap(source, 30)).toBe(false)
})

describe('for any expression', async () => {
  const engine = createEngine()
  const values = createPlainValues(data)
  afterAll(() => engine.dispose())
  const readSize = (root: string, path: readonly (string | number)[]): number => {
    let at: Json | undefined = readOwn(data, root)
    for (const key of path) at = typeof at === 'object' && at !== null ? readOwn(at, String(key)) : undefined
    return measureSize(at)
  }

  test('the bound on the size of its value holds', () => {
    let bounded = 0
    const property = fc.property(tameExpression, (source) => {
      const cost = boundCost(parseJavaScript(source).node)(readSize)
      if (!(cost <= 1e6)) return
      bounded += 1
      const value = evaluate(source)
      const text = value instanceof EngineError ? undefined : JSON.stringify(value)
      expect(text?.length ?? 0).toBeLessThanOrEqual(cost)
    })
    fc.assert(property, { numRuns: 2000 })
    expect(bounded).toBeGreaterThan(500)
  })

  test('its value is the same when it runs directly as in a process', () => {
    const property = fc.property(tameExpression, (source) => {
      const contained = `(() => { return ${source} })()`
      expect(parseExpression(contained).estimateCost(() => 30)).toBe(Infinity)
      const [direct, other] = [evaluate(source), evaluate(contained)]
      expect(direct instanceof EngineError ? direct.message : direct).toEqual(
        other instanceof EngineError ? other.message : other,
      )
    })
    fc.assert(property, { numRuns: 300 })
  })

  function evaluate(source: string): Json | undefined | EngineError {
    try {
      return engine.evaluate(source, values)
    } catch (error) {
      if (error instanceof EngineError) return error
      throw error
    }
  }
})
