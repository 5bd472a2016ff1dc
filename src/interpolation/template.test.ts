import { describe, expect, test } from 'vitest'
import { TemplateError } from './errors.ts'
import { hasTemplate, parseTemplate, type DynamicPart } from './template.ts'

/** The one dynamic part of a text, without the properties that all parts have. */
function read(text: string): unknown {
  const parts = parseTemplate(text).filter((part) => part.kind !== 'literal')
  expect(parts).toHaveLength(1)
  const part = parts[0] as DynamicPart
  if (part.kind === 'reference') return { root: part.root, path: part.path }
  if (part.kind === 'expression') return part.expression.source
  return { faker: part.path.join('.'), arguments: part.arguments.source }
}

function fail(text: string): { message: string; offset: number; hint: string } {
  try {
    parseTemplate(text)
  } catch (error) {
    if (error instanceof TemplateError)
      return { message: error.message, offset: error.offset, hint: error.hint }
    throw error
  }
  throw new Error(`${text} was accepted`)
}

test('a text without the opening braces is not a template', () => {
  expect(hasTemplate('a } } { { {x} }}')).toBe(false)
  expect(hasTemplate('a {{b}}')).toBe(true)
})

test('parts follow each other without gaps', () => {
  expect(parseTemplate('a{{ b }}c{{js: d+1 }}')).toMatchObject([
    { kind: 'literal', text: 'a' },
    { kind: 'reference', root: 'b', source: 'b', range: [1, 8], codeOffset: 4 },
    { kind: 'literal', text: 'c' },
    { kind: 'expression', source: 'js: d+1', range: [9, 21], codeOffset: 15 },
  ])
})

test('the same text is parsed once', () => {
  expect(parseTemplate('{{once}}')).toBe(parseTemplate('{{once}}'))
})

test.each([
  ['{{a}}', 'a', []],
  ['{{ a.b }}', 'a', ['b']],
  ['{{\n a.b\n}}', 'a', ['b']],
  ['{{list.0.id}}', 'list', [0, 'id']],
  ['{{list[0].id}}', 'list', [0, 'id']],
  ['{{list[10][2]}}', 'list', [10, 2]],
  ['{{list.007}}', 'list', ['007']],
  ["{{headers['x-id']}}", 'headers', ['x-id']],
  ['{{a["b c"].d}}', 'a', ['b c', 'd']],
  ['{{auth-flow.token}}', 'auth-flow', ['token']],
  ['{{auth-flow.user.roles.0}}', 'auth-flow', ['user', 'roles', 0]],
  ['{{01-login.token}}', '01-login', ['token']],
  ['{{X-Request-Id}}', 'X-Request-Id', []],
  ['{{größe}}', 'größe', []],
  ['{{名前.値}}', '名前', ['値']],
  ['{{$price}}', '$price', []],
  ['{{__proto__}}', '__proto__', []],
  ['{{constructor.prototype}}', 'constructor', ['prototype']],
  ['{{class}}', 'class', []],
  ['{{variables.a}}', 'variables', ['a']],
])('%s is a reference', (text, root, path) => {
  expect(read(text)).toEqual({ root, path })
})

test.each([
  ['{{js: 1 + 1}}', '1 + 1'],
  ['{{js:a}}', 'a'],
  ['{{ js: {a: 1} }}', '{a: 1}'],
  ["{{cond ? 'x' : 'y'}}", "cond ? 'x' : 'y'"],
  ["{{a || 'b'}}", "a || 'b'"],
  ['{{a > 1}}', 'a > 1'],
  ['{{a - b}}', 'a - b'],
  ['{{a?.b}}', 'a?.b'],
  ['{{-a}}', '-a'],
  ['{{a.b()}}', 'a.b()'],
  ['{{a[b]}}', 'a[b]'],
  ['{{true}}', 'true'],
  ['{{null}}', 'null'],
  ['{{42}}', '42'],
  ['{{1.5}}', '1.5'],
  ['{{(a)}}', '(a)'],
  ['{{js: JSON.stringify({a:{b:1}})}}', 'JSON.stringify({a:{b:1}})'],
  ['{{js: {a:{b:1}}}}', '{a:{b:1}}'],
  ["{{ cond ? '}}' : 'x' }}", "cond ? '}}' : 'x'"],
  ['{{ `}}${"}}"}` }}', '`}}${"}}"}`'],
  ['{{ /}}/.test(a) }}', '/}}/.test(a)'],
  ['{{ a / b / c }}', 'a / b / c'],
  ['{{ a /* }} */ }}', 'a'],
  ['{{ (() => { return {a: 1}})().a }}', '(() => { return {a: 1}})().a'],
  ['{{ "{{x}}" }}', '"{{x}}"'],
  ['{{a}b}}'.replace('a}b', '"a}b"'), '"a}b"'],
])('%s is an expression', (text, source) => {
  expect(read(text)).toBe(source)
})

test.each([
  ['{{$env.HOME}}', { root: '$env', path: ['HOME'] }],
  ["{{ $env['A-B'] }}", { root: '$env', path: ['A-B'] }],
  ['{{$faker.internet.email}}', { faker: 'internet.email', arguments: '[]' }],
  ['{{$faker.internet.email()}}', { faker: 'internet.email', arguments: '[]' }],
  ['{{ $faker.number.int( {min: 1, max: -9} ) }}', { faker: 'number.int', arguments: '[{min: 1, max: -9}]' }],
  [
    "{{$faker.a.b('}}', [1, null, true, `x`,], {'k': {\"__proto__\": 2}})}}",
    { faker: 'a.b', arguments: "['}}', [1, null, true, `x`,], {'k': {\"__proto__\": 2}}]" },
  ],
])('%s is our own', (text, part) => {
  expect(read(text)).toEqual(part)
})

test.each([
  ['{{', 'Expected an expression after `{{`, got the end', 0],
  ['a {{ ', 'Expected an expression after `{{`, got the end', 2],
  ['{{}}', 'Expected an expression, got empty braces', 0],
  ['a{{ js: }}', 'Expected an expression, got empty braces', 1],
  ['{{name', 'Expected `}}` after the expression, got the end of the text', 0],
  ['{{name}', 'Expected `}}` at the end of the expression, got `}`', 6],
  ['{{a b}}', 'Expected `}}` at the end of the expression, got `b`', 4],
  ['{{a, b}}', 'Expected `}}` at the end of the expression, got `,`', 3],
  ['a{{{ b.c }}}', 'Expected two braces, got `{{{ b.c }}}`', 1],
  ['{{a;}}', 'Expected `}}` at the end of the expression, got `;`', 3],
  ['{{#if a}}', 'The expression is not valid JavaScript', 2],
  ['{{a +}}', 'The expression is not valid JavaScript', 5],
  ['xx {{"a}}', 'The expression is not valid JavaScript', 5],
  ['{{import("fs")}}', 'import() is not available in expressions', 2],
  ['{{a || import("fs")}}', 'import() is not available in expressions', 7],
  ['{{js: [1, 9007199254740993]}}', 'needs an `n`: `9007199254740993n`', 10],
  ['{{js: import.meta.url}}', "Cannot use 'import.meta' outside a module", 6],
  ['{{eval("1")}}', '`eval` is not available in expressions', 2],
  ['{{$env}}', '`$env` is not available in expressions', 2],
  ['{{$env[a]}}', '`$env` is not available in expressions', 2],
  ['{{$faker}}', '`$faker` is not available in expressions', 2],
  ['{{$faker.internet}}', '`$faker` is not available in expressions', 2],
  ['{{$faker.a.b(c)}}', 'Arguments of `$faker` must be data: they cannot contain names', 13],
  ['{{$faker.a.b(1, [c])}}', 'Arguments of `$faker` must be data: they cannot contain names', 17],
  ['{{$faker.a.b(1, 9007199254740993)}}', 'needs an `n`: `9007199254740993n`', 16],
  ['{{$faker.a.b() + 1}}', '`$faker` is not available in expressions', 2],
  ['{{$faker.a.b().c}}', '`$faker` is not available in expressions', 2],
  ['{{$js.Date.now()}}', '`$js` is not available in expressions', 2],
  ['{{$js.now}}', '`$js` is not available in expressions', 2],
])('%s is refused', (text, message, offset) => {
  const error = fail(text)
  expect(error.message).toContain(message)
  expect(error.offset).toBe(offset)
  expect(error.hint).not.toBe('')
})

test.each([
  ['{{js: const a = 1; a}}', '`(() => { const a = 1; return a })()`'],
  ['{{if (a) b}}', 'Only one expression fits here'],
  ['{{btoa(case.id)}}', '`variables.…`'],
  ['{{js: package.id}}', '`variables.…`'],
  ['{{js: class.id}}', '`variables.…`'],
  ['{{new + 1}}', '`variables.…`'],
  ['{{casein(}}', 'Correct it'],
])('%s is told what to write instead', (text, hint) => {
  expect(fail(text).hint).toContain(hint)
})

describe('large texts', () => {
  test('with many templates are parsed in linear time', () => {
    const text = '{{a.b}} {{js: a + 1}}\n'.repeat(20_000)
    expect(parseTemplate(text)).toHaveLength(80_000)
  })

  test.each([
    '{{',
    '{{a',
    '{{-',
    '{{a-',
    '{{a.',
    '{{a[0]',
    '{{ ',
    '{{"',
    '{{`${',
    '{{/*',
    '{{(',
    '{{[',
    '{{a?',
  ])('of nothing but %s are refused', (unit) => {
    expect(fail(unit.repeat(20_000)).message).toMatch(/Expected|expression/)
  })
})
