import { describe, expect, test } from 'vitest'
import { SuiteError } from '../errors.ts'
import { loadSuite } from './load-suite.ts'
import type { SuitePlan } from './plan/plan.ts'

const head = 'suite_name: S\nsteps:\n  - name: First\n    request: { url: /x }\n'
const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('')

function load(text: string): Promise<SuitePlan> {
  return loadSuite({ path: 'a.suite.yaml', text }, { folder: import.meta.dirname })
}

async function fail(text: string): Promise<SuiteError> {
  const error: unknown = await load(text).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(SuiteError)
  return error as SuiteError
}

// Anything that takes quadratic time would run for minutes here and exceed the test timeout.
describe('what is large loads', () => {
  test('half a million lines', async () => {
    const plan = await load(`${head}${'\n'.repeat(550_000)}variables: { a: 1 }`)
    expect(plan.variables).toEqual({ a: 1 })
  })

  test('2,000 steps with captures that the next step reads', async () => {
    const plan = await load(
      `suite_name: S\nvariables: { c: x }\nsteps:\n${times(
        2000,
        (index) =>
          `  - name: s${index}\n    request: { url: '/{{c${index === 0 ? '' : index - 1}}}' }\n    assert: { body: { a: { type: number } } }\n    capture: { c${index}: body.a }\n`,
      )}`,
    )
    expect(plan.steps.at(-1)?.reads).toEqual(['c1998'])
    expect(plan.warnings).toEqual([])
  })

  test('a text with 100,000 templates, and a chain of 50,000 variables', async () => {
    const chain = times(50_000, (index) => `  v${index}: '{{v${index + 1}}}'\n`)
    const plan = await load(
      `${head}variables:\n  a: x\n  text: "${'{{a}} '.repeat(100_000)}"\n${chain}  v50000: x\n`,
    )
    expect(plan.templates['/variables/text']).toHaveLength(100_000)
    expect(Object.keys(plan.variables)).toHaveLength(50_003)
  })

  test('an expression with 5,000 names on as many lines', async () => {
    const names = Array.from({ length: 5000 }, (_, index) => `name_${index}`)
    const text = `${head}variables:\n  list: |-\n    {{js: [\n      ${names.join(',\n      ')}]}}\n`
    const { foreign } = await load(text)
    const written = foreign.map(({ range: [start, end] }) => text.slice(start, end))
    expect(written).toEqual(names)
  })
})

describe('what is too large is refused with one sentence', () => {
  test.each([
    ['150 levels of braces', `${head}variables: { a: ${'{a: '.repeat(150)}1${'}'.repeat(150)} }`, [5, 409]],
    ['150 levels of hyphens', `${head}variables:\n  a:\n   ${'- '.repeat(150)}x`, [7, 200]],
    [
      '150 levels of indentation',
      `${head}variables:\n${times(150, (at) => `${' '.repeat(at + 1)}a:\n`)}`,
      [105, 101],
    ],
    ['maps in flow lists', `${head}variables: { a: ${'[a: '.repeat(80)}1${']'.repeat(80)} }`, [5, 213]],
  ])('%s', async (_, text, [line, column]) => {
    const { problems } = await fail(text)
    expect(problems).toMatchObject([
      { code: 'too-large', message: 'The file nests deeper than 100 levels.', at: [line, column] },
    ])
  })

  // Too deep for the library's stack, so the exact place is unknown.
  test.each([
    ['brackets', `${head}variables: { a: ${'['.repeat(1e5)}`],
    ['braces', `${head}variables: { a: ${'{a: '.repeat(1e4)}${'}'.repeat(1e4)} }`],
    ['hyphens', `${head}variables:\n  a:\n   ${'- '.repeat(1e5)}x`],
    ['lines', `${head}variables:\n${times(4000, (at) => `${' '.repeat(at + 1)}a:\n`)}on_failure: stop\n`],
  ])('thousands of levels of %s', async (_, text) => {
    const { problems } = await fail(text)
    expect(problems).toMatchObject([
      { code: 'too-large', message: 'The file nests deeper than 100 levels.', at: { 0: 1 } },
    ])
  })

  test('a file above the limit', async () => {
    const { problems } = await fail(`${head}# ${'é'.repeat(6e6)}`)
    expect(problems).toMatchObject([
      { code: 'too-large', message: 'The file has 12000064 bytes; the limit is 10485760.' },
    ])
  })

  test.each([
    ['values', `${head}variables: { a: [${'1,'.repeat(3e6)}1] }`],
    ['lines', `${head}variables:\n  a:\n${'  - 1\n'.repeat(1e6)}`],
    ['brackets', `${head}variables: { a: ${'['.repeat(2.9e6)}`],
    ['templates', `${head}${'{{a}}'.repeat(1.6e6)}`],
    ['documents', `${head}${'---\n'.repeat(1.6e6)}`],
  ])('millions of %s', async (_, text) => {
    const { problems } = await fail(text)
    expect(problems).toMatchObject([{ code: 'too-large', message: 'The file has too many values.' }])
  })
})

describe('what is wrong very often', () => {
  test('is all found and the first 50 printed', async () => {
    const error = await fail(`${head}${times(1000, (index) => `k${index}: v\n`)}`)
    expect(error.problems).toHaveLength(1000)
    expect(error.message.match(/error unknown-field/g)).toHaveLength(50)
    expect(error.message).toMatch(/… and 950 more problems in this file\.$/)
  })

  test('is cut at 100 syntax errors', async () => {
    expect((await fail('{{a}}'.repeat(5000))).problems.length).toBeLessThanOrEqual(100)
    expect((await fail(`a: [${',\n '.repeat(5000)}]`)).problems).toHaveLength(100)
  })

  test.each([
    ['templates', '{{a}}', 'yaml-syntax'],
    ['brackets that close nothing', ']', 'yaml-syntax'],
    ['documents', '---\n', 'several-documents'],
  ])('%s are not read to the end', async (_, text, code) => {
    const { problems } = await fail(`${head}${text.repeat(200_000)}`)
    expect(problems[0]).toMatchObject({ code })
    expect(problems.length).toBeLessThanOrEqual(100)
  })

  test('the mark between two documents is told where it is', async () => {
    const { message } = await fail(`${head}description: a --- b\n---\nsuite_name: T\n`)
    expect(message).toMatch(/^> +\d+ \| ---$/m)
  })

  test('brackets that are not closed, and lines with hyphens, are no levels', async () => {
    const { problems } = await fail(`${head}${times(150, (index) => `k${index}: [1\n`)}`)
    expect(problems).toMatchObject([{ message: 'This bracket is not closed.' }])
    const last = await fail(`${head}variables: { a: []`)
    expect(last.message).toMatch(/^ +\| {12}\^$/m)
    const listed = await fail(`${head}variables: { a: [ ${times(150, (index) => `- x${index}, `)}] }\n`)
    expect(listed.problems).toMatchObject([{ message: /A comma is missing/ }])
    const list = times(150, () => '    - |\r\n      x\r\n    - y\r\n')
    const plan = await load(`${head}variables:\r\n  a:\r\n${list}`)
    expect(plan.variables['a']).toHaveLength(300)
  })

  test('is cut where a message would quote a megabyte', async () => {
    const { problems } = await fail(
      `suite_name: S\nsteps:\n  - name: ${'n'.repeat(1e6)}\n    step_id: ${'ä'.repeat(1e6)}\n`,
    )
    for (const { message, frame } of problems) expect(message.length + frame.length).toBeLessThan(2000)
  })
})
