import { expect, test } from 'vitest'
import { resolveOptions, type Options } from './options.ts'

test.each([
  [{ limits: { suite: 99_999_999_999 } }, 'limits.suite', '99999999999'],
  [{ limits: { blocked: 0 } }, 'limits.blocked', '0'],
  [{ timeout: 0 }, 'timeout', '0'],
  [{ retry: { max_attempts: 2, on: [7] } }, 'retry.on', '7'],
  [{ tiemout: 5 }, 'tiemout', 'timeout'],
  [{ report: { thresholds: { p59: 1 } } }, 'p59', 'p95'],
  [{ report: { thresholds: { p95: '1' } } }, 'report.thresholds.p95', '`"1"` \\(string\\)'],
  [{ report: { thresholds: { p95: -1 } } }, 'report.thresholds.p95', '0 or more'],
  [{ report: { thresholds: { p95: '5 s' } } }, 'report.thresholds.p95', 'a duration such as `300ms`'],
  [{ report: { thresholds: { success_rate: '1s' } } }, 'report.thresholds.success_rate', 'a number'],
  [{ report: { thresholds: { p95: Infinity } } }, 'report.thresholds.p95', 'finite'],
  [
    { report: { thresholds: { success_rate: 0.99 } } },
    'report.thresholds.success_rate',
    'above 1 and up to 100',
  ],
  [
    { report: { thresholds: { success_rate: 101 } } },
    'report.thresholds.success_rate',
    'above 1 and up to 100',
  ],
  [{ report: { thresholds: { toString: 1 } } }, 'toString', 'Known here: average, median, p95'],
  [{ report: { thresholds: [] } }, 'report.thresholds', 'a map'],
])('%j is refused, with the option and what it got', (options, name, got) => {
  expect(() => resolveOptions(options as Options)).toThrow(
    expect.objectContaining({ message: expect.stringMatching(new RegExp(`${name}.*${got}`, 's')) as string }),
  )
})

test('times are milliseconds or durations', () => {
  const { timeout, limits } = resolveOptions({ timeout: '5s', limits: { suite: '15m', each: 20, body: 1 } })
  expect({ timeout, limits }).toEqual({ timeout: 5000, limits: { suite: 900_000, each: 20, body: 1 } })
  expect(() => resolveOptions({ limits: { suite: '15 min' } })).toThrow(
    'Expected `limits.suite` to be a duration such as `300ms`, `5s` or `15m`, got `"15 min"`',
  )
})

test('what is not data is refused, and each mistake is told once', () => {
  const variables = { now: new Map(), list: [() => 5], half: NaN, none: undefined, big: 5n, text: 'a' }
  const options = {
    variables,
    defaults: { headers: { a: () => 5 } },
    timeout: 'soon',
    retry: { attempts: 3 },
  }
  expect(() => resolveOptions(options as never)).toThrowErrorMatchingInlineSnapshot(`
    [TypeError: suitecase: the options of suites() are not valid.
      Expected \`timeout\` to be a duration such as \`300ms\`, \`5s\` or \`15m\`, got \`"soon"\` (string).
      Unknown field \`attempts\` in \`retry\`. Did you mean \`max_attempts\`?
      Expected \`variables.now\` to be data, got an instance of Map.
      Expected \`variables.list.0\` to be data, got a function: \`() => 5\`.
      Expected \`variables.half\` to be data, got a number: \`NaN\`.
      Expected \`defaults.headers.a\` to be data, got a function: \`() => 5\`.]
  `)
})

test('data may have any names, and the text of what is no data is not shown', () => {
  const variables = { team: { constructor: { name: 'Ferrari' } }, none: Object.create(null) }
  expect(resolveOptions({ variables }).variables).toEqual(variables)
  const read = (): unknown => resolveOptions({ variables: { key: Buffer.from('hidden') as never } })
  expect(read).toThrow('Expected `variables.key` to be data, got an instance of Buffer.')
  expect(read).not.toThrow('hidden')
})

test.each(['variables', 'defaults'])('`%s` may not refer to themselves, nor nest without end', (name) => {
  const cycle: Record<string, unknown> = {}
  cycle['self'] = cycle
  expect(() => resolveOptions({ [name]: cycle })).toThrow(
    `Expected \`${name}\` to nest at most 500 levels, and not to refer to itself.`,
  )
})

test.each([503, '5xx', [429, '5xx'], 'body.busy'])('`retry.on` may be %j', (on) => {
  expect(resolveOptions({ retry: { max_attempts: 2, on } }).retry).toEqual({ max_attempts: 2, on })
})
