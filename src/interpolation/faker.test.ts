import { afterEach, expect, test, vi } from 'vitest'
import { EngineError } from './errors.ts'
import { loadFaker } from './faker.ts'

test('the same seed gives the same data, whatever happens beside it', async () => {
  const [one, two, other] = [await loadFaker(42, 1000), await loadFaker(42, 1000), await loadFaker(43, 1000)]
  const draw = (source: typeof one) => Array.from({ length: 5 }, () => source.call(['internet', 'email'], []))
  const first = draw(one)
  draw(other)
  expect(draw(two)).toEqual(first)
  expect(new Set(first).size).toBe(5)
})

afterEach(() => vi.useRealTimers())

test('dates are drawn around the time of the process', async () => {
  const faker = await loadFaker(1, 1000)
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2131-05-06T07:08:09Z') })
  expect(faker.call(['date', 'soon'], [{ days: 1 }])).toMatch(/^2131-05-0[67]T/)
  expect(faker.call(['date', 'recent'], [{ days: 1 }])).toMatch(/^2131-05-0[56]T/)
})

test('arguments are passed on and results are plain data', async () => {
  const faker = await loadFaker(1, 1000)
  expect(faker.call(['number', 'int'], [{ min: 5, max: 5 }])).toBe(5)
  expect(faker.call(['helpers', 'arrayElement'], [['x']])).toBe('x')
  expect(faker.call(['date', 'past'], [])).toMatch(/^\d{4}-\d\d-\d\dT/)
  expect(faker.call(['number', 'bigInt'], [{ min: 7, max: 7 }])).toBe(7)
  expect(faker.call(['number', 'bigInt'], [{ min: 2 ** 53, max: 2 ** 53 }])).toBe(2n ** 53n)
  expect(faker.call(['datatype', 'boolean'], [])).toBeTypeOf('boolean')
  expect(faker.call(['helpers', 'fake'], ['{{number.int({"min":2,"max":2})}}'])).toBe('2')
})

test.each([
  [['internet', 'emial'], 'https://fakerjs.dev/api'],
  [['constructor', 'constructor'], 'https://fakerjs.dev/api'],
  [['internet', 'constructor'], 'Expected a module and method'],
  [['internet', '__proto__'], 'Expected a module and method'],
  [['fakerCore', 'randomizer'], 'Expected a module and method'],
  [['internet', 'faker'], 'Expected a module and method'],
  [['internet', 'email', 'x'], 'Expected a module and method'],
  [['seed'], 'Expected a module and method'],
])('%j is unknown', async (path, message) => {
  const faker = await loadFaker(1, 1000)
  expect(() => faker.call(path, [])).toThrow(EngineError)
  expect(() => faker.call(path, [])).toThrow(message)
})

test('what a method refuses is said', async () => {
  const faker = await loadFaker(1, 1000)
  expect(() => faker.call(['number', 'int'], [{ min: 9, max: 1 }])).toThrow(
    '`$faker.number.int`: Max 1 should be',
  )
  expect(() => faker.call(['helpers', 'maybe'], [])).toThrow(EngineError)
})

test('a method that takes too long is ended', async () => {
  const faker = await loadFaker(1, 1000)
  expect(() => faker.call(['lorem', 'words'], [1e9])).toThrow(
    'ran longer than 1000 ms (option `limits.expression`)',
  )
  expect(faker.call(['number', 'int'], [{ min: 1, max: 1 }])).toBe(1)
})
