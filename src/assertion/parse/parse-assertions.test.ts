import * as v from 'valibot'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Json } from '../../json.ts'
import { setUserOperators } from '../operators/operators.ts'
import { makeDeep } from '../fixtures/response.ts'
import { assertSchema } from '../../suite/schema/schema-checks.ts'
import { parseChecks } from '../fixtures/collect-problems.ts'

function parseYaml(yaml: string) {
  return parseChecks(parse(yaml) as Json, (path) => [path.length, 1])
}

function listProblems(yaml: string): string[] {
  return parseYaml(yaml).problems.map(({ path, code, message, hint, severity }) =>
    [`${severity ?? 'error'} ${code} at ${JSON.stringify(path)}`, message, ...(hint ? [hint] : [])].join(
      '\n',
    ),
  )
}

const summary = (yaml: string): string[] => {
  const { checks, problems } = parseYaml(yaml)
  expect(problems).toEqual([])
  return checks.map(({ field, operator, expected }) => `${field} ${operator} ${JSON.stringify(expected)}`)
}

test('reads the tree, flat paths, scalars and operators, in the order in which checks are made', () => {
  const yaml = `
custom: [{name: fast, condition: response_time < 5, message: too slow}]
response_time_ms: 500
body:
  id: 5
  list[0].name: {type: string, minLength: 3}
  items: [1, 2]
  user: {contains: {id: 1}, name: Ann}
  meta["a.b"].c: 1
  nothing: null
headers: {Content-Type: json, x-a: {exists: false}}
status_code: 200
body.json.token.notEmpty: true
headers.set-cookie[1].contains: a
`
  expect(summary(yaml)).toEqual([
    'status_code equals 200',
    'headers.Content-Type equals "json"',
    'headers.x-a exists false',
    'headers.set-cookie[1] contains "a"',
    'body.id equals 5',
    'body.list[0].name type "string"',
    'body.list[0].name minLength 3',
    'body.items equals [1,2]',
    'body.user contains {"id":1}',
    'body.user.name equals "Ann"',
    'body.meta["a.b"].c equals 1',
    'body.nothing equals null',
    'body.json.token notEmpty true',
    'response_time_ms less_than_or_equal 500',
    'fast condition "response_time < 5"',
  ])
})

test('takes names below `field` and in quotes for fields even when they are operators or paths', () => {
  expect(summary('body: {field: {type: {equals: x}, a.b: 1}}')).toEqual([
    'body.type equals "x"',
    'body["a.b"] equals 1',
  ])
  expect(summary('body: {\'["length"]\': 3, field: email}')).toEqual([
    'body.length equals 3',
    'body.field equals "email"',
  ])
  expect(summary('body.errors[0].field.type: string')).toEqual(['body.errors[0].field type "string"'])
})

test('keeps the checks of `each` with paths that start at the element', () => {
  const [check] = parseYaml('body.items.each: {id: {type: integer}, tags.length: 2}').checks
  expect(check?.checks?.map(({ field, path, operator }) => [field, path, operator])).toEqual([
    ['body.items[*].id', ['id'], 'type'],
    ['body.items[*].tags', ['tags'], 'length'],
  ])
})

test('locates every check at its value, also below a flat key', () => {
  const { checks } = parseYaml('{status_code: 200, body: {a: {b: {type: string}}}, body.c.d.type: string}')
  expect(checks.map(({ at }) => at[0])).toEqual([1, 4, 1])
})

test('keeps names of the object prototype as ordinary fields', () => {
  expect(summary('body: {constructor: 1, toString: {type: string}, __proto__: {hasOwnProperty: x}}')).toEqual(
    ['body.constructor equals 1', 'body.toString type "string"', 'body.__proto__.hasOwnProperty equals "x"'],
  )
  expect(({} as Record<string, unknown>)['hasOwnProperty']).toBeTypeOf('function')
})

const golden: [yaml: string, problem: string][] = [
  [
    '{}',
    `error bad-check at []
Expected \`assert\` to be a map of checks, got \`{}\` (object), which checks nothing.
Write at least one of \`status_code\`, \`headers\`, \`cookies\`, \`redirects\`, \`body\`, \`xpath\`, \`css\`, \`openapi\`, \`mock_calls\`, \`size_bytes\`, \`response_time_ms\`, \`duration_ms\`, \`custom\` below it, or leave out \`assert\`.`,
  ],
  [
    'statuscode: 200',
    `error unknown-field at ["statuscode"]
Unknown field \`statuscode\` in \`assert\`.
Did you mean \`status_code\`?`,
  ],
  [
    'json.token: x',
    `error unknown-field at ["json.token"]
Unknown field \`json.token\` in \`assert\`.
Did you mean \`body.token\`?`,
  ],
  [
    'request.headers.x-tenant: acme',
    `error unknown-field at ["request.headers.x-tenant"]
Unknown field \`request.headers.x-tenant\` in \`assert\`.
A \`custom\` condition can read \`request\`. Known here: status_code, headers, cookies, redirects, body, xpath, css, openapi, mock_calls, size_bytes, response_time_ms, duration_ms, custom.`,
  ],
  [
    'status_code: "200"',
    `error bad-check at ["status_code"]
Expected \`status_code\` to be a status code (100 to 999) or a class such as \`2xx\`, got \`"200"\` (string).
Write 200 without quotes.`,
  ],
  [
    'status_code: "20"',
    `error bad-check at ["status_code"]
Expected \`status_code\` to be a status code (100 to 999) or a class such as \`2xx\`, got \`"20"\` (string).`,
  ],
  [
    'status_code: {pattern: "2.."}',
    `error unknown-field at ["status_code","pattern"]
\`status_code\` has no check \`pattern\`: it is a number.
Its checks are: equals, not_equals, in, not_in, greater_than, greater_than_or_equal, less_than, less_than_or_equal, between.`,
  ],
  [
    'status_code: {not_in: [5x]}',
    `error bad-check at ["status_code","not_in"]
Expected the \`not_in\` check of \`status_code\` to have a list of status codes (100 to 999) or classes such as \`2xx\`, got \`["5x"]\` (array).`,
  ],
  [
    'body.json.token.patern: x',
    `error unknown-field at ["body.json.token.patern"]
Unknown check \`patern\` for \`body.json.token\`.
Did you mean \`pattern\`? If \`patern\` is a field of the response, write \`field: {patern: …}\`.`,
  ],
  [
    'body: {token: {}}',
    `error bad-check at ["body","token"]
\`body.token\` is an empty map, which checks nothing.
Write a check below it, or \`equals: {}\` to compare with an empty object.`,
  ],
  [
    'body: {token: {pattern: "a("}}',
    `error bad-pattern at ["body","token","pattern"]
Expected the \`pattern\` check of \`body.token\` to have a regular expression (Invalid regular expression: /a(/: Unterminated group), got \`"a("\` (string).`,
  ],
  [
    'redirects: {}',
    `error bad-check at ["redirects"]
\`redirects\` is an empty map, which checks nothing.
Write a check below it, or \`equals: {}\` to compare with an empty object.`,
  ],
  [
    'body: {"items[x].id": 1}',
    `error bad-path at ["body","items[x].id"]
\`items[x].id\` is not a path: expected \`[0]\`, \`[*]\`, \`[?…]\` or \`["name"]\` at character 6, got \`[x].id\`.
Write a path like \`items[0].id\`, or \`field: {"items[x].id": …}\` for a field with exactly this name.`,
  ],
  [
    'body: {"items[?id == $.variables.id]": {length: 0}, "items[?id == $[0].next]": {length: 0}}',
    `error bad-path at ["body","items[?id == $.variables.id]"]
\`[?id == $.variables.id]\` reads \`$.variables\`, but in a check \`$\` is the list itself.
Write a \`custom\` check: it can read the whole response and the variables.`,
  ],
  [
    'body: {"items[?price = 5].id": 1}',
    `error bad-path at ["body","items[?price = 5].id"]
\`[?price = 5]\` is not a JMESPath filter: at character 9, a single \`=\` does not compare.
Write \`==\`.`,
  ],
  [
    'body: {"items[*].id.exists": false}',
    `error bad-check at ["body","items[*].id.exists"]
\`exists\` of \`body.items[*].id\` needs a single value, but this path matches many.
Write it below \`each\`, \`some\` or \`none\` of the list.`,
  ],
  [
    'body.list: {not_contains: {price: {less_than: 100}}}',
    `doubt bad-check at ["body.list","not_contains"]
\`less_than\` would be a field, not a check: \`not_contains\` of \`body.list\` compares what is below it as it is written.
Write \`none\` instead: no element of the list passes these checks.`,
  ],
  [
    'body.list: [{id: 1, name: {starts_with: A}}]',
    `doubt bad-check at ["body.list"]
\`starts_with\` would be a field, not a check: \`equals\` of \`body.list\` compares what is below it as it is written.
Write the checks without \`equals\`; those of an element as \`[0]: …\` below the list.`,
  ],
  [
    'body.kind: {not_in: [{matches: a}]}',
    `doubt bad-check at ["body.kind","not_in"]
\`matches\` would be a field, not a check: \`not_in\` of \`body.kind\` compares what is below it as it is written.
Write \`not: { any_of: … }\` instead.`,
  ],
  [
    'body.list: {is_empty: true}',
    `error unknown-field at ["body.list","is_empty"]
Unknown check \`is_empty\` for \`body.list\`.
Did you mean \`notEmpty: false\`? If \`is_empty\` is a field of the response, write \`field: {is_empty: …}\`.`,
  ],
  [
    'body.list: {is_null: false}',
    `error unknown-field at ["body.list","is_null"]
Unknown check \`is_null\` for \`body.list\`.
Did you mean \`not_equals: null\`? If \`is_null\` is a field of the response, write \`field: {is_null: …}\`.`,
  ],
  [
    'body: {"items[?error]": {exists: false}}',
    `error bad-check at ["body","items[?error]","exists"]
\`exists\` of \`body.items[?error]\` needs a single value, but this path matches many.
Write \`minLength: 1\` if something must match, \`length: 0\` if nothing may.`,
  ],
  [
    'body: {a: {schema: {description: "{{x}}", not: {enum: ["{{x}}"]}}}}',
    `error bad-check at ["body","a","schema"]
Expected the \`schema\` check of \`body.a\` to have a JSON Schema without \`{{…}}\`, which is not filled in there, got \`{"description":"{{x}}","not":{"enum":["{{x}}"]}}\` (object).`,
  ],
  [
    'body: {a: {any_of: {type: string}}}',
    `error bad-check at ["body","a","any_of"]
Expected the \`any_of\` check of \`body.a\` to have a list of checks, got \`{"type":"string"}\` (object).
Start each with a hyphen: \`- {type: string}\`.`,
  ],
  [
    'body: {a: {not: {}}}',
    `error bad-check at ["body","a","not"]
\`body.a\` is an empty map, which checks nothing.
Write a check below it, or \`equals: {}\` to compare with an empty object.`,
  ],
  [
    'custom: [{condition: "1 === 1"}]',
    `error bad-check at ["custom",0,"condition"]
The condition \`1 === 1\` reads nothing, so its result is the same for every response.`,
  ],
  [
    "body: {a: {not: {pattern: '^\\p{Lu}'}}}",
    `error bad-pattern at ["body","a","not","pattern"]
Expected the \`pattern\` check of \`body.a\` to have a JavaScript regular expression without escapes that mean just the letter (\`\\p{…}\` needs the flag u: \`/…/u\`), got \`"^\\\\p{Lu}"\` (string).`,
  ],
  [
    "body: {a: {pattern: 'x\\\\\\Z'}}",
    `error bad-pattern at ["body","a","pattern"]
Expected the \`pattern\` check of \`body.a\` to have a JavaScript regular expression without escapes that mean just the letter (\`\\p{…}\` needs the flag u: \`/…/u\`), got \`"x\\\\\\\\\\\\Z"\` (string).`,
  ],
  [
    "body: {a: {not: {pattern: '\\x{48}'}}}",
    `error bad-pattern at ["body","a","not","pattern"]
Expected the \`pattern\` check of \`body.a\` to have a JavaScript regular expression without escapes that mean just the letter (\`\\p{…}\` needs the flag u: \`/…/u\`), got \`"\\\\x{48}"\` (string).`,
  ],
  [
    "body: {a: {pattern: '(?i)a'}}",
    `error bad-pattern at ["body","a","pattern"]
Expected the \`pattern\` check of \`body.a\` to have a regular expression (Invalid regular expression: /(?i)a/: Invalid group), got \`"(?i)a"\` (string).`,
  ],
  [
    'body: {a: {not: {pattern: /a/gi}}}',
    `error bad-pattern at ["body","a","not","pattern"]
Expected the \`pattern\` check of \`body.a\` to have a pattern with only the flags i, m, s and u (\`g\` is not one of them), got \`"/a/gi"\` (string).`,
  ],
  [
    'body: {a: {starts_with: 5}}',
    `error bad-check at ["body","a","starts_with"]
Expected the \`starts_with\` check of \`body.a\` to have a non-empty string, got \`5\` (number).`,
  ],
  [
    'body: {a: {between: [5, 1]}}',
    `error bad-check at ["body","a","between"]
Expected the \`between\` check of \`body.a\` to have two numbers \`[least, most]\`, the smaller one first, got \`[5,1]\` (array).`,
  ],
  [
    'body: {a: {close_to: {value: 1, dleta: 2}}}',
    `error bad-check at ["body","a","close_to"]
Expected the \`close_to\` check of \`body.a\` to have \`value\` and \`delta\` only; \`dleta\` is neither (did you mean \`delta\`?), got \`{"value":1,"dleta":2}\` (object).`,
  ],
  [
    'body: {a: {unique: false}}',
    `error bad-check at ["body","a","unique"]
Expected the \`unique\` check of \`body.a\` to have \`true\` or the name of a field, got \`false\` (boolean).`,
  ],
  [
    'body: {a: {sorted_by: {order: up}}}',
    `error bad-check at ["body","a","sorted_by"]
Expected the \`sorted_by\` check of \`body.a\` to have \`asc\` or \`desc\` as \`order\`, got \`{"order":"up"}\` (object).`,
  ],
  [
    'body: {a: {is_before: yesterday}}',
    `error bad-check at ["body","a","is_before"]
Expected the \`is_before\` check of \`body.a\` to have \`now\` or a time such as \`2026-01-31T12:00:00Z\`, got \`"yesterday"\` (string).`,
  ],
  [
    'body: {a: {is_near: {to: now, by: 5 minutes}}}',
    `error bad-check at ["body","a","is_near"]
Expected the \`is_near\` check of \`body.a\` to have a duration such as \`5m\` or \`30s\` as \`by\`, got \`{"to":"now","by":"5 minutes"}\` (object).`,
  ],
  [
    'body: {a: {optional: false, type: string}}',
    `error bad-check at ["body","a","optional"]
Expected the \`optional\` check of \`body.a\` to have \`true\` (leave it out for a field that must exist), got \`false\` (boolean).`,
  ],
  [
    'body: {a: {optional: true}}',
    `error bad-check at ["body","a","optional"]
\`body.a\` has \`optional\`, but no check that could fail.
Write it beside other checks of a field.`,
  ],
  [
    'body: {a: {optional: true, exists: true}}',
    `error bad-check at ["body","a","optional"]
\`body.a\` has \`optional\`, but no check that could fail.
Write it beside other checks of a field.`,
  ],
  ...[
    `status_code: "{{js: Number(status_code)}}"`,
    `status_code: "{{ status_code || 200 }}"`,
    `status_code: ["{{status_code}}", 204]`,
  ].map((yaml): [string, string] => [
    yaml,
    `error bad-check at ["status_code"]
\`status_code\` is compared with itself.
If you mean a variable or column of that name, write \`{{variables.status_code}}\`.`,
  ]),
  [
    'body: {a: {b: "{{ body.a.b }}"}}',
    `error bad-check at ["body","a","b"]
\`body.a.b\` is compared with itself.
Compare it with a variable, or with what was sent: \`{{request.body.id}}\`.`,
  ],
  [
    'body: {optional: true, a: 1}',
    `error bad-check at ["body","optional"]
\`optional\` only makes sense for a field: \`body\` is always there.
Write it beside other checks of a field.`,
  ],
  [
    'redirects: {exists: true}',
    `error bad-check at ["redirects","exists"]
\`exists\` only makes sense for a field: \`redirects\` is always there.
Write \`notEmpty: true\` or \`length: 0\`.`,
  ],
  [
    'body.items.*.id: 1',
    `error bad-path at ["body.items.*.id"]
\`body.items.*\` is JSONPath syntax.
A path starts at \`body\`, without \`$\`; write \`[*]\` for the elements of a list. For the values of a map, write a condition with \`Object.values(…)\` in \`custom\`. For a field, write \`field: {'*': …}\`.`,
  ],
  [
    "headers: {'x-*': {exists: false}}",
    `error bad-path at ["headers","x-*"]
\`*\` does not stand for any name in \`headers\`.
Name each of them, or check all in \`custom\`.`,
  ],
  [
    "cookies: {'*': {exists: false}}",
    `error bad-path at ["cookies","*"]
\`*\` does not stand for any name in \`cookies\`.
Name each of them, or check all in \`custom\`.`,
  ],
  [
    'status_code: {between: [2, 299]}',
    `error bad-check at ["status_code","between"]
Expected the \`between\` check of \`status_code\` to have status codes (100 to 999), got \`[2,299]\` (array).`,
  ],
  [
    'redirects: {not_equals: [0]}',
    `error bad-check at ["redirects","not_equals"]
Expected the \`not_equals\` check of \`redirects.length\` to have a non-negative integer, got \`[0]\` (array).`,
  ],
  [
    'headers: {x.dot: 1}',
    `error unknown-field at ["headers","x.dot"]
\`headers.x\` has no check \`dot\`: it is a string.
Did you mean \`not\`?`,
  ],
  [
    'cookies: {session: {httponly: true}}',
    `error unknown-field at ["cookies","session","httponly"]
A cookie has no \`httponly\` (did you mean \`http_only\`?).
Known here: value, path, domain, expires, max_age, secure, http_only, same_site, partitioned, and checks on the value.`,
  ],
  [
    'res.body.id: 1',
    `error unknown-field at ["res.body.id"]
Unknown field \`res.body.id\` in \`assert\`.
Did you mean \`body.id\`?`,
  ],
  [
    'length(body.items): 3',
    `error unknown-field at ["length(body.items)"]
Unknown field \`length(body.items)\` in \`assert\`.
Known here: status_code, headers, cookies, redirects, body, xpath, css, openapi, mock_calls, size_bytes, response_time_ms, duration_ms, custom.`,
  ],
  [
    'size_bytes: {contains: 5}',
    `error unknown-field at ["size_bytes","contains"]
\`size_bytes\` has no check \`contains\`: it is a number.
Its checks are: equals, not_equals, greater_than, greater_than_or_equal, less_than, less_than_or_equal, between.`,
  ],
  [
    'size_bytes: {gt: 5}',
    `error unknown-field at ["size_bytes","gt"]
\`size_bytes\` has no check \`gt\`: it is a number.
Did you mean \`greater_than\`?`,
  ],
  [
    'size_bytes: abc',
    `error bad-check at ["size_bytes"]
Expected \`size_bytes\` to be a non-negative integer, got \`"abc"\` (string).`,
  ],
  [
    'size_bytes: {not_equals: -1}',
    `error bad-check at ["size_bytes","not_equals"]
Expected the \`not_equals\` check of \`size_bytes\` to have a non-negative integer, got \`-1\` (number).`,
  ],
  [
    'body: {not: {not_contains: [{b: {"{{id}}": 1}}]}}',
    `error bad-path at ["body","not","not_contains"]
\`{{…}}\` is not filled in inside field names: \`{{id}}\`.
Write the name itself, or use a \`custom\` check, where an index or name can be a variable: \`body.items[i].id === 7\`.`,
  ],
  [
    'body: {"{{name}}": 1}',
    `error bad-path at ["body","{{name}}"]
\`{{…}}\` is not filled in inside field names: \`{{name}}\`.
Write the name itself, or use a \`custom\` check, where an index or name can be a variable: \`body.items[i].id === 7\`.`,
  ],
  [
    'redirects: {not: 2}',
    `error unknown-field at ["redirects","not"]
\`redirects.length\` has no check \`not\`: it is a number.
Its checks are: equals, not_equals, in, not_in, greater_than, greater_than_or_equal, less_than, less_than_or_equal, between.`,
  ],
  [
    'redirects: {any_of: [{less_than: 2}, 5]}',
    `error unknown-field at ["redirects","any_of"]
\`redirects.length\` has no check \`any_of\`: it is a number.
Its checks are: equals, not_equals, in, not_in, greater_than, greater_than_or_equal, less_than, less_than_or_equal, between.`,
  ],
  [
    'cookies: {"{{name}}": {exists: false}}',
    `error bad-path at ["cookies","{{name}}"]
\`{{…}}\` is not filled in inside field names: \`{{name}}\`.
Write the name itself, or use a \`custom\` check, where an index or name can be a variable: \`body.items[i].id === 7\`.`,
  ],
  [
    'body.items[{{i}}].id: 1',
    `error bad-path at ["body.items[{{i}}].id"]
\`{{…}}\` is not filled in inside field names: \`body.items[{{i}}].id\`.
Write the name itself, or use a \`custom\` check, where an index or name can be a variable: \`body.items[i].id === 7\`.`,
  ],
  [
    'body: {a: {type: strin}}',
    `error bad-check at ["body","a","type"]
Expected the \`type\` check of \`body.a\` to have one of string, number, integer, boolean, object, array, null, uuid, date, date-time, email, uri (did you mean \`string\`?), got \`"strin"\` (string).
If \`type\` is a field of the value, write \`field: {type: strin}\`, where \`field\` is literally the key.`,
  ],
  [
    'response_time_ms: fast',
    `error bad-check at ["response_time_ms"]
Expected \`response_time_ms\` to be a non-negative number of ms (or a duration such as \`5s\`), got \`"fast"\` (string).`,
  ],
  [
    'custom: [{condition: "a ==="}]',
    `error bad-expression at ["custom",0,"condition"]
The condition has an error at character 6: it ends too early.`,
  ],
  [
    'custom: [{condition: "const a = body.a; return a === 1"}]',
    `error bad-expression at ["custom",0,"condition"]
The condition has an error at character 1: Unexpected token.
Only one expression fits here. Put statements into a function and call it: \`(() => { const a = 1; return a })()\`.`,
  ],
  [
    'custom: [{condition: "await find(1) === 1"}]',
    `error bad-expression at ["custom",0,"condition"]
The condition has an error at character 7: Expected the end of the expression, got \`find\`.
Leave out \`await\`: the suite waits for asynchronous functions.`,
  ],
  [
    'custom: [{condition: "(await find(1)).a === 1"}]',
    `error bad-expression at ["custom",0,"condition"]
The condition has an error at character 8: Unexpected token.
Leave out \`await\`: the suite waits for asynchronous functions.`,
  ],
  [
    'custom: [{condition: "body.a contains 1"}]',
    `error bad-expression at ["custom",0,"condition"]
The condition has an error at character 8: Expected the end of the expression, got \`contains\`.
Write \`list.includes(value)\` instead.`,
  ],
  [
    'custom: [{condition: "not body.a"}]',
    `error bad-expression at ["custom",0,"condition"]
The condition has an error at character 5: Expected the end of the expression, got \`body\`.
Write \`!\` instead of \`not\`.`,
  ],
  [
    'custom: [{condition: "body.a =~ /x/"}]',
    `error bad-expression at ["custom",0,"condition"]
The condition has an error at character 8: \`=~\` is not an operator.
Write \`/pattern/.test(text)\`.`,
  ],
  [
    'custom: [{condition: "!(status_code in [500, 503])"}]',
    `doubt bad-expression at ["custom",0,"condition"]
The condition has an error at character 18: \`in\` before a list looks for a key, not for a value.
Write \`[500, 503].includes(status_code)\`.`,
  ],
  [
    'custom: [{condition: "body.a === 1, body.b === 2"}]',
    `error bad-expression at ["custom",0,"condition"]
The condition has an error at character 13: Expected the end of the expression, got \`,\`.
Join conditions with \`&&\` or \`||\`.`,
  ],
  [
    'custom: [{condition: "(body.a === 1, body.b === 2)"}]',
    `error bad-expression at ["custom",0,"condition"]
The condition has an error at character 2: with commas, only the last part would count; join the parts with \`&&\`.`,
  ],
  [
    'custom: [{condition: "body.id === {{id}}"}]',
    `error bad-expression at ["custom",0,"condition"]
The condition \`body.id === {{id}}\` contains a template, which is not filled in here.
Use the variable itself: \`variables.id\` instead of \`{{id}}\`.`,
  ],
  [
    'body: {items: {each: {snapshot: true}}}',
    `error bad-check at ["body","items","each"]
\`snapshot\` is not allowed inside \`each\` of \`body.items\`.
Write \`optional: true\` beside \`each\` if the value may be missing, \`exists: false\` alone if it must be, or one \`snapshot\` of all.`,
  ],
]

test.for(golden)('%s is refused with its exact words', ([yaml, problem]) => {
  expect(listProblems(yaml)[0]).toBe(problem)
})

test.for([
  'body: {a: {minLength: -1}}',
  'body: {a: {minLength: "3"}}',
  'body: {a: {maxLength: 1.5}}',
  'body: {a: {length: {}}}',
  'body: {a: {length: {greater_then: 1}}}',
  'body: {a: {length: {in: []}}}',
  'body: {a: {length: {in: 3}}}',
  'body: {a: {length: {between: [2, 1]}}}',
  'redirects: {not_equals: 1, length: 2}',
  'body: {a: {notEmpty: yes}}',
  'body: {a: {exists: 1}}',
  'body: {a: {in: x}}',
  'body: {a: {between: [1, x]}}',
  'body: {a: {in: []}}',
  'body: {a: {not_in: []}}',
  'body: {a: {contains: ""}}',
  'body: {a: {contains: {}}}',
  'body: {a: {contains: []}}',
  'body: {a: {not_contains: ""}}',
  'body: {a: {pattern: ""}}',
  'body: {a: {regex: 5}}',
  'body: {a: {pattern: "/^x$/"}}',
  'body: {a: {greater_than: "5"}}',
  'body: {a: {less_than: .nan}}',
  'body: {a: {less_than: .inf}}',
  'body: {a: {type: []}}',
  'body: {a: {type: [null, 5]}}',
  'body: {a: {same_items: x}}',
  'body: {a: {schema: {}}}',
  'body: {a: {schema: 5}}',
  'body: {a: {schema: true}}',
  'body: {a: {schema: "{{file}}"}}',
  'body: {a: {snapshot: false}}',
  'body: {a: {snapshot: {ignor: [x]}}}',
  'body: {a: {snapshot: {ignore: ["a["]}}}',
  'body: {a: {snapshot: {ignore: ["items[-1].id"]}}}',
  'body: {a: {snapshot: {name: ""}}}',
  'body: {a: {each: {}}}',
  'body: {a: {each: {id: {type: wrong}}}}',
  'body: {a: {min_length: 3}}',
  'body: {a: {notequals: 3}}',
  'body: {a: {gt: 3}}',
  'body: {a: {greater: 3}}',
  'body.a.less: 3',
  'body: {optional: true, a: 1}',
  'body: {a..b: 1}',
  'body: {a.: 1}',
  'body: {"": 1}',
  'body: {"a[": 1}',
  'body: {"a[x]": 1}',
  'body.: 1',
  'bodies: 1',
  'headers: []',
  'headers: {}',
  'headers:',
  'headers: {"a b": x}',
  'headers: {x: {}}',
  'headers: {x: {equal: 1}}',
  'status_code: []',
  'status_code: {}',
  'status_code:',
  'status_code: 99',
  'status_code: 1000',
  'status_code: 6xx',
  'status_code: 200.5',
  'status_code: true',
  'status_code: {equals: [200]}',
  'status_code.equal: 200',
  'response_time_ms: -1',
  'response_time_ms: {equals: 5}',
  'response_time_ms: {}',
  'custom: {}',
  'custom: []',
  'custom:',
  'custom: [x]',
  'custom: [{name: a}]',
  'custom: [{condition: ""}]',
  'custom: [{condition: true}]',
  'custom: [{condition: x, name: 5}]',
  'custom.name: x',
  '[]',
  '5',
  'null',
  'x',
])('%s is a load error', (yaml) => {
  const isRefused = !v.safeParse(assertSchema, parse(yaml)).success
  expect(isRefused || parseYaml(yaml).problems.length > 0).toBe(true)
})

test('reports all problems at once', () => {
  expect(parseYaml('{status: 1, body: {a: {}, b: {type: x}}, headers: {c: {}}}').problems).toHaveLength(4)
})

test('leaves fields alone that only resemble operators', () => {
  const fields = [
    'id',
    'types',
    'patterns',
    'scheme',
    'content',
    'contents',
    'contacts',
    'index',
    'reach',
    'items',
    'min',
  ]
  for (const field of fields) expect(parseYaml(`body: {${field}: 1}`).problems).toEqual([])
  expect(parseYaml('body: {matches: {notEmpty: true}}').problems).toEqual([])
  expect(parseYaml('body: {kind: string}').problems).toEqual([])
  // In what is compared as it is written, too.
  for (const operand of [
    'contains: {a: {type: string}}',
    'equals: {a: {length: 5}}',
    'not_contains: {a: {type: draft}}',
    'not_contains: {type: email}',
    'not_contains: [{length: 5}]',
  ])
    expect(parseYaml(`body.list: {${operand}}`).problems).toEqual([])
})

test.each(['equal', 'not_equal', 'contain', 'not_contain', 'notContain', 'exist', 'same_item'])(
  'takes `%s` for a misspelt check, whatever it has',
  (name) => {
    for (const operand of ['1', '{a: 1}', '[a]'])
      expect(parseYaml(`body: {a: {${name}: ${operand}}}`).problems[0]?.message).toBe(
        `Unknown check \`${name}\` for \`body.a\`.`,
      )
  },
)

test('takes operators of your own for misspelt by the same rules', ({ onTestFinished }) => {
  onTestFinished(() => setUserOperators({}))
  const own = { about: '', validate: () => undefined, judge: () => undefined }
  setUserOperators({ is_ip: own, has_rows: own } as never)
  for (const name of ['isIp', 'has_row'])
    expect(parseYaml(`body: {a: {${name}: 1}}`).problems[0]?.message).toBe(
      `Unknown check \`${name}\` for \`body.a\`.`,
    )
})

test('takes statuses from 100 to 999', () => {
  expect(summary('status_code: [100, 999]')).toEqual(['status_code in [100,999]'])
})

test('reads durations as milliseconds', () => {
  const { checks, problems } = parseYaml(
    'response_time_ms: 2s\nduration_ms: {less_than: 1.5s, between: [5ms, 1m]}',
  )
  expect(problems).toEqual([])
  expect(checks.map(({ expected }) => expected)).toEqual([2000, 1500, [5, 60_000]])
  expect(parseYaml('duration_ms: {less_than: soon}').problems[0]?.message).toContain(
    'a duration such as `5s`',
  )
})

test('leaves an operand with a template to the run', () => {
  expect(summary('body: {a: {minLength: "{{n}}", pattern: "^{{p}}(", in: "{{list}}"}}')).toHaveLength(3)
})

test('reads `js:` before a condition as the start of JavaScript', () => {
  expect(parseYaml('custom: [{condition: "js: body.a === 1"}]').checks).toMatchObject([
    { expected: 'body.a === 1' },
  ])
})

test('keeps what is known inside `each`, and nothing when nothing is', () => {
  const { checks } = parseYaml('{body: {a: {each: {id: 1, b: {patern: x}}}, c: {each: {patern: x}}}}')
  expect(checks.map(({ field, checks }) => [field, checks?.length])).toEqual([['body.a', 1]])
})

test('survives trees and keys of any depth and length', () => {
  expect(parseChecks({ body: makeDeep(100) }, () => [1, 1]).problems).toEqual([])
  const [path, nested] = ['a.'.repeat(499), 'each.'.repeat(199)]
  expect(parseChecks({ body: { [`${path}b`]: 1, [`${nested}b`]: 1 } }, () => [1, 1]).problems).toEqual([])
  const longKey = 'a.'.repeat(100_000)
  const longHeader = `x${'.exists'.repeat(100_000)}`
  expect(parseChecks({ headers: { [longHeader]: true } }, () => [1, 1]).problems[0]?.message).toMatch(
    /is longer than 1000 characters/,
  )
  expect(parseChecks({ body: { [longKey]: 1 } }, () => [1, 1]).problems[0]?.message).toMatch(/longer than/)
  expect(parseChecks({ body: { equals: makeDeep(100) } }, () => [1, 1]).problems).toEqual([])
})

test('a snapshot is of one answer, and a burst has many', () => {
  const listIn = (kind: 'burst' | undefined, check: Json): string[] =>
    parseChecks({ body: { a: check } }, undefined, kind).problems.map(({ message }) => message)
  expect(listIn('burst', { snapshot: true })).toEqual([
    '`snapshot` of `body.a` needs a single response, but a burst has many.',
  ])
  expect(listIn('burst', { equals: 1 })).toEqual([])
  expect(listIn(undefined, { snapshot: true })).toEqual([])
})

test.for<[where: string, other: string]>([
  ['{custom: body.ok === true}', 'custom'],
  ['{custom: [{name: a}], status_code: 200}', 'custom'],
  ['{responses: 5}', 'responses'],
])('`where: %s` is refused, and never holds of every answer', ([where, other]) => {
  const tree = parse(`responses: [{where: ${where}, count: 2}]`) as Json
  const { checks, problems } = parseChecks(tree, undefined, 'burst')
  expect(checks).toEqual([])
  expect(problems.map(({ message }) => message)).toEqual([
    `\`where\` of \`responses[0]\` cannot have \`${other}\`: it checks each response on its own.`,
  ])
})

test.for([-1, 1.5, 'abc'])('`count: %s` is refused: so many answers there never are', (count) => {
  const { checks, problems } = parseChecks(
    { responses: [{ where: { status_code: 201 }, count }] },
    undefined,
    'burst',
  )
  expect(checks).toEqual([])
  expect(problems).toMatchObject([
    {
      path: ['responses', 0, 'count'],
      code: 'bad-check',
      message: expect.stringContaining(
        'Expected `responses[0].count` to be a non-negative integer, got',
      ) as string,
    },
  ])
})

test('a `where` of which nothing is left is left out, also where problems are warnings', () => {
  const { checks, problems } = parseChecks(
    { responses: [{ where: { stat: 1 }, count: { equals: -1 } }] },
    undefined,
    'burst',
  )
  expect(checks).toEqual([])
  expect(problems.map(({ code }) => code)).toEqual(['unknown-field', 'bad-check'])
})

test.for([
  ['responses.length', 'responses'],
  ['custom[0]', 'custom'],
  ['xpath.a', 'xpath: { a: … }'],
  ['css.h1', 'css: { h1: … }'],
  ['html', 'css'],
  ['content_type', 'headers.content-type'],
  ['final_url', 'redirects[-1].target'],
  ['["responses"]', 'body.["responses"]'],
  ['["custom"]', 'body.["custom"]'],
] as const)('`%s` is no key of `assert`', ([key, meant]) => {
  const { checks, problems } = parseChecks({ [key]: 5 }, undefined, 'burst')
  expect(checks).toEqual([])
  expect(problems).toMatchObject([
    { code: 'unknown-field', hint: expect.stringContaining(`Did you mean \`${meant}\`?`) as string },
  ])
})

test.for([
  [
    'body: {a: {type: welcome}}',
    'If `type` is a field of the value, write `field: {type: welcome}`, where `field` is literally the key.',
  ],
  [
    'body: {a: {type: {pattern: ^a}}}',
    'If `type` is a field of the value, write `field: {type: …}`, where `field` is literally the key.',
  ],
  [
    'redirects: {each: {type: welcome}}',
    'If `type` is a field of the value, write `field: {type: welcome}`, where `field` is literally the key.',
  ],
  ['headers: {a: {type: welcome}}', undefined],
  ['cookies: {a: {type: welcome}}', undefined],
  ['xpath: {//a: {type: welcome}}', undefined],
  ['css: {a: {type: welcome}}', undefined],
] as const)('%s is taken for a field only where there may be one', ([yaml, hint]) => {
  expect(parseYaml(yaml).problems.map((problem) => problem.hint)).toEqual([hint])
})

test.for([
  ['body: {a: {typ: string}}', 'type'],
  ['body: {at: {format: date-time}}', 'type'],
  ['body: {picture: {format: png}}', undefined],
  ['body: {a: {tpye: string}}', 'type'],
  ['body: {a: {typ: welcome}}', undefined],
  ['body: {a: {typ: 5}}', undefined],
  ['body: {a: {not: {not_contain: x}}}', 'not_contains'],
  ['body: {a: {not: {equal: {b: 1}}}}', 'equals'],
  ['body: {a: {exist: {b: 1}}}', 'exists'],
] as const)('in %s the check %s was meant', ([yaml, meant]) => {
  const hints = parseYaml(yaml).problems.map(({ hint = '' }) => /^Did you mean `(\w+)`/.exec(hint)?.[1])
  expect(hints).toEqual(meant === undefined ? [] : [meant])
})

test.for([
  ['isString: true', 'type: string'],
  ['isString: false', 'not: {type: string}'],
  ['isNumber: true', 'type: number'],
  ['isBoolean: true', 'type: boolean'],
  ['isArray: true', 'type: array'],
  ['isObject: true', 'type: object'],
  ['isJson: true', 'type: [object, array]'],
  ['isDefined: true', 'exists: true'],
  ['isDefined: false', 'exists: false'],
  ['isUndefined: true', 'exists: false'],
  ['isTruthy: true', "not_in: [null, false, 0, '']"],
  ['isTruthy: false', "in: [null, false, 0, '']"],
  ['isFalsy: true', "in: [null, false, 0, '']"],
  ['isFalsy: false', "not_in: [null, false, 0, '']"],
  ['isNotEmpty: true', 'notEmpty: true'],
  ['isEmpty: false', 'notEmpty: true'],
  ['notMatches: ^a', 'not: {pattern: …}'],
  ['notContains: a', 'not_contains'],
  ['toBe: a', 'equals'],
] as const)('`%s` of another tool is `%s` here', ([written, ours]) => {
  expect(parseYaml(`body: {a: {${written}}}`).problems.map(({ hint }) => hint)).toEqual([
    expect.stringContaining(`Did you mean \`${ours}\`?`),
  ])
})

test('refuses to compare whole events: nobody knows when they come', () => {
  const refused = (events: Json) =>
    parseChecks({ events }, (path) => [path.length, 1], 'stream').problems.map(({ message }) => message)
  const why = 'would compare whole events, and each of them has an unpredictable `at_ms`.'
  expect(refused([{ data: 1 }])).toEqual([`\`equals\` of \`events\` ${why}`])
  expect(refused({ '[0]': { not_equals: { data: 1 } } })).toEqual([`\`not_equals\` of \`events[0]\` ${why}`])
  expect(refused({ each: { equals: { data: 1 } } })).toHaveLength(1)
  for (const check of [3, { not: 3 }, { not_equals: 3 }, { not_in: [3] }, { any_of: [[], 3] }])
    expect(refused(check)).toEqual([expect.stringContaining(why)])
  expect(refused({ '[0].data': { not: { equals: { data: 1 } } }, not: { length: 3 } })).toEqual([])
  expect(refused([])).toEqual([])
  expect(refused({ '[*].data': [1, 2], '[0].data': { equals: { n: 1 } }, contains: { data: 1 } })).toEqual([])
})

test.for([
  'any_of: [{exists: false}, 7]',
  'not: {exists: true}',
  'not: {optional: true, equals: 7}',
  'all_of: [{snapshot: true}, 7]',
])('`%s` is refused: it could not be judged there', (check) => {
  const { problems } = parseChecks(parse(`body.a: {${check}}`) as Json)
  expect(problems).toMatchObject([
    {
      message: expect.stringMatching(
        /^`(?:exists|optional|snapshot)` is not allowed inside `\w+` of `body\.a`\.$/,
      ),
      hint: expect.stringMatching(/^Write `optional: true` beside `(?:any_of|not|all_of)` /),
    },
  ])
})
