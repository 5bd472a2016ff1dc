import { expect, test } from 'vitest'
import type { Json } from '../../json.ts'
import { openMarkup } from '../../request/markup/markup.ts'
import { showValue } from '../../text/show-value.ts'
import { check, message } from '../fixtures/response.ts'

const body = {
  items: [
    { id: 1, price: 5, role: 'admin', at: '2026-01-01' },
    { id: 2, price: 9, role: 'user', at: '2026-02-01' },
    { id: 2, price: 12, role: 'user', at: '2026-03-01' },
  ],
  empty: [],
  mixed: [{ id: 1 }, {}],
  name: 'Ann Lee',
  ratio: 0.3,
  created: '2026-01-31T12:00:00+01:00',
  uuid: '3f1c1f0e-8f0c-4a57-9d3e-0d1f6b0c7f2a',
  when: '2026-02-30',
  nothing: null,
  amounts: ['9.00', '10.00'],
}
const run = (yaml: string) => check(yaml, { body, bodyText: JSON.stringify(body) })
const judge = (yaml: string): string =>
  run(yaml)
    .map(({ message }) => message)
    .join('\n')

test.for([
  'body.name.not: {equals: Bob}',
  'body.name.not: {pattern: ^B}',
  'body.items.not: {each: {role: admin}}',
  'body.mixed.not: {each: {id: 1}}',
  'body.name.any_of: [{starts_with: Bob}, {ends_with: Lee}]',
  'body.name: {any_of: [Bob, Ann Lee]}',
  'body.nothing.any_of: [{type: "null"}, {minLength: 3}]',
  'body.name.all_of: [{minLength: 3}, {contains: " "}]',
  'body.ratio.between: [0, 0.3]',
  'body.ratio.close_to: {value: 0.2, delta: 0.1}',
  'body.ratio.close_to: {value: 0.4, delta: 0.1}',
  'body.items[-1].price.close_to: {value: 11.93, delta: 0.07}',
  'body.items.unique: price',
  'body.items.sorted_by: price',
  'body.items.sorted_by: {field: at, order: asc}',
  'body["items"][*].role.contains: admin',
  'body: {"items[*].price": {sorted_by: {order: asc}}}',
  'body: {"items[?price > 6].id": [2, 2]}',
  'body: {"items[-1].price": 12}',
  'body.items.some: {role: admin}',
  'body.items.none: {role: guest}',
  'body.items.none: {deleted: {exists: true}}',
  'body.created.is_before: now',
  'body.created.is_after: "2026-01-31T10:59:59Z"',
  'body.created.is_near: {to: "2026-01-31T11:00:30Z", by: 1m}',
  'body.uuid.type: uuid',
  'body.created.type: date-time',
  'body.items[0].at.type: date',
  'body.nick: {optional: true, type: string}',
  'body.nick: {optional: true, first: {minLength: 2}}',
  'body.nick: {optional: true, first: {exists: true}}',
  'body.deleted: {optional: true, any_of: [5, {type: "null"}]}',
  'body.empty: {each: {id: 1}, optional: true}',
  'body.empty: {each: {id: 1}, minLength: 0}',
  'size_bytes: 40',
  'size_bytes: {between: [10, 50]}',
  'duration_ms: 15',
  'redirects: 0',
  'redirects: {less_than: 3, greater_than_or_equal: 0}',
  'redirects: {equals: 0, not_equals: 1}',
  'redirects: {in: [0, 1], not_in: [2], between: [0, 1]}',
  'redirects: {equals: []}',
])('%s passes, without a warning', (yaml) => {
  for (const row of run(yaml)) expect(row).toMatchObject({ passed: true, message: 'OK' })
  expect(run(yaml).flatMap(({ warning }) => warning ?? [])).toEqual([])
})

test.for<[yaml: string, message: string]>([
  [
    'body.name.not: {equals: Ann Lee}',
    'Expected `body.name` not to pass these checks, but it does: `"Ann Lee"` (string)',
  ],
  [
    'body.name.not: {greater_than: 5}',
    'The `greater_than` check of `body.name` works on number, got `"Ann Lee"` (string)',
  ],
  [
    'body.name.not: {contains: 5}',
    "The `contains` check of `body.name` looks for `5` (number) in a string, which contains only strings, such as `'5'`",
  ],
  [
    'body.name.not: {any_of: [{contains: 5}, {not_contains: 5}]}',
    `Expected \`body.name\` to pass one of 2 checks, none does:
  The \`contains\` check of \`body.name\` looks for \`5\` (number) in a string, which contains only strings, such as \`'5'\`
  The \`not_contains\` check of \`body.name\` looks for \`5\` (number) in a string, which contains only strings, such as \`'5'\``,
  ],
  [
    'body.ratio.not: {notEmpty: true}',
    'The `notEmpty` check of `body.ratio` works on string, array, object or null, got `0.3` (number)',
  ],
  ['body.name.not: {first: 5}', 'nothing at `body.name.first`; `body.name` is `"Ann Lee"` (string)'],
  [
    'body.name.not: {schema: {type: number}}',
    'The schema of `body.name` was not loaded, so nothing was checked',
  ],
  [
    'body.nick.not: {equals: 5}',
    'nothing at `body.nick`; `body` has: items, empty, mixed, name, ratio, created, uuid, when, nothing, amounts',
  ],
  [
    'body.nick: {any_of: [5, {type: string}]}',
    'nothing at `body.nick`; `body` has: items, empty, mixed, name, ratio, created, uuid, when, nothing, amounts',
  ],
  [
    'body.items[0].not: {rle: admin}',
    'nothing at `body.items[0].rle`; `body.items[0]` has: id, price, role, at (did you mean `role`?)',
  ],
  [
    'body.name.any_of: [{starts_with: Bob}, {minLength: 9}]',
    `Expected \`body.name\` to pass one of 2 checks, none does:
  Expected \`body.name\` to start with \`"Bob"\` (string), got \`"Ann Lee"\` (string)
  Expected \`body.name\` to have a length of at least 9, got 7: \`"Ann Lee"\` (string)`,
  ],
  [
    'body.name.all_of: [{minLength: 9}, {contains: x}]',
    `Expected \`body.name\` to pass all checks:
  Expected \`body.name\` to have a length of at least 9, got 7: \`"Ann Lee"\` (string)
  Expected \`body.name\` to contain \`"x"\` (string), got \`"Ann Lee"\` (string)`,
  ],
  ['body.name.ends_with: lee', 'Expected `body.name` to end with `"lee"` (string), got `"Ann Lee"` (string)'],
  ['body.ratio.between: [1, 2]', 'Expected `body.ratio` to be between 1 and 2, got `0.3` (number)'],
  [
    'body.items[-1].price.close_to: {value: 11.9299, delta: 0.07}',
    'Expected `body.items[-1].price` to be at most 0.07 away from 11.9299, got `12` (number), which is 0.0701 away',
  ],
  [
    'body.ratio.close_to: {value: 0.1, delta: 0.1}',
    'Expected `body.ratio` to be at most 0.1 away from 0.1, got `0.3` (number), which is 0.2 away',
  ],
  ['body.items.unique: id', 'Expected `body.items` to have no elements with equal `id`: 2 at [1] and [2]'],
  [
    'body.items.unique: prize',
    'The `unique` check of `body.items` finds nothing at `body.items[0].prize`; `body.items[0]` has: id, price, role, at (did you mean `price`?)',
  ],
  [
    'body.items.sorted_by: {field: price, order: desc}',
    'Expected `body.items` to be sorted by `price` (desc); [0] has `5` (number), [1] has `9` (number)',
  ],
  [
    'body.amounts.sorted_by: {order: asc}',
    'Expected `body.amounts` to be sorted by its elements (asc); [0] has `"9.00"` (string), [1] has `"10.00"` (string) (they were compared as texts, not as numbers)',
  ],
  [
    'body.items.some: {role: guest}',
    `Expected some element of \`body.items\` to pass; none of 3 did:
  Expected \`body.items[0].role\` to equal \`"guest"\` (string), got \`"admin"\` (string)
  Expected \`body.items[1].role\` to equal \`"guest"\` (string), got \`"user"\` (string)
  Expected \`body.items[2].role\` to equal \`"guest"\` (string), got \`"user"\` (string)`,
  ],
  ['body.empty.some: {id: 1}', 'Expected some element of `body.empty` to pass, but the list is empty'],
  ['body.items.none: {role: user}', 'Expected no element of `body.items` to pass; 2 of 3 did: [1], [2]'],
  [
    'body.items.none: {rle: user}',
    `The \`none\` check of \`body.items\` could not be made on any element:
  nothing at \`body.items[0].rle\`; \`body.items[0]\` has: id, price, role, at (did you mean \`role\`?)
  nothing at \`body.items[1].rle\`; \`body.items[1]\` has: id, price, role, at (did you mean \`role\`?)
  nothing at \`body.items[2].rle\`; \`body.items[2]\` has: id, price, role, at (did you mean \`role\`?)`,
  ],
  [
    'body.items.not: {some: {rle: user}}',
    `Expected some element of \`body.items\` to pass; none of 3 did:
  nothing at \`body.items[0].rle\`; \`body.items[0]\` has: id, price, role, at (did you mean \`role\`?)
  nothing at \`body.items[1].rle\`; \`body.items[1]\` has: id, price, role, at (did you mean \`role\`?)
  nothing at \`body.items[2].rle\`; \`body.items[2]\` has: id, price, role, at (did you mean \`role\`?)`,
  ],
  [
    'body.items.not: {each: {pric: 5}}',
    `Expected every element of \`body.items\` to pass; 3 of 3 did not:
  nothing at \`body.items[0].pric\`; \`body.items[0]\` has: id, price, role, at (did you mean \`price\`?)
  nothing at \`body.items[1].pric\`; \`body.items[1]\` has: id, price, role, at (did you mean \`price\`?)
  nothing at \`body.items[2].pric\`; \`body.items[2]\` has: id, price, role, at (did you mean \`price\`?)`,
  ],
  [
    'body: {"items[*].pric": {unique: true}}',
    'nothing at `body.items[0].pric`; `body.items[0]` has: id, price, role, at (did you mean `price`?)',
  ],
  [
    'body.created.is_after: "2026-02-01"',
    'Expected `body.created` to be after `2026-02-01`, got `"2026-01-31T12:00:00+01:00"` (string)',
  ],
  [
    'body.when.is_before: now',
    'The `is_before` check of `body.when` works on a time such as `2026-01-31T12:00:00Z`, got `"2026-02-30"` (string)',
  ],
  ['body.when.type: date', 'Expected `body.when` to be of type date, got `"2026-02-30"` (string)'],
  [
    'body.name.type: [email, uri, uuid]',
    'Expected `body.name` to be of type email or uri or uuid, got `"Ann Lee"` (string)',
  ],
  [
    'body.items[0].nick: {optional: true, type: string}\nbody.items[0].role: {optional: true, type: integer}',
    'OK\nOK\nOK\nExpected `body.items[0].role` to be of type integer, got `"admin"` (string)',
  ],
  [
    'body.name.first: {optional: true, type: string}',
    'nothing at `body.name.first`; `body.name` is `"Ann Lee"` (string)\nnothing at `body.name.first`; `body.name` is `"Ann Lee"` (string)',
  ],
  ['body.nothing.first: {optional: true, type: string}', 'OK\nOK'],
  [
    'body.usr.nick: {optional: true, type: string}',
    'nothing at `body.usr.nick`; `body` has: items, empty, mixed, name, ratio, created, uuid, when, nothing, amounts\nnothing at `body.usr.nick`; `body` has: items, empty, mixed, name, ratio, created, uuid, when, nothing, amounts',
  ],
  [
    'body.items.count: 3',
    'nothing at `body.items.count`; `body.items` is an array of 3 elements; as a check, `count` is `length`',
  ],
  [
    'body.items: {lengthOf: 3}',
    'nothing at `body.items.lengthOf`; `body.items` is an array of 3 elements; as a check, `lengthOf` is `length`',
  ],
  [
    'body.name: {a: string}',
    'nothing at `body.name.a`; `body.name` is `"Ann Lee"` (string); as a check, `a` is `type`',
  ],
  [
    'body.items.every: {id: 1}',
    'nothing at `body.items.every.id`; `body.items` is an array of 3 elements; as a check, `every` is `each`',
  ],
  [
    'body.name: {min: 3}',
    'nothing at `body.name.min`; `body.name` is `"Ann Lee"` (string); as a check, `min` is `greater_than_or_equal`',
  ],
  [
    'body.amounts[0]: {greater_than: 20}',
    'The `greater_than` check of `body.amounts[0]` works on number, got `"9.00"` (string); for a number in a string, write `Number(body.amounts[0]) > 20` in `custom`',
  ],
  [
    'body.amounts[0]: {between: [20, 30]}',
    'The `between` check of `body.amounts[0]` works on number, got `"9.00"` (string); for a number in a string, write `Number(body.amounts[0])` in `custom`',
  ],
  [
    'body.name: {greater_than: 20}',
    'The `greater_than` check of `body.name` works on number, got `"Ann Lee"` (string)',
  ],
  [
    'body.amounts: ["9.00", {type: string}]',
    `Expected \`body.amounts\` to equal the given array; 1 difference:
  \`body.amounts[1]\`: expected \`{"type":"string"}\` (object), got \`"10.00"\` (string)
\`body.amounts\` is compared with the list as it is written. For the check of an element, write \`'[1]': …\` instead, and \`length\` for the number of elements`,
  ],
  [
    'body.name: {match: ^Ann}',
    'nothing at `body.name.match`; `body.name` is `"Ann Lee"` (string); as a check, `match` is `pattern`',
  ],
  [
    'body.items[0]: {present: true}',
    'nothing at `body.items[0].present`; `body.items[0]` has: id, price, role, at; as a check, `present` is `exists: true`',
  ],
  [
    'body.name: /^Ann/',
    'Expected `body.name` to equal `"/^Ann/"` (string), got `"Ann Lee"` (string); for a regular expression, write `pattern` instead of slashes',
  ],
  [
    'body.items[0].id: "> 2"',
    'Expected `body.items[0].id` to equal `"> 2"` (string), got `1` (number); for a comparison, write `greater_than` or `less_than`',
  ],
  [
    'body.empty.gone: null',
    'nothing at `body.empty.gone`; `body.empty` is an array of 0 elements; write `exists: false` if it must be absent',
  ],
  [
    'body.items[0].gone: {absent: true}',
    'nothing at `body.items[0].gone.absent`; `body.items[0]` has: id, price, role, at; as a check, `absent` is `exists: false`',
  ],
  [
    "'body.items[?id==`1`].id': 1",
    'Expected `body.items[?id==`1`].id` to equal `1` (number), got `[1]` (array)',
  ],
  [
    'body.items[*].id: {greater_than: 0}',
    'The `greater_than` check of `body.items[*].id` works on number, got `[1,2,2]` (array)',
  ],
  [
    'body.items[0]: {exact: {id: 1}}',
    'nothing at `body.items[0].exact.id`; `body.items[0]` has: id, price, role, at; as a check, `exact` is `equals`',
  ],
  ['redirects: {not_equals: 0}', 'Expected `redirects.length` not to equal `0` (number), but it does'],
  ['redirects: {not_in: [0, 1]}', 'Expected `redirects.length` to be none of [0,1], got `0` (number)'],
  ['redirects.between: [1, 2]', 'Expected `redirects.length` to be between 1 and 2, got `0` (number)'],
  ['redirects: 1', 'Expected `redirects` to have a length of 1, got 0: `[]` (array)'],
])('%s fails in words', ([yaml, message]) => {
  expect(judge(yaml)).toBe(message)
})

test('elements with more fields than an expected list has are allowed by contains', () => {
  expect(judge('body.items: [{id: 1}, {id: 2}, {id: 2}]')).toMatch(
    /\nThe elements of `body.items` have more fields. To allow that, write `contains` with this list, and `length`$/,
  )
  expect(judge('body.items: {contains: [{id: 1}, {id: 2}], length: 3}')).toBe('OK\nOK')
  expect(judge('body.items: [{id: 1}, {id: 9}, {id: 2}]')).not.toContain('`contains`')
})

test.for<[type: string, yes: string[], no: string[]]>([
  ['uuid', ['3F1C1F0E-8f0c-4a57-9d3e-0d1f6b0c7f2a'], ['3f1c1f0e8f0c4a579d3e0d1f6b0c7f2a', '']],
  ['date', ['2024-02-29'], ['2023-02-29', '2024-2-9', '2024-02-29T00:00:00Z', '29.02.2024']],
  [
    'date-time',
    ['2024-02-29T23:59:59Z', '2024-02-29t23:59:59.123+05:30'],
    [
      '2024-02-29',
      '2024-02-29T23:59Z',
      '2024-02-29T23:59:59',
      '2024-02-30T00:00:00Z',
      '2024-02-29T25:00:00Z',
    ],
  ],
  ['email', ['ann.lee+x@mail.example.com'], ['ann@', '@example.com', 'ann lee@example.com', 'ann@-x.com']],
  [
    'uri',
    [
      'https://example.com/a?b#c',
      'urn:isbn:1',
      'mailto:a@b.c',
      'http://[::1]/a%20b',
      'http://a:b:c@d:1?:x',
      'http://a:/',
    ],
    ['/a', 'example.com', 'http://a b', 'https://a/{id}', 'https://a/<b>', 'a:b|c', 'a:b%2', 'a:é'],
  ],
])('the type %s', ([type, yes, no]) => {
  const judgeText = (v: string) => check(`body.v.type: ${type}`, { body: { v } })[0]?.passed
  expect(yes.filter((text) => !judgeText(text))).toEqual([])
  expect(no.filter(judgeText)).toEqual([])
})

test('times are also seconds and milliseconds since 1970, in texts too', () => {
  const times = {
    seconds: 1_769_857_200,
    millis: 1_769_857_200_123,
    iat: 1_769_857_200.5,
    digits: '1769857200',
  }
  const judgeTimes = (yaml: string) => check(yaml, { body: times }).map(({ message }) => message)
  expect(judgeTimes('body.seconds.is_near: {to: "2026-01-31T11:00:00Z", by: 1ms}')).toEqual(['OK'])
  expect(
    judgeTimes('body.millis: {is_after: "2026-01-31T11:00:00.122Z", is_before: "2026-01-31T11:00:00.124Z"}'),
  ).toEqual(['OK', 'OK'])
  expect(judgeTimes('body.iat: {is_after: 1769857200, is_before: "2026-01-31T11:00:01Z"}')).toEqual([
    'OK',
    'OK',
  ])
  expect(judgeTimes('body.digits.is_near: {to: 1769857200000, by: 1ms}')).toEqual(['OK'])
  expect(judgeTimes('body.seconds.is_after: now')).toEqual([
    expect.stringMatching(
      /^Expected `body.seconds` to be after now \(20.*Z\), got `1769857200` \(number\), which is 2026-01-31T11:00:00.000Z$/,
    ),
  ])
  expect(judgeTimes('body.seconds.is_after: 1769857201')).toEqual([
    'Expected `body.seconds` to be after 1769857201 (2026-01-31T11:00:01.000Z), got `1769857200` (number), which is 2026-01-31T11:00:00.000Z',
  ])
})

test.for<[value: string, yaml: string, passed: boolean]>([
  ['2026-01-31T12:00:00.123456Z', 'is_before: "2026-01-31T12:00:00.123Z"', false],
  ['2026-01-31T12:00:00.123456Z', 'is_near: {to: "2026-01-31T12:00:00.123456Z", by: 0ms}', true],
  ['0001-01-01 00:00:00Z', 'is_before: "1000-01-01"', true],
])('the time %s, and %s: %s', ([value, yaml, passed]) => {
  expect(check(`body.v: {${yaml}}`, { body: { v: value } })).toMatchObject([{ passed }])
})

test('cookies have a value and attributes', () => {
  const headers = {
    'set-cookie': [
      'session=abc=1; Path=/; Max-Age=60; HttpOnly; SameSite=Lax',
      'theme=dark',
      'odd=1; Max-Age=1h',
      '=nobody; Path=/',
      'none; Path=/',
    ],
  }
  const judgeCookies = (yaml: string) =>
    check(yaml, { headers }).map(({ field, message }) => [field, message])
  expect(
    judgeCookies(
      'cookies: {session: {minLength: 3, http_only: true, secure: false, max_age: 60, same_site: Lax}, theme: dark}',
    ),
  ).toEqual([
    ['cookies.session.value.minLength', 'OK'],
    ['cookies.session.http_only.equals', 'OK'],
    ['cookies.session.secure.equals', 'OK'],
    ['cookies.session.max_age.equals', 'OK'],
    ['cookies.session.same_site.equals', 'OK'],
    ['cookies.theme.value.equals', 'OK'],
  ])
  expect(judgeCookies('cookies.sesion: abc')).toEqual([
    [
      'cookies.sesion.value.equals',
      'nothing at `cookies.sesion.value`; `cookies` has: session, theme, odd (did you mean `session`?)',
    ],
  ])
  expect(judgeCookies('cookies.odd.max_age: 1h')).toEqual([['cookies.odd.max_age.equals', 'OK']])
  expect(
    judgeCookies('cookies.theme: {secure: {exists: true}, partitioned.exists: false, http_only: false}'),
  ).toEqual([
    ['cookies.theme.secure.exists', 'nothing at `cookies.theme.secure`'],
    ['cookies.theme.partitioned.exists', 'OK'],
    ['cookies.theme.http_only.equals', 'OK'],
  ])
  for (const name of ['old', 'none'])
    expect(judgeCookies(`cookies.${name}: {exists: false}`)).toEqual([[`cookies.${name}.exists`, 'OK']])
})

test('cookies are read as browsers do, and what is wrong with an attribute can be seen', () => {
  const headers = {
    'set-cookie': ['none', 'a=1; Max-Age=; Value=2;', 'b=3; Max-Age=soon; Path=/;', 'c=4; max-age=-1'],
  }
  const judgeCookies = (yaml: string) => check(yaml, { headers }).map(({ message }) => message)
  expect(judgeCookies('cookies: {a: "1", none: {exists: false}, c: {max_age: -1}}')).toEqual([
    'OK',
    'OK',
    'OK',
  ])
  const wrong = '{a: {max_age: 0}, b: {max_age: {not: {greater_than: 5}}, domain: x}}'
  expect(judgeCookies(`cookies: ${wrong}`)).toEqual([
    'Expected `cookies.a.max_age` to equal `0` (number), got `""` (string)',
    'The `greater_than` check of `cookies.b.max_age` works on number, got `"soon"` (string)',
    'nothing at `cookies.b.domain`; `cookies.b` has: value, max_age, path, http_only, secure, partitioned',
  ])
})

test.for<[yaml: string, message: string]>([
  ['some: {pattern: ^L}', 'OK'],
  ['none: {starts_with: Z}', 'OK'],
  ['each: {length: {less_than: 7}, type: string}', 'OK'],
  ['any_of: [{length: 3}, {some: {pattern: ^L, ends_with: n}}]', 'OK'],
  [
    'not: {some: {pattern: ^L}}',
    'Expected `headers.x-fruit` not to pass these checks, but it does: `["Banana","Lemon"]` (array)',
  ],
  [
    'some: {pattern: ^B, ends_with: n}',
    'Expected some element of `headers.x-fruit` to pass; none of 2 did:\n  Expected `headers.x-fruit[0]` to end with `"n"` (string), got `"Banana"` (string)\n  Expected `headers.x-fruit[1]` to match the pattern `^B`, got `"Lemon"` (string)',
  ],
  [
    'pattern: ^B',
    'The `pattern` check of `headers.x-fruit` needs a single value, got 2: `["Banana","Lemon"]` (array). Write `some: {pattern: …}` if one of them must pass, `each: {pattern: …}` if all must',
  ],
  ['contains: Lemon, not_contains: Lime', 'OK'],
  ['contains: [Lemon, Banana]', 'OK'],
  [
    'contains: Lime',
    'Expected `headers.x-fruit` to contain `"Lime"` (string), got `["Banana","Lemon"]` (array)',
  ],
  [
    'not_contains: Lemon',
    'Expected `headers.x-fruit` not to contain `"Lemon"` (string), but it does: `["Banana","Lemon"]` (array)',
  ],
  [
    'contains: [Lemon, an]',
    'The `contains` check of `headers.x-fruit` needs a single value, got 2: `["Banana","Lemon"]` (array). Write `some: {contains: …}` if one of them must pass, `each: {contains: …}` if all must',
  ],
  [
    'not: {not_contains: an}',
    'The `not_contains` check of `headers.x-fruit` needs a single value, got 2: `["Banana","Lemon"]` (array). Write `some: {not_contains: …}` if one of them must pass, `each: {not_contains: …}` if all must',
  ],
  [
    'not_contains: AN',
    'The `not_contains` check of `headers.x-fruit` needs a single value, got 2: `["Banana","Lemon"]` (array). Write `some: {not_contains: …}` if one of them must pass, `each: {not_contains: …}` if all must',
  ],
  ['equals: [Banana, Lemon]', 'OK'],
])('a repeated header is a list: %s', ([yaml, message]) => {
  const headers = { 'x-fruit': ['Banana', 'Lemon'] }
  expect(check(`headers.x-fruit: {${yaml}}`, { headers })[0]?.message).toBe(message)
})

test('a check that fails tells of a field with its name', () => {
  expect(message('body.box.length: 5', { body: { box: { length: 5 } } })).toBe(
    'Expected `body.box` to have a length of 5, got 1: `{"length":5}` (object); `body.box` has a field called `length` in the response, but here `length` is the check of that name. To check the field, write `field: {length: …}`',
  )
  expect(message("body.list[?id == '1']: [1]", { body: { list: [{ id: 1 }] } })).toBe(
    "Expected `body.list[?id == '1']` to equal the given array; 1 difference:\n  `body.list[?id == '1'][0]`: expected `1` (number), nothing there\n`[?id == '1']` compares `1` (number) with `\"1\"` (string), which are never equal",
  )
})

test('headers take `not`, `any_of` and times', () => {
  const headers = {
    'content-type': 'text/html',
    date: 'Sat, 31 Jan 2026 11:00:00 GMT',
    expires: 'Sat, 31 Jan 2026 11:00:00 GMT',
    'content-length': '12',
  }
  const judgeHeaders = (yaml: string) => check(yaml, { headers }).map(({ message }) => message)
  expect(judgeHeaders('headers.content-type.any_of: [{contains: json}, {contains: html}]')).toEqual(['OK'])
  expect(judgeHeaders('headers.content-type.not: {contains: html}')).toEqual([
    'Expected `headers.content-type` not to pass these checks, but it does: `"text/html"` (string)',
  ])
  expect(
    judgeHeaders(
      'headers: {date: {is_after: "2026-01-31"}, expires: {is_near: {to: "2026-01-31T11:00:00Z", by: 1s}}, content-length: {between: [10, 20]}}',
    ),
  ).toEqual(['OK', 'OK', 'OK'])
})

function sameText(field: string, actual: Json, operand: Json): string {
  return `The check of \`body.${field}\` passed only because the types differ: ${showValue(actual)} was compared with ${showValue(operand)}.`
}

test.for<[yaml: string, warning: string]>([
  [
    'body.exists: true',
    '`body` has a field called `exists` in the response, but here `exists` is the check of that name. To check the field, write `field: {exists: …}`.',
  ],
  [
    'body.list.each: {length: 1}',
    '`body.list[0]` has a field called `length` in the response, but here `length` is the check of that name. To check the field, write `field: {length: …}`.',
  ],
  [
    'body.list[0].not: {length: 5}',
    '`body.list[0]` has a field called `length` in the response, but here `length` is the check of that name. To check the field, write `field: {length: …}`.',
  ],
  [
    'body.left.each: {id: 1}',
    '`each` of `body.left` checked nothing: the list is empty. Add `notEmpty: true` beside it to reject an empty list, or `minLength: 0` to allow one.',
  ],
  [
    'body.left: {unique: true}',
    '`unique` of `body.left` checked nothing: the list is empty. Add `notEmpty: true` beside it to reject an empty list, or `minLength: 0` to allow one.',
  ],
  ['body.n: {not: "5"}', sameText('n', 5, '5')],
  ['body.ids: {not_contains: ["7", "1"]}', sameText('ids', 1, '1')],
  [
    'body.items: {not_contains: {id: "2"}}',
    'The check of `body.items` passed only because the types differ: `{"id":2}` (object) was compared with `{"id":"2"}` (object).',
  ],
  [
    'body.items[0]: {not_equals: {id: "1"}}',
    'The check of `body.items[0]` passed only because the types differ: `{"id":1}` (object) was compared with `{"id":"1"}` (object).',
  ],
  [
    'body.ids: {not_equals: ["1", "2"]}',
    'The check of `body.ids` passed only because the types differ: `[1,2]` (array) was compared with `["1","2"]` (array).',
  ],
  ['body.items.none: {id: "2"}', sameText('items[1].id', 2, '2')],
  ['body.n.not_equals: "5"', sameText('n', 5, '5')],
  ['body.n: {not_in: ["4", "5"]}', sameText('n', 5, '5')],
  ...['not_equals: OPEN', 'not_in: [shut, Open]', 'not: {equals: OPEN}', 'not: {in: [shut, Open]}'].map(
    (yaml): [string, string] => [
      `body.state: {${yaml}}`,
      `The check of \`body.state\` passed only because of upper and lower case: \`"open"\` (string) was compared with \`"${yaml.includes('Open') ? 'Open' : 'OPEN'}"\` (string).`,
    ],
  ),
  [
    'body.state: {not_contains: PEN}',
    'The check of `body.state` passed only because of upper and lower case: `"open"` (string) was compared with `"PEN"` (string).',
  ],
  ...['not: {contains: EN}', 'not: {starts_with: OP}', 'not: {ends_with: EN}'].map(
    (yaml): [string, string] => [
      `body.state: {${yaml}}`,
      `The check of \`body.state\` passed only because of upper and lower case: \`"open"\` (string) was compared with \`"${yaml.slice(-3, -1)}"\` (string).`,
    ],
  ),
  ...['OPEN', '(O|X)pen'].map((pattern): [string, string] => [
    `body.state: {not: {pattern: ${pattern}}}`,
    `The check of \`body.state\` passed only because of upper and lower case: \`"open"\` (string) was compared with \`${pattern}\`.`,
  ]),
  [
    'body.words: {none: {pattern: /b|c/}}',
    'The check of `body.words[0]` passed only because the slashes are part of the pattern: `"a b\\n"` (string) was compared with `/b|c/`.',
  ],
  ...[
    [1, 'not_equals: "a b\\n"', String.raw`a\xa0b\r\n`, String.raw`a b\n`],
    [1, 'not_in: [x, "a b"]', String.raw`a\xa0b\r\n`, 'a b'],
    [1, 'not_contains: "a b\\n"', String.raw`a\xa0b\r\n`, String.raw`a b\n`],
    [2, 'not_equals: "caf\\xe9"', String.raw`cafe\u0301`, 'café'],
    [2, 'not: {starts_with: "caf\\xe9"}', String.raw`cafe\u0301`, 'café'],
    [3, 'not_equals: ab', String.raw`a\u200bb`, 'ab'],
    [4, 'not_equals: ""', ' ', ''],
  ].map(([index, yaml, actual, operand]): [string, string] => [
    `body.words[${index}]: {${yaml}}`,
    `The check of \`body.words[${index}]\` passed only because of spaces, line ends or characters that look alike: \`"${actual}"\` (string) was compared with \`"${operand}"\` (string).`,
  ]),
  ['body.amount: {not_equals: 12.5}', sameText('amount', '12.50', 12.5)],
  [
    'body.rows: {sorted_by: amount}',
    '`sorted_by` of `body.rows` passed only because ["10.00","9.00"] were compared as texts, not as numbers. Compare them in a `custom` check.',
  ],
  [
    'body.rows: {sorted_by: {field: at, order: desc}}',
    '`sorted_by` of `body.rows` passed only because ["2026-03-29T03:00:00+02:00","2026-03-29T02:00:00Z"] were compared as texts, not as times. Compare them in a `custom` check.',
  ],
  [
    'body.ids.not_equals: 1',
    'The check of `body.ids` passed only because the types differ: `[1,2]` (array) was compared with `1` (number). Use `not_in`, `not_contains` or `length`.',
  ],
  ...['not: 2', 'not_equals: 2', 'not_in: [1, 2]'].map((yaml): [string, string] => [
    `body.items: {${yaml}}`,
    'The check of `body.items` passed only because the types differ: `[{"id":1},{"id":2}]` (array) was compared with `2` (number). Use `not_in`, `not_contains` or `length`.',
  ]),
  [
    'body.n: {not_equals: [5, 6]}',
    'The check of `body.n` passed only because the types differ: `5` (number) was compared with `[5,6]` (array). Use `not_in`, `not_contains` or `length`.',
  ],
  [
    'body.items[*].id: {not_in: [2]}',
    'The check of `body.items[*].id` passed only because the types differ: `[1,2]` (array) was compared with `2` (number). Use `not_in`, `not_contains` or `length`.',
  ],
])('%s passes with a warning', ([yaml, warning]) => {
  const answer = {
    exists: false,
    list: [{ length: 7 }],
    left: [],
    n: 5,
    ids: [1, 2],
    items: [{ id: 1 }, { id: 2 }],
    state: 'open',
    amount: '12.50',
    words: ['a b\n', 'a\u00a0b\r\n', 'cafe\u0301', 'a\u200bb', ' '],
    rows: [
      { amount: '10.00', at: '2026-03-29T03:00:00+02:00' },
      { amount: '9.00', at: '2026-03-29T02:00:00Z' },
    ],
  }
  expect(check(yaml, { body: answer })).toMatchObject([{ passed: true, warning }])
})

test.each([
  'state: {not: {pattern: "[A-Z]"}}',
  'state: {not: {pattern: /OPEN/}}',
  'state: {not_contains: "\\n"}',
  'state: {not: {contains: "\\u200b"}}',
  'state: {not_contains: close}',
  'state: {not: {contains: OPEN, minLength: 20}}',
])('a negative check that holds as it is meant has no warning: %s', (yaml) => {
  const [row] = check(`body.${yaml}`, { body: { state: 'open a' } })
  expect([row?.passed, row?.warning]).toEqual([true, undefined])
})

test('what may be missing is told once where its name is misspelt', () => {
  const rows = check('body.stat: {optional: true, type: string}', { body: { state: 5 } })
  expect(rows.map(({ passed, warning }) => [passed, warning])).toEqual([
    [true, '`optional: true` holds: nothing at `body.stat`; `body` has: state (did you mean `state`?).'],
    [true, undefined],
  ])
})

test('a location that is not there may be one of a redirect', () => {
  const redirects = [{ status_code: 302, url: 'http://host/login', location: '/', set_cookies: [] }]
  const message =
    'nothing at `headers.location`; available headers: content-type, a; it was in a redirect: see `redirects[0].location`'
  const judge = (yaml: string) => check(`headers.location: ${yaml}`, { headers: { a: '1' }, redirects })
  expect(judge('/')).toMatchObject([{ passed: false, message }])
  expect(judge('{exists: false}')).toMatchObject([
    { passed: true, warning: `\`exists: false\` holds: ${message}.` },
  ])
})

test('a cookie that is not there may be one of a redirect', () => {
  const redirects = [{ status_code: 302, url: 'http://host/login', location: '/', set_cookies: ['sid'] }]
  const note = 'it was set by a redirect: use `follow_redirects: false` to check that response'
  const there = '`cookies` is an empty object'
  expect(check('cookies.sid: abc', { headers: {}, redirects })).toMatchObject([
    { passed: false, message: `nothing at \`cookies.sid.value\`; ${there}; ${note}` },
  ])
  expect(check('cookies.sid: {exists: false}', { headers: {}, redirects })).toMatchObject([
    { passed: true, warning: `\`exists: false\` holds: nothing at \`cookies.sid\`; ${there}; ${note}.` },
  ])
  const [other] = check('cookies.other: {exists: false}', { headers: {}, redirects })
  expect(other).toMatchObject({ passed: true })
  expect(other?.warning).toBeUndefined()
})

test('`not_contains` with a text is told of a list of lists and maps, and with a map of one without maps', () => {
  const warn = (part: string, list: Json[]) =>
    check(`body.rows.not_contains: ${part}`, { body: { rows: list } })[0]?.warning
  const rows = [['lamp'], { sku: 'lamp' }]
  expect(warn('lamp', rows)).toBe(
    '`not_contains` of `body.rows` looks for `"lamp"` (string), but all elements are lists or maps.',
  )
  expect(warn('lamp', [...rows, null])).toBeUndefined()
  expect(warn('lamp', [])).toBeUndefined()
  expect(warn('[lamp, desk]', rows)).toBeUndefined()
  expect(warn('{sku: lamp}', ['lamp'])).toBe(
    '`not_contains` of `body.rows` looks for `{"sku":"lamp"}` (object), but no element is a map.',
  )
})

test('the name of a check in what `contains` looks for is told where there is no such field', () => {
  const judge = (yaml: string, rows: Json) => check(`body.rows: {${yaml}}`, { body: { rows } })[0]
  const said = (operator: string, name: string, other: string) =>
    `\`${operator}\` of \`body.rows\` looks for a field \`${name}\`, which is not there. For the check of that name, write \`${other}: {${name}: …}\``
  const rows = ['a', 'b', { key: 'val' }]
  for (const [name, value] of [
    ['pattern', 'a'],
    ['type', 'string'],
  ] as const) {
    const warning = `${said('not_contains', name, 'none')}.`
    expect(judge(`not_contains: {${name}: ${value}}`, rows)).toMatchObject({ passed: true, warning })
    expect(judge(`not_contains: [z, {${name}: ${value}}]`, rows)).toMatchObject({ passed: true, warning })
    expect(judge(`contains: {${name}: ${value}}`, rows)?.message).toContain(
      `; ${said('contains', name, 'some')}`,
    )
  }
  expect(judge('not_contains: {length: 3}', { a: 'abc' })?.warning).toBe(
    `${said('not_contains', 'length', 'not')}.`,
  )
  expect(judge('not_contains: {type: email}', [{ type: 'phone' }])?.warning).toBeUndefined()
  expect(judge('not_contains: {type: email}', [])?.warning).toBeUndefined()
})

test('a field of that name no element has, so that none can contain it', () => {
  const [misspelt, other] = ['prise', 'password'].map(
    (name) => check(`body.items: {not_contains: {${name}: 7}}`, { body: { items: [{ price: 7 }] } })[0],
  )
  expect(misspelt?.warning).toBe(
    '`not_contains` of `body.items` looks for `prise`, which no element has (did you mean `price`?).',
  )
  expect(other).toMatchObject({ passed: true })
  expect(other?.warning).toBeUndefined()
})

test.for(['/id', 'items/0', 'length(items)', 'id '])('%s looks like another way to name a field', (name) => {
  const [row] = check(`body: {'${name}': {exists: false}}`, { body: { id: 1, items: [1] } })
  expect(row?.warning).toMatch(/^`exists: false` holds: nothing at `body\["/)
  const [other] = check("body: {'/users': {exists: false}}", { body: { id: 1 } })
  expect(other?.warning).toBeUndefined()
})

test.each([
  ['[0-9]*', true],
  ['/.*|x+/s', true],
  ['(?:a|b?)', true],
  ['^[0-9]*$', false],
  ['[0-9]+', false],
  [String.raw`\bx?`, false],
])('a pattern that every text matches is doubted: %s', (pattern, isDoubted) => {
  const [row] = check(`body.state: {pattern: '${pattern}'}`, { body: { state: 'x' } })
  expect(row?.warning?.startsWith('`pattern` of `body.state` checks nothing: every string')).toBe(
    isDoubted || undefined,
  )
})

test('a cookie that is set twice is checked as it is set last, with a warning', () => {
  const headers = { 'set-cookie': ['a=1; Path=/', 'a=2; Path=/x; HttpOnly', 'b=3'] }
  expect(check('cookies: {a: {http_only: true}, b: "3"}', { headers })).toMatchObject([
    {
      passed: true,
      warning: '`cookies.a` is the last of 2 cookies of that name; `headers.set-cookie` has all.',
    },
    { passed: true },
  ])
  expect(check('cookies.b: "3"', { headers })[0]?.warning).toBeUndefined()
})

test.each(['not_equals: text/html', 'not_in: [a, TEXT/HTML]', 'not: text/html', 'none: text/html'])(
  'a header with a part that it must not equal is told: %s',
  (yaml) => {
    const headers = { 'content-type': 'text/html; charset=utf-8' }
    const [row] = check(`headers.content-type: {${yaml}}`, { headers })
    expect([row?.passed, row?.warning]).toEqual([
      true,
      expect.stringMatching(
        /^The check of `headers.content-type(\[0\])?` passed only because the whole header was compared: `"text\/html; charset=utf-8"` \(string\) has `"(text\/html|TEXT\/HTML)"` \(string\)\. Use `not_contains`\.$/,
      ),
    ])
    expect(check(`headers.content-type: {not_equals: text/xml}`, { headers })[0]?.warning).toBeUndefined()
  },
)

test('a header that the response names as a trailer is told to be one', () => {
  const headers = { trailer: 'X-Sum, Digest' }
  const said =
    'nothing at `headers.digest`; available headers: content-type, trailer; it comes after the body, as a trailer, which cannot be checked'
  expect(check('headers: {digest: x}', { headers })[0]?.message).toBe(said)
  expect(check('headers: {digest: {exists: false}}', { headers })[0]?.warning).toBe(
    `\`exists: false\` holds: ${said}.`,
  )
})

test('a header in UTF-8 is told where it is compared with letters beyond ASCII', () => {
  const headers = { 'x-name': Buffer.from('a€').toString('latin1') }
  const hint =
    'Headers are read as Latin-1, but `headers.x-name` looks like UTF-8, in which it is `"a€"` (string)'
  const judge = (yaml: string) => check(`headers.x-name: {${yaml}}`, { headers })[0]
  expect(judge('not_contains: €')).toMatchObject({ passed: true, warning: `${hint}.` })
  expect(judge('ends_with: €')?.message.split('; ')[1]).toBe(hint)
  expect(judge('starts_with: a')?.warning).toBeUndefined()
})

test('what is missing in HTML is doubted where the selector has a misspelt name', () => {
  const markup = openMarkup({ text: '<table><tr><td>1</table>', contentType: 'text/html' }, {}, 1000)
  expect(check('css: {tabel.error: {exists: false}}', { markup })).toMatchObject([
    {
      passed: true,
      warning: '`exists: false` holds: `tabel.error` found nothing (did you mean `table`?).',
    },
  ])
})

test('a false that is expected of what is missing is told to be `exists: false`', () => {
  const markup = openMarkup({ text: '<p>1', contentType: 'text/html' }, {}, 1000)
  expect(check('css: {.error: false}', { markup })).toMatchObject([
    { message: '`.error` found nothing; write `exists: false` if it must be absent' },
  ])
})

test('a bound that counts an attribute is doubted where its characters would fail', () => {
  const markup = openMarkup({ text: '<a id="" href="/long">x</a>', contentType: 'text/html' }, {}, 1000)
  const warnings = (yaml: string) => check(`css: {${yaml}}`, { markup }).map(({ warning }) => warning)
  expect(warnings('"a::attr(id)": {minLength: 1}, "a::attr(href)": {maxLength: 3}')).toEqual([
    '`minLength` of `css["a::attr(id)"]` counts 1 match, not the characters of `""` (string): for these, write it below `each`.',
    '`maxLength` of `css["a::attr(href)"]` counts 1 match, not the characters of `"/long"` (string): for these, write it below `each`.',
  ])
  expect(warnings('a: {maxLength: 1, minLength: 1}, "a::attr(href)": {minLength: 1, length: 1}')).toEqual([
    ...[undefined, undefined],
    ...[undefined, undefined],
  ])
})

test('long integers in a header are compared digit for digit', () => {
  const headers = { 'x-id': '9007199254740993', 'x-low': '-9007199254740993', 'x-sum': '0099.5' }
  const judgeHeaders = (yaml: string) => check(`headers: {${yaml}}`, { headers })[0]?.passed
  expect(judgeHeaders('x-id: {less_than_or_equal: 9007199254740992}')).toBe(false)
  expect(judgeHeaders('x-id: {greater_than: 9007199254740992}')).toBe(true)
  expect(judgeHeaders('x-low: {close_to: {value: -9007199254740992, delta: 0}}')).toBe(false)
  expect(judgeHeaders('x-sum: {between: [99, 100]}')).toBe(true)
})

test('what a list would have to have is told where it must not be there', () => {
  const [row] = check('body: {items.password: {exists: false}}', { body: { items: [{ password: 1 }] } })
  expect(row).toMatchObject({
    passed: true,
    warning:
      '`exists: false` holds: nothing at `body.items.password`; `body.items` is an array of 1 element.',
  })
  expect(
    check('body: {items.password: {exists: false}}', { body: { items: [] } })[0]?.warning,
  ).toBeUndefined()
  const ofFirst = 'body: {"items[0].password": {exists: false}, "items[0]": {exists: false}}'
  expect(check(ofFirst, { body: { items: [] } }).map(({ warning }) => warning)).toEqual([
    '`exists: false` holds: nothing at `body.items[0].password`; `body.items` is an array of 0 elements.',
    undefined,
  ])
})

test('a misspelt name is told where `none` asks for elements without it', () => {
  const warn = (name: string): string | undefined =>
    check(`body: {none: {${name}: {exists: true}}}`, { body: [{ password: 1 }] })[0]?.warning
  expect(warn('passwrd')).toBe(
    '`exists: true` fails: nothing at `body[0].passwrd`; `body[0]` has: password (did you mean `password`?).',
  )
  expect(warn('deleted_at')).toBeUndefined()
})

test.for<[yaml: string, warning: string | undefined]>([
  ['items: {some: {passwrd: {exists: false}}}', '`exists: false` holds: nothing at `body.items[0].passwrd`'],
  ['any_of: [{itms: {exists: false}}, {itms: []}]', '`exists: false` holds: nothing at `body.itms`'],
  ["any_of: [{'items[?id == ''1'']': {length: 0}}]", "`[?id == '1']` compares `1` (number)"],
  ['items: {some: {id: {not_equals: "1"}}}', undefined],
  ['any_of: [{itms: {exists: false}}, {items: {notEmpty: true}}]', undefined],
])('a check that passes by accident is told where one of several is enough: %s', ([yaml, warning]) => {
  const body = { items: [1, 2].map((id) => ({ id, password: 'x' })) }
  const [row] = check(`body: {${yaml}}`, { body })
  expect(row?.passed).toBe(true)
  expect(row?.warning?.slice(0, warning?.length)).toBe(warning)
})

test.for(['variables', 'body'])('a filter that looks for `%s` in the elements is told', (name) => {
  const yaml = `body: {'items[?id == ${name}.id]': {length: 0}}`
  expect(check(yaml, { body: { items: [{ id: 1 }] } })[0]?.warning).toBe(
    `\`${name}\` in \`[?id == ${name}.id]\` was not found; available: id.`,
  )
  expect(check(yaml, { body: { items: [{ id: 1, [name]: {} }] } })[0]?.warning).toBeUndefined()
})

test('a filter that fails on the answer fails its check and no other, whatever is around it', () => {
  const body = { items: [{ name: null }, { name: 'Ann' }], lists: [[{ name: null }], [{ name: 'Ann' }]] }
  const why =
    'could not be evaluated: Invalid type: length() expected argument 1 to be type (string | array | object) but received type null instead.'
  const filter = '[?length(name) > 2]'
  expect(
    check(`body: {'items${filter}.name': {length: 0}, items: {length: 2}}`, { body }).map(
      ({ message: said }) => said,
    ),
  ).toEqual([`\`body.items${filter}.name\` ${why}`, 'OK'])
  expect(message(`body.items.not: {'${filter}': {length: 0}}`, { body })).toBe(
    `\`body.items${filter}\` ${why}`,
  )
  expect(message(`body.lists.none: {'${filter}': {length: 0}}`, { body })).toBe(
    `\`body.lists[0]${filter}\` ${why}`,
  )
})

test('a header may be missing, and is judged where it is there', () => {
  const judgeHeader = (etag?: string): boolean[] =>
    check('headers: {etag: {optional: true, equals: abc}}', {
      headers: { date: 'x', ...(etag !== undefined && { etag }) },
    }).map(({ passed }) => passed)
  expect(judgeHeader()).toEqual([true, true])
  expect(judgeHeader('abc')).toEqual([true, true])
  expect(judgeHeader('def')).toEqual([true, false])
})

test('a header that must not be there is told where its name is misspelt', () => {
  const answer = { headers: { 'x-ratelimit-left': '10' } }
  expect(check('headers: {x-ratelimt-left: {exists: false}}', answer)).toMatchObject([
    {
      passed: true,
      warning:
        '`exists: false` holds: nothing at `headers.x-ratelimt-left`; available headers: content-type, x-ratelimit-left (did you mean `x-ratelimit-left`?).',
    },
  ])
  for (const yaml of ['x-ratelimit-lefts', 'content-types'])
    expect(check(`headers: {${yaml}: {exists: false}}`, answer)[0]?.warning).toContain('did you mean')
  const [row] = check('headers: {x-powered-by: {exists: false}}', answer)
  expect(row).toMatchObject({ passed: true })
  expect(row).not.toHaveProperty('warning')
})

test.for([
  'body: {type: object}',
  'body.left: {each: {id: 1}, minLength: 0}',
  'body.state: {not_equals: "5", not_in: [5, bill], not: {minLength: 20}}',
  'body.state: {all_of: [{pattern: "^[a-z]*$"}, {pattern: "[a-z]+"}, {pattern: "op.*"}, {pattern: "^o|x*"}]}',
  'body.ids: {not_equals: [1], not_in: [[2]], not_contains: "3"}',
])('%s has no warning', (yaml) => {
  const answer = { type: 'invoice', state: 'open', left: [], ids: [1, 2], rows: [[1, 2]] }
  expect(check(yaml, { body: answer }).map(({ passed, warning }) => [passed, warning])).not.toContainEqual([
    true,
    expect.any(String),
  ])
})

test('`not_contains` with a list means none of them', () => {
  const answer = { tags: ['a', 'c'] }
  const messages = (yaml: string) => check(yaml, { body: answer }).map(({ message }) => message)
  expect(messages('body.tags.not_contains: [a, b]')).toEqual([
    'Expected `body.tags` not to contain `"a"` (string), but it does: `["a","c"]` (array)',
  ])
  expect(messages('body.tags.not_contains: [x, y]')).toEqual(['OK'])
})

const found = openMarkup(
  { text: '<r><a>x</a><b>y</b><b>z</b><c>long</c></r>', contentType: 'text/xml' },
  {},
  1000,
)

test.for([
  '//a: {length: 1}',
  '//b: {length: 2}',
  '//b: {minLength: 2, unique: true}',
  '//a: x',
  '//c: {not: {minLength: 2}, all_of: [{length: 1}]}',
  '//b: {each: {length: 1}, some: z, same_items: [z, y]}',
  '//c: {each: {length: 4}, same_items: [long]}',
])('an answer in XML passes %s, however many it finds', (yaml) => {
  for (const row of check(`xpath: {${yaml}}`, { markup: found }))
    expect(row).toMatchObject({ passed: true, message: 'OK' })
})

test.for([
  '//c: {not: {maxLength: 3}}',
  '//c: {any_of: [{length: 4}, zzz]}',
  '//c: {all_of: [{minLength: 2}]}',
])('matches are counted at any depth of a check: %s fails', (yaml) => {
  expect(check(`xpath: {${yaml}}`, { markup: found })).toMatchObject([{ passed: false }])
})

test('what is missing in XML is doubted where its names have a namespace and the expression none', () => {
  const markup = openMarkup({ text: '<r xmlns="urn:r"><error/></r>', contentType: 'text/xml' }, {}, 1000)
  expect(check('xpath: {//error: {exists: false}}', { markup })).toMatchObject([
    {
      passed: true,
      warning:
        '`exists: false` holds: `//error` found nothing: `error` has no namespace here, unlike in the response; see `xml_namespaces`.',
    },
  ])
})

test('texts that look the same where they are cut are told where they differ', () => {
  const header = 'iban,amount,'.repeat(20)
  const text = `${header}\r\nDE1,9.00\r\n`
  const told = (wanted: string): string => message(`body: ${JSON.stringify(wanted)}`, { body: text })
  expect(told(`${header}\nDE1,9.00\n`)).toMatch(/; at character 241: expected "\\n", got "\\r"$/)
  expect(told(`${text} `)).toMatch(/; at character 253: expected " ", got ""$/)
  expect(message('body: 👨👩', { body: '👨\u200d👩' })).toMatch(
    /; at character 3: expected "👩" \(U\+1F469\), got "\u200d" \(U\+200D\)$/u,
  )
  expect(message('body: 5 K', { body: '5 \u212a' })).toMatch(
    /; at character 3: expected "K", got "\u212a" \(U\+212A\)$/,
  )
  expect(told(`x${text}`)).toMatch(/\(string\)$/)
})

test.for<[yaml: string, said: string | undefined]>([
  [
    '{exists: false}',
    '`exists: false` holds: `//s:Fault` found nothing: `s:Fault` has the namespace `urn:1.2` here, unlike in the response; see `xml_namespaces`.',
  ],
  ['x', undefined],
])('what is there in another namespace is doubted: %s', ([yaml, warning]) => {
  const text = '<x:r xmlns:x="urn:1.1"><x:Fault/></x:r>'
  const markup = openMarkup({ text, contentType: 'text/xml' }, { s: 'urn:1.2' }, 1000)
  const [row] = check(`xpath: {//s:Fault: ${yaml}, //s:Error: {exists: false}}`, { markup })
  expect(row?.warning).toBe(warning)
  expect(markup('xpath', '//s:Error')).toEqual({ values: [], hint: '' })
})

test.for([
  ["count(//error): '0'", '`count(//error)` is 0: `error` has no namespace'],
  ["exists(//error): 'false'", '`exists(//error)` is false: `error` has no namespace'],
  ["not(//error): 'true'", '`not(//error)` is true: `error` has no namespace'],
  ["count(//e:other): '0'", ''],
  ["count(//e:error): '1'", ''],
] as const)('an XPath function that finds nothing by mistake is doubted: %s', ([yaml, warning]) => {
  const text = '<r xmlns="urn:r"><error/></r>'
  const markup = openMarkup({ text, contentType: 'text/xml' }, { e: 'urn:r' }, 1000)
  const [row] = check(`xpath: {${yaml}}`, { markup })
  expect(row?.passed).toBe(true)
  expect((row?.warning ?? '').slice(0, warning.length || 1)).toBe(warning)
})

test('nothing can be said to be missing in an answer that is no XML', () => {
  const markup = openMarkup({ text: 'x', contentType: 'text/plain' }, {}, 1000)
  expect(check('xpath: {//a: {exists: false}}', { markup })).toMatchObject([{ passed: false }])
})

test('how far integers above 2⁵³ are from each other is exact', () => {
  const near = (delta: number) =>
    check(`body.n.close_to: {value: 9007199254740992, delta: ${delta}}`, { body: { n: 9007199254740995n } })
  expect(near(3)).toMatchObject([{ passed: true }])
  expect(near(2.5)).toMatchObject([
    {
      message:
        'Expected `body.n` to be at most 2.5 away from 9007199254740992, got `9007199254740995` (number), which is 3 away',
    },
  ])
})

test('an operand that is no use, beside another check that fails, is not passed over by `any_of`', () => {
  const yaml = 'body.n.any_of: [{all_of: [{greater_than: "{{text}}"}, {less_than: 0}]}, 5]'
  expect(check(yaml, { body: { n: 5 } }, { text: 'x' })[0]?.passed).toBe(false)
})

test.for([
  'Foo, 99 Bar 2026 00:00:00 GMT',
  'Mon, 30 Feb 2026 00:00:00 GMT',
  'Sat, 28-Feb 2026 00:00:00 GMT',
  '2026-02-30',
])('a date that is none has no time before or after it: %s', (day) => {
  const [row] = check('body.day.not: {is_before: now}', { body: { day } })
  expect(row).toMatchObject({ passed: false, message: expect.stringContaining('works on a time such as') })
})

test.for<[yaml: string, warns: boolean]>([
  ['body: "\ufffd1"', true],
  ['body: {not_in: [a, b]}', true],
  ['body: {not_equals: x}', true],
  ['body: {not_contains: é}', true],
  ['body: {contains: "1"}', false],
  ['body: {exists: true, notEmpty: true, type: string}', false],
])('bytes that are not text are all the same to %s', ([yaml, warns]) => {
  const text = '\ufffd1'
  const warning =
    '`body` has bytes that are not valid in its charset (UTF-8, if the content type names no other) and look the same here: use `body_as: bytes` to tell them apart.'
  for (const row of check(yaml, { body: text, bodyText: text, size_bytes: 2 }))
    expect(row).toMatchObject({ passed: true, ...(warns && { warning }) })
  const broken = { body: text, bodyText: text, size_bytes: 2, bodyError: 'no JSON' }
  expect(check('body: {not_equals: x}', broken)).toMatchObject([{ passed: false, message: 'no JSON' }])
  for (const read of [
    { body: text, bodyText: text, size_bytes: 4 },
    { body: 'kTE=', bodyText: text, size_bytes: 2 },
  ])
    expect(check(yaml, read).map((row) => row.warning)).not.toContain(warning)
})

test.for<[body: Json, passed: boolean]>([
  [{}, true],
  [{ user: {} }, true],
  [{ user: { nick: 'Ann' } }, true],
  [{ user: { nick: 5 } }, false],
  [{ user: 'Ann' }, false],
])('a field that may be missing can be below another one: %j', ([body, passed]) => {
  for (const yaml of [
    'body.user: {optional: true, nick: {optional: true, type: string}}',
    'body.user: {nick: {type: string, optional: true}, optional: true}',
  ])
    expect(check(yaml, { body }).every((row) => row.passed)).toBe(passed)
})
