import { expect, test } from 'vitest'
import { resolveOptions, type Options } from './options.ts'
import { defaultLimits } from '../../src/limits.ts'

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
  [{ report: { thresholds: { steps_flaky: '1s' } } }, 'report.thresholds.steps_flaky', 'a number'],
  [{ report: { thresholds: { p95: Infinity } } }, 'report.thresholds.p95', 'finite'],
  [{ report: { thresholds: { toString: 1 } } }, 'toString', 'Known here: average, median, p95'],
  [{ report: { thresholds: [] } }, 'report.thresholds', 'a map'],
  [{ report: { thresholds: { p95: null } } }, 'report.thresholds.p95', 'a number, got `null`|a number'],
  [{ report: true }, 'report', 'false or a map of report options'],
  [{ report: { performance: 'long' } }, 'report.performance', '`"long"`'],
  [{ concurrency: 'two' }, 'concurrency', 'a whole number, got `"two"`'],
  [{ concurrency: 1.5 }, 'concurrency', 'a whole number, got `1.5`'],
  [{ concurrency: 0 }, 'concurrency', 'a whole number, 1 or more, got `0`'],
  [{ redact: true }, 'redact', 'false or a list of names and patterns'],
  [{ app: 5 }, 'app', 'the path of a module, or `\\{ path, per \\}`'],
  [{ app: { path: 'a.ts', per: 'test' } }, 'app', '`"test"`'],
  [{ follow_redirects: 'no' }, 'follow_redirects', 'true, false or the number of redirects to follow'],
  [{ retry: { max_attempts: 2, until: '{{js: a}}' } }, 'retry.until', 'which is not filled in here'],
  [{ retry: '{{n}}' }, '`retry`', 'which is not filled in here'],
  [{ retry: { max_attempts: 2, until: 'body ok' } }, 'retry.until', 'has an error at character 6'],
  [{ retry: { max_attempts: 2, on: 'a = 1' } }, 'retry.on', 'a single `=` assigns instead of comparing'],
  [{ variables: { a: Symbol('s') } }, 'variables.a', 'got a symbol'],
  [
    { variables: { a: Object.create({ constructor: undefined }) as object } },
    'variables.a',
    'an instance of a class',
  ],
  [{ sandbox: 'quickjs', extend: './a.ts' }, 'extend', 'needs the sandbox `vm`'],
])('what is refused tells the option and what it got: %o', (options, name, got) => {
  expect(() => resolveOptions(options as Options)).toThrow(
    expect.objectContaining({ message: expect.stringMatching(new RegExp(`${name}.*${got}`, 's')) as string }),
  )
})

test.each([{ timeout: Infinity }, { concurrency: 0.5 }])(
  'a value that breaks two rules is told once: %j',
  (options) => {
    expect(() => resolveOptions(options)).toThrow(/^suitecase: [^\n]+\n  Expected [^\n]+$/)
  },
)

test.each([null, false, 'x'])('options that are %j are refused', (options) => {
  expect(() => resolveOptions(options as never)).toThrow(
    /^suitecase: expected the options of suites\(\) to be an object, got /,
  )
})

test('everything has a default', () => {
  expect(resolveOptions()).toEqual({
    include: ['**/*.suite.{yaml,yml}'],
    exclude: [],
    variables: {},
    on_failure: 'skip-dependents',
    prerequisites: 'needed',
    unresolved: 'literal',
    concurrency: 32,
    timeout: 30_000,
    limits: defaultLimits,
    appConcurrency: 1,
    outputDir: '.vitest/suitecase',
  })
})

test.each<[Options, object]>([
  [{ app: './a.ts' }, { app: { path: './a.ts', per: 'run' }, appConcurrency: 1 }],
  [{ app: { path: './a.ts', per: 'suite' } }, { app: { path: './a.ts', per: 'suite' }, appConcurrency: 32 }],
  [
    { app: { path: './a.ts', per: 'run' }, concurrency: 3 },
    { concurrency: 3, appConcurrency: 3 },
  ],
  [{ report: false }, { report: false, outputDir: '.vitest/suitecase' }],
  [{ report: { outputDir: 'out', performance: 'full' } }, { outputDir: 'out' }],
  [{ report: { performance: 'short' } }, { outputDir: '.vitest/suitecase' }],
  [{ defaults: { headers: { x: '{{a}}' } } }, { defaults: { headers: { x: '{{a}}' } } }],
  [
    { include: undefined as never, sandbox: 'quickjs' },
    { include: ['**/*.suite.{yaml,yml}'], sandbox: 'quickjs' },
  ],
  [
    { sandbox: 'vm', extend: './a.ts', redact: false },
    { sandbox: 'vm', extend: './a.ts', redact: false },
  ],
  [
    { on_failure: 'stop', prerequisites: 'all' },
    { on_failure: 'stop', prerequisites: 'all' },
  ],
  [
    { on_failure: 'continue', prerequisites: 'none' },
    { on_failure: 'continue', prerequisites: 'none' },
  ],
  [
    { on_failure: 'skip-dependents', prerequisites: 'needed', unresolved: 'literal' },
    { on_failure: 'skip-dependents', prerequisites: 'needed', unresolved: 'literal' },
  ],
  [
    { unresolved: 'error', onUnhandled: 'error' },
    { unresolved: 'error', onUnhandled: 'error' },
  ],
  [{ onUnhandled: 'warn' }, { onUnhandled: 'warn' }],
  [{ onUnhandled: 'bypass' }, { onUnhandled: 'bypass' }],
])('%j is resolved', (options, resolved) => {
  expect(resolveOptions(options)).toMatchObject(resolved)
})

test('times are milliseconds or durations', () => {
  const { timeout, limits } = resolveOptions({ timeout: '5s', limits: { suite: '15m', each: 20, body: 1 } })
  expect({ timeout, limits }).toEqual({
    timeout: 5000,
    limits: { ...defaultLimits, suite: 900_000, each: 20, body: 1 },
  })
  expect(() => resolveOptions({ limits: { suite: '15 min' } })).toThrow(
    'Expected `limits.suite` to be a duration such as `300ms`, `5s` or `15m`, got `"15 min"`',
  )
})

test('a variable that is undefined, as with an environment variable that is not set, is none', () => {
  const { variables, templates } = resolveOptions({
    variables: { a: undefined as never, b: null, c: '{{a}}' },
  })
  expect([Object.entries(variables), templates]).toEqual([[['b', null]], { c: '{{a}}' }])
})

test('what is not data is refused, and each mistake is told once', () => {
  const variables = {
    now: new Map(),
    day: new Date(0),
    list: [() => 5],
    half: NaN,
    none: undefined,
    big: 5n,
    text: 'a',
  }
  const options = {
    variables,
    defaults: { headers: { a: () => 5, b: undefined }, assert: { status_code: undefined } },
    timeout: 'soon',
    retry: { attempts: 3 },
    base_url: 'http://localhost',
  }
  expect(() => resolveOptions(options as never)).toThrowErrorMatchingInlineSnapshot(`
    [TypeError: suitecase: the options of suites() are not valid.
      Expected \`timeout\` to be a duration such as \`300ms\`, \`5s\` or \`15m\`, got \`"soon"\` (string).
      Unknown field \`attempts\` in \`retry\`. Did you mean \`max_attempts\`?
      Unknown field \`base_url\`. It belongs in the suite, beside \`steps\`.
      Expected \`variables.now\` to be data, got an instance of Map.
      Expected \`variables.day\` to be data, got a date.
      Expected \`variables.list.0\` to be data, got a function.
      Expected \`variables.half\` to be data, got NaN.
      Expected \`defaults.headers.a\` to be data, got a function.
      Expected \`defaults.assert.status_code\` to be data, got undefined.]
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
    `Expected \`${name}.self\` to be data, got a value that contains itself.`,
  )
  const deep = JSON.parse(`${'['.repeat(600)}${']'.repeat(600)}`) as never
  expect(() => resolveOptions({ [name]: { deep } })).toThrow('to be data, got data of more than 500 levels.')
})

test.each([503, '5xx', [429, '5xx'], 'body.busy'])('`retry.on` may be %j', (on) => {
  expect(resolveOptions({ retry: { max_attempts: 2, on } }).retry).toEqual({ max_attempts: 2, on })
})
