import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../json.ts'
import { createEngine } from './expressions/engine.ts'
import { EngineError, InterpolationError, TemplateError } from './errors.ts'
import { createPlainValues } from './fixtures/plain-values.ts'
import { data, wildExpression } from './fixtures/expressions.ts'
import { interpolate } from './interpolate.ts'
import { parseTemplate } from './template.ts'
import { resolveVariables } from './variables/variables.ts'

const engine = createEngine({ timeout: 250 })
afterAll(() => engine.dispose())

const scraps = [
  ...['a', 'b', '__proto__', 'constructor', 'toString', 'x-y', 'list', '0', '$env', '$faker', 'variables'],
  ...[
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
  ],
  ...['js:', '$js.', '|| 1', '? 1 : 2', '=>', 'import("fs")', 'async', '\u2028', '\u{1f600}', '\ud800', '$&'],
  ...['<!--', '-->', '1', ',', ':', ';', '9007199254740993n'],
]
const text = fc
  .array(fc.constantFrom(...scraps), { minLength: 1, maxLength: 10 })
  .map((parts) => parts.join(''))

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

test('any text is refused with a place in it, or filled in', () => {
  const outcomes = { filled: 0, refused: 0 }
  const property = fc.property(text, fc.constantFrom('}}', '', '}} {{a}}'), (inner, end) => {
    const source = `{{${inner}${end}`
    const refused = fillOrRefuse(source)
    outcomes[refused ? 'refused' : 'filled'] += 1
    const texts = refused
      ? [source]
      : parseTemplate(source).map((part) =>
          part.kind === 'literal' ? part.text : source.slice(...part.range),
        )
    // After a single `{{…}}`, a line break is the end of a YAML block.
    expect(texts.join('')).toBe(!refused && texts.length === 1 ? source.replace(/\n$/, '') : source)
    expect(refused?.path ?? ['k']).toEqual(['k'])
    expect(source.length - (refused?.offset ?? 0)).toBeGreaterThanOrEqual(0)
  })
  fc.assert(property, { numRuns: 5000 })
  expect(outcomes.filled).toBeGreaterThan(100)
  expect(outcomes.refused).toBeGreaterThan(100)
  expect(Object.keys(Object.prototype)).toEqual([])
})

test('data is inserted as it is, whatever it says', () => {
  const property = fc.property(text, (written) => {
    const at = { ...scope, layers: [{ data: written, nested: [{ data: written }] }] }
    expect(interpolate('{{data}}', at).value).toBe(written)
    expect(interpolate('<{{ data }}|{{nested[0].data}}>', at).value).toBe(`<${written}|${written}>`)
    expect(interpolate('{{js: nested}}', at).value).toEqual([{ data: written }])
    expect(resolveVariables({ v: '{{data}}', w: '{{v}}' }, at).values).toEqual({ v: written, w: written })
  })
  fc.assert(property, { numRuns: 2000 })
})

test('variables that refer to each other at random end settled or with a problem', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'constructor')
  const template = fc
    .tuple(key, key, fc.constantFrom('{{A}}', '{{A.B}}', 'x{{A.0}}', '{{js: [A, 1]}}', '{{js: A?.B}}'))
    .map(([one, other, form]) => form.replace('A', one).replace('B', other))
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthSize: 'medium' },
      fc.constantFrom<Json>(1, null, true, 'text'),
      template,
      fc.tuple(tie('value'), tie('value')),
      fc.array(fc.tuple(key, tie('value')), { maxLength: 2 }).map((entries) => Object.fromEntries(entries)),
    ),
  }))
  const variables = fc
    .array(fc.tuple(key, value), { minLength: 3, maxLength: 8 })
    .map((entries) => Object.fromEntries(entries))
  const property = fc.property(variables, (given) => {
    const { values, problems } = resolveVariables(given, { ...scope, layers: [], exports: {} })
    expect(problems.length > 0 || !JSON.stringify(values).includes('{{')).toBe(true)
    expect(Object.keys(values)).toEqual(Object.keys(given))
  })
  fc.assert(property, { numRuns: 1500 })
})

test('no text breaks the parser of expressions', () => {
  const property = fc.property(text, (source) => {
    expect(() => tell(() => engine.evaluate(source, createPlainValues({ a: 1 })))).not.toThrow()
  })
  fc.assert(property, { numRuns: 2000 })
})

describe.each(['vm', 'quickjs'] as const)('in the %s sandbox', async (sandbox) => {
  const contained = createEngine({ timeout: 100, memoryLimit: 64, sandbox })
  const values = createPlainValues(data)
  afterAll(() => contained.dispose())

  // Uncontained, each of these takes a minute or ends the process.
  test('no expression outlives its limit or ends the process', { timeout: 120_000 }, () => {
    const property = fc.property(wildExpression, (source) => {
      const start = performance.now()
      tell(() => contained.evaluate(source, values))
      expect(performance.now() - start).toBeLessThan(20_000)
      expect(contained.evaluate('list[0].id', values)).toBe(1)
    })
    fc.assert(property, { numRuns: 8, endOnFailure: true })
  })
})

function fillOrRefuse(source: string): InterpolationError | undefined {
  try {
    interpolate({ k: source }, scope)
    return undefined
  } catch (error) {
    if (error instanceof InterpolationError) return error
    throw error
  }
}

/** The outcome of an evaluation; an error not meant for the author is thrown on. */
function tell(evaluate: () => unknown): unknown {
  try {
    return evaluate()
  } catch (error) {
    if (error instanceof EngineError || error instanceof TemplateError) return error.message
    throw error
  }
}
