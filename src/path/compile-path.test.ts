import { expect, test } from 'vitest'
import { compilePath, type CompiledPath } from './compile-path.ts'

function describe(source: string): string {
  const compiled = compilePath(source)
  if (!('message' in compiled)) return JSON.stringify(compiled.segments ?? compiled.node.type)
  return `${compiled.offset + 1}: ${compiled.message}${compiled.hint ? ` | ${compiled.hint}` : ''}`
}

test.for<[source: string, words: string]>([
  ['', '1: it is empty'],
  ['   ', '1: it is empty'],
  ['&body', '1: `&` is only allowed before an argument of a function'],
  ['body.a | [&b]', '11: `&` is only allowed before an argument of a function'],
  ['body.items[0]["id"]', '15: `"id"` is not allowed here | Write `."id"`, without brackets.'],
  ["body['a.b']", '6: `\'a.b\'` is not allowed here | Write `."a.b"`, without brackets.'],
  ['body.items[id]', '12: `id` is not allowed here'],
  ["headers.'X-A' == 'a'", "9: `'X-A'` is not allowed here"],
  ['body.items.0.id', '12: `0` is not allowed here | Write `items[0]`.'],
  ['body..x', '6: `.` is not allowed here'],
  ['body.items.map(i => i.id)', '18: a single `=` does not compare | Write `==`.'],
  ['count(body.items)', '1: there is no function `count()` (did you mean `length`?)'],
  ['body.x.', '8: it ends too early'],
  ['body.items[', '12: it ends too early'],
  ['body.items[0', '13: it ends too early'],
  ['length(body', '12: it ends too early'],
  ['(body.x', '8: it ends too early'],
  ['body.items[x]', '12: `x` is not allowed here'],
  ['body x', '6: `x` is not allowed here'],
  ['body.items.12.id', '12: `12` is not allowed here | Write `items[12]`.'],
  [
    'body.a and body.b',
    '8: `and` is not allowed here | Join conditions with `&&` or `||`, and negate one with `!`.',
  ],
  [
    'body.a OR body.b',
    '8: `OR` is not allowed here | Join conditions with `&&` or `||`, and negate one with `!`.',
  ],
  [
    'not body.a',
    '5: `body` is not allowed here | Join conditions with `&&` or `||`, and negate one with `!`.',
  ],
  [
    'body.a not in body.b',
    '8: `not` is not allowed here | Join conditions with `&&` or `||`, and negate one with `!`.',
  ],
  ['body.a is 1', '8: `is` is not allowed here | Write `==`.'],
  ['body.a in [`1`, `2`]', '8: `in` is not allowed here | Write `contains(list, value)`.'],
  ['body.a = 1', '8: a single `=` does not compare | Write `==`.'],
  ['body.a === 1', '10: a single `=` does not compare | Write `==`.'],
  ['body.a !== 1', '10: a single `=` does not compare | Write `==`.'],
  [
    'body.a == "ok"',
    '11: "ok" in double quotes is the name of a field | Write text in single quotes: \'ok\'. For the field, write `@."ok"`.',
  ],
  [
    'body.items[?contains(to_string(name), "ok")]',
    '39: "ok" in double quotes is the name of a field | Write text in single quotes: \'ok\'. For the field, write `@."ok"`.',
  ],
  [
    'body.items[?contains(["ok", "no"], state)]',
    '23: "ok" in double quotes is the name of a field | Write text in single quotes: \'ok\'. For the field, write `@."ok"`.',
  ],
  [
    'starts_with(body.a, "ok")',
    '21: "ok" in double quotes is the name of a field | Write text in single quotes: \'ok\'. For the field, write `@."ok"`.',
  ],
  ["body.a == 'ok", "11: the ' is never closed | Add the closing '."],
  ['body."a', '6: the " is never closed | Add the closing ".'],
  ['body.a == `ok`', "11: `ok` is not a JSON value | Write text in single quotes: 'ok'."],
  ['body.a == `200', '11: the ` is never closed | Add the closing `.'],
  [
    'body.first-name',
    '6: `first-name` is a subtraction here | Write "first-name" in double quotes for a field with this name, or put spaces around the minus.',
  ],
  [
    'body.{{name}}',
    '6: `{{…}}` is not filled in inside a path | Write it in JavaScript, as `{{js: …}}` or a `custom` check. In a condition, write `variables.name`; in a filter of a condition, `$.variables.name`.',
  ],
  ['body.ä', '6: unexpected character `ä` | Quote the name: "…".'],
  ['body.👍', '6: unexpected character `👍` | Quote the name: "…".'],
  ['body.@type', '6: `@` is not allowed here'],
  ['body.items[0].$ref', '15: `$` is not allowed here'],
  ['body.@', '6: `@` is not allowed here'],
  ['lenght(body)', '1: there is no function `lenght()` (did you mean `length`?)'],
  ['body.a | constructor(@)', '10: there is no function `constructor()`'],
  ['length(body, 1)', '1: `length()` has 2 arguments, but takes 1'],
  ['join(body)', '1: `join()` has 1 argument, but takes 2'],
  ["pad_left(body, `1`, '', '')", '1: `pad_left()` has 4 arguments, but takes 2 to 3'],
  ['let $x = body in $x', '8: a single `=` does not compare | Write `==`.'],
  ['body.[0, 1]', '7: 0 is not an index here | Write each index in brackets: `list.[[0], [1]]`.'],
  ['merge()', '1: `merge()` has 0 arguments, but takes 1 or more'],
  ['('.repeat(1000), '1001: it ends too early'],
  ['('.repeat(9000), '1: it nests too deeply'],
  ['!body.', '7: it ends too early'],
  ['!body. && x', '8: `&&` is not allowed here'],
  ['!', '2: it ends too early'],
])('%.40s is refused with its place', ([source, words]) => {
  expect(describe(source)).toBe(words)
})

test('a template in quotes is refused too: it would be compared as it is written', () => {
  for (const source of ["body.name == '{{name}}'", 'body.name == `"{{name}}"`', 'body."{{name}}"'])
    expect(describe(source)).toMatch(/^(?:14|6): `\{\{…\}\}` is not filled in inside a path/)
  expect(describe("contains(body, '{{')")).toBe('"Function"')
})

test.for<[source: string, read: string]>([
  ['body.items[0].id', '["body","items",0,"id"]'],
  ['body.items[ 0 ].id', '["body","items",0,"id"]'],
  ['body.items[-1]', '["body","items",-1]'],
  ['$.body.id', '["body","id"]'],
  ['body."first-name"', '["body","first-name"]'],
  ['contains(body."first-name", body."last-name")', '"Function"'],
  ['body.items[?contains(tags, @."main-tag")]', '"FilterProjection"'],
  [`contains([body."first-name", body."last-name"], 'Ann')`, '"Function"'],
  [`body.users | contains([?"is-admin"].name, 'Ann')`, '"Pipe"'],
  ['headers.Content-Type', '["headers","content-type"]'],
  ['headers."X-Rate-Limit"', '["headers","x-rate-limit"]'],
  ['headers.Set-Cookie[0]', '["headers","set-cookie",0]'],
  ['cookies.XSRF-TOKEN', '["cookies","XSRF-TOKEN"]'],
  ['request.headers.X-Auth-2nd', '["request","headers","x-auth-2nd"]'],
  ['body.headers.X-Auth', '["body","headers","X-Auth"]'],
  ['body.`true`', '6: ``true`` is not allowed here'],
  ['body.a-body.b', '"Arithmetic"'],
  ['body.a - 1', '"Arithmetic"'],
])('%s is read as %s', ([source, read]) => {
  expect(describe(source)).toBe(read)
})

test('compiles an expression once', () => {
  expect(compilePath('body.once')).toBe(compilePath('body.once'))
})

function roots(source: string): CompiledPath['rootPaths'] {
  return (compilePath(source) as CompiledPath).rootPaths
}

test('knows the paths that start at the response', () => {
  expect(roots('body.items[?id == `1`].name | [0]')).toEqual([['body', 'items']])
  expect(roots('status_code == 200 && length(body.list) > 1 || headers.a')).toEqual([
    ['status_code'],
    ['body', 'list'],
    ['headers', 'a'],
  ])
  expect(roots('$.items[*].id')).toEqual([['items']])
  expect([roots('$'), roots('length(@)')]).toEqual([[], []])
  expect(roots('body[?id == $.variables.id && a == @.b].x')).toEqual([['body'], ['variables', 'id']])
  expect(roots('body[?$.a[*].b && @.c[*].d]')).toEqual([['body'], ['a']])
})

test('never throws, whatever the text', () => {
  const alphabet = [
    'body',
    '.',
    '[',
    ']',
    '(',
    ')',
    '{',
    '}',
    '"',
    "'",
    '`',
    '?',
    '*',
    '|',
    '&',
    '!',
    '=',
    '<',
    '-',
    '1',
    '5.5',
    ' ',
    ':',
    ',',
    '@',
    '$',
    '$x',
    'let',
    'in',
    'null',
    'length',
    '\\',
    '\u0000',
    '\ud800',
  ]
  let seed = 42
  const next = (): number => (seed = (seed * 1103515245 + 12345) % 2147483648)
  for (let round = 0; round < 5000; round += 1) {
    const source = Array.from({ length: 1 + (next() % 12) }, () => alphabet[next() % alphabet.length]).join(
      '',
    )
    const compiled = compilePath(source)
    const offset = 'message' in compiled ? compiled.offset : 0
    expect(offset).toBeLessThanOrEqual(source.length)
  }
})
