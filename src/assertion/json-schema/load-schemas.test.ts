import { expect, test, vi } from 'vitest'
import type { Json } from '../../json.ts'
import type { CheckResult } from '../check.ts'
import { evaluateChecks } from '../judge/evaluate-checks.ts'
import { makeDeep, makeResponse, makeTools } from '../fixtures/response.ts'
import { loadSchemas } from './load-schemas.ts'
import { parseChecks } from '../fixtures/collect-problems.ts'

async function validate(schema: Json, body: Json, files: Record<string, string> = {}): Promise<string> {
  return (await judge(schema, body, files))?.message ?? ''
}

async function judge(
  schema: Json,
  body: Json,
  files: Record<string, string> = {},
): Promise<CheckResult | undefined> {
  const { checks, problems } = parseChecks({ body: { schema } }, () => [1, 1])
  expect(problems).toEqual([])
  const schemas = await loadSchemas(checks, (name) => {
    const text = files[name]
    if (text === undefined) throw new Error(`ENOENT: no such file ${name}`)
    return text
  })
  const context = makeResponse({ body })
  return evaluateChecks(checks, context, { ...makeTools(context), schemas })[0]
}

test.each([
  ['date-time', '2024-02-29T23:59:59Z', '2024-02-29T23:59:59+01'],
  ['time', '23:59:59-05:30', '23:59:59-0530'],
  ['uri', 'http://localhost:80/', 'http://localhost:undefined/'],
  ['uri', 'http://u:p@[::1]:80?a=b', 'mongodb://host:port/x'],
  ['uri', 'urn:isbn:0451450523', '/x'],
])('the format %s is that of the standard', async (format, good, bad) => {
  expect(await validate({ format }, good)).toBe('OK')
  expect(await validate({ format }, bad)).toContain(`must match format "${format}"`)
})

test('a file may begin with a byte order mark', async () => {
  const files = { 'a.json': '\uFEFF{ "type": "object" }', 'b.yaml': '\uFEFFtype: object\n' }
  for (const name of Object.keys(files)) {
    expect(await validate(name, {}, files)).toBe('OK')
    expect(await validate(name, [], files)).toContain('must be object')
  }
})

test('integers above 2⁵³ are integers, however deep', async () => {
  const schema = (type: string): Json => ({ properties: { a: { items: { properties: { id: { type } } } } } })
  const body = { a: [{ id: 9007199254740993n }] }
  expect(await validate(schema('integer'), body)).toBe('OK')
  expect(await validate(schema('string'), body)).toContain('`body.a[0].id` must be string')
})

test.each(['a.json', 'a.yaml'])('a number in %s keeps its digits', async (name) => {
  const files = { [name]: '{ "enum": [1, { "id": 9007199254740993 }], "maximum": 9223372036854775807 }' }
  expect(await validate(name, 1, files)).toContain('cannot tell 9007199254740993 from the numbers next to it')
})

test.for<[schema: Json, value: Json, problems: boolean]>([
  [{ prefixItems: [true], unevaluatedItems: false }, [1], false],
  [{ prefixItems: [true], unevaluatedItems: false }, [1, 2], true],
  [{ multipleOf: 0.01 }, 19.99, false],
  [{ multipleOf: 0.01 }, 1.155, true],
  [{ multipleOf: 0.01 }, 2271837.32, false],
  [{ multipleOf: 0.1 }, 1e21, false],
  [{ multipleOf: 1e9 }, -5e9, false],
  [{ multipleOf: 1e9 }, 5, true],
  [{ multipleOf: 0.123456789 }, 1e308, true],
  [{ type: 'integer', maximum: 9223372036854775807n }, 9223372036854775806n, false],
  [{ maximum: 9223372036854775807n }, 9223372036854775807n, false],
  [{ maximum: 9223372036854775807n }, 9223372036854775808n, true],
  [{ maximum: 2 ** 53 }, 9007199254740993n, true],
  [{ maximum: 9007199254740993n }, 1.5, false],
  [{ maximum: 9007199254740993n }, 1e300, true],
  [{ minimum: -9223372036854775808n }, -9223372036854775809n, true],
  [{ exclusiveMaximum: 9007199254740993n }, 9007199254740992n, false],
  [{ exclusiveMinimum: 9007199254740992n }, 9007199254740992n, true],
  [{ exclusiveMinimum: true, minimum: 9007199254740992n }, 9007199254740993n, false],
  [
    { $defs: { id: { maximum: 9007199254740992n } }, items: { $ref: '#/$defs/id' } },
    [1, 9007199254740993n],
    true,
  ],
  [{ properties: { 'a/b~': { maximum: 9007199254740992n } } }, { 'a/b~': 9007199254740993n }, true],
  [{ uniqueItems: true }, [9007199254740992n, 9007199254740993n], false],
  [{ multipleOf: 2 }, 9007199254740993n, true],
  [{ multipleOf: 3 }, 9007199254740993n, false],
  [{ const: { a: [1] } }, { a: [1] }, false],
  [{ enum: [{ b: 1 }, { a: 1, b: { c: null } }] }, { b: { c: null }, a: 1 }, false],
  [{ enum: [{ b: 1 }, { a: 1 }] }, { a: 2 }, true],
])('money and integers above 2⁵³ in a schema: case %#', async ([schema, value, isBroken]) => {
  expect((await judge(schema, value))?.passed).toBe(!isBroken)
})

test('a bound above 2⁵³ is told with its digits', async () => {
  expect(
    await validate({ properties: { id: { maximum: 9007199254740992n } } }, { id: 9007199254740993n }),
  ).toContain('`body.id` must match `maximum: 9007199254740992`')
})

test('lists every place where a value does not match', async () => {
  const schema = {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer' }, mail: { format: 'email' }, tags: { items: { pattern: '^a' } } },
    additionalProperties: false,
  }
  expect(await validate(schema, { id: 1, name: 'Ann' })).toBe(`Expected \`body\` to match the JSON Schema:
  \`body\` must NOT have additional properties ("name")`)
  expect(await validate(schema, { id: 'x', mail: 'nobody', tags: ['a', 'b'] }))
    .toBe(`Expected \`body\` to match the JSON Schema:
  \`body\` must have required property 'name'
  \`body.id\` must be integer
  \`body.mail\` must match format "email"
  \`body.tags[1]\` must match pattern "^a"`)
})

test('keys that consist of digits are named as they are', async () => {
  const message = await validate(
    { additionalProperties: { type: 'integer' } },
    { '01': 'a', '99999999999999999999': 'b' },
  )
  expect(message).toContain('`body.01` must be integer')
  expect(message).toContain('`body.99999999999999999999` must be integer')
})

test('two patterns of one schema stay two patterns', async () => {
  const schema = { properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } } }
  expect(await validate(schema, { a: 'a', b: 'b' })).toBe('OK')
  expect(await validate(schema, { a: 'b', b: 'b' })).toContain('`body.a` must match pattern "^a$"')
})

test('a pattern may cover a property that is named as well, and an anchor be referred to', async () => {
  const schema = {
    properties: { name: { type: 'string' }, id: { $ref: '#id' } },
    patternProperties: { '^na': { minLength: 2 } },
    $defs: { id: { $anchor: 'id', type: 'integer' } },
  }
  expect(await validate(schema, { name: 'Ann', id: 1 })).toBe('OK')
  expect(await validate(schema, { name: 'A', id: 'x' })).toBe(`Expected \`body\` to match the JSON Schema:
  \`body.id\` must be integer
  \`body.name\` must NOT have fewer than 2 characters`)
})

test('reads a schema from a file, draft-07, 2019-09 and 2020-12', async () => {
  const tuple07 = JSON.stringify({
    $schema: 'http://json-schema.org/draft-07/schema#',
    items: [{ type: 'string' }],
  })
  const tuple2020 = JSON.stringify({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    prefixItems: [{ type: 'string' }],
  })
  const tuple2019 = JSON.stringify({
    $schema: 'https://json-schema.org/draft/2019-09/schema',
    items: [{ type: 'string' }],
  })
  const files = { 'tuple07.json': tuple07, 'tuple2019.json': tuple2019, 'tuple2020.json': tuple2020 }
  for (const name of Object.keys(files)) {
    expect(await validate(name, ['a'], files)).toBe('OK')
    expect(await validate(name, [1], files)).toContain('`body[0]` must be string')
  }
})

test('a part of a file has the draft of the file', async () => {
  const draft = 'http://json-schema.org/draft-07/schema#'
  const files = {
    'a.json': JSON.stringify({ $schema: draft, definitions: { pair: { items: [{ type: 'string' }] } } }),
    'b.json': JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'array' }),
  }
  for (const schema of ['a.json#/definitions/pair', { $ref: 'a.json#/definitions/pair' }]) {
    expect(await validate(schema, ['a'], files)).toBe('OK')
    expect(await validate(schema, [1], files)).toContain('`body[0]` must be string')
  }
  expect(await validate({ $schema: draft, $ref: 'b.json' }, [], files)).toContain(
    'cannot be used: `$schema` is http://json-schema.org/draft-07/schema and https://json-schema.org/draft/2020-12/schema; it must be one of https://json-schema.org/draft/2020-12/schema, ',
  )
})

test.for<[schema: Json, words: RegExp]>([
  ['nope.json', /the file `nope.json` could not be read as JSON: ENOENT/],
  ['bad.json', /the file `bad.json` could not be read as JSON: .*JSON/],
  [{ type: 'strin' }, /schema is invalid: `type` must be/],
  [
    { items: [{ type: 'string' }] },
    /schema is invalid: `items` must be object,boolean; a list of schemas is `prefixItems` here, or/,
  ],
  [
    { const: 9007199254740993n },
    /`const` and `enum` cannot tell 9007199254740993 from the numbers next to it/,
  ],
  [
    { items: { enum: [1, { id: 9007199254740992 }] } },
    /cannot tell 9007199254740992 from .*`equals` or `in`/,
  ],
  [{ exclusiveMinimum: true }, /`exclusiveMinimum` must be number/],
  [{ typ: 'string' }, /unknown keyword: "typ"/],
  [{ pattern: '(' }, /cannot be used: /],
  [{ format: 'nope' }, /unknown format "nope" at path "#"$/],
  [{ items: { format: 'datetime' } }, /"datetime" at path "#\/items" \(did you mean `date-time`\?\)$/],
  [{ $async: true, type: 'integer' }, /unknown keyword: "\$async"$/],
  [{ $ref: '#/$defs/no' }, /can't resolve reference #\/\$defs\/no$/],
  [
    { $ref: 'http://127.0.0.1/s.json' },
    /can't resolve reference http:\/\/127.0.0.1\/s.json; nothing is fetched$/,
  ],
  [{ $id: 'http://a.b/c.json', $ref: 'http://x.y/d' }, /reference http:\/\/x.y\/d; nothing is fetched$/],
  [
    { $id: 'http://a.b/c.json', $ref: 'd.json' },
    /can't resolve reference d.json, which is relative to the `\$id` http:\/\/a.b\/c.json; nothing is fetched$/,
  ],
  [
    { $schema: 'http://json-schema.org/draft-04/schema#' },
    /draft-07\/schema; write draft-07, and `\$id` instead of `id`$/,
  ],
  [
    { items: { prefixItems: [true], contains: { type: 'string' }, unevaluatedItems: false } },
    /`unevaluatedItems` is not supported together with `contains`, /,
  ],
  [
    { if: { required: ['a'] }, else: { properties: { b: true } }, unevaluatedProperties: false },
    /`unevaluatedProperties` is not supported beside `if` and `else` without `then`/,
  ],
  [{ properties: JSON.parse('{ "__proto__": false }') as Json }, /a property called `__proto__` is not/],
  [
    { $ref: '#', $dynamicAnchor: 'a' },
    /^.*: `\$dynamicAnchor` is not supported; refer to each schema with `\$ref`$/,
  ],
  [{ items: { $dynamicRef: '#a' } }, /`\$dynamicRef` is not supported/],
  [
    { $schema: 'https://json-schema.org/draft/2019-09/schema', $recursiveAnchor: true },
    /`\$recursiveAnchor` is not supported/,
  ],
])('a schema that cannot be used fails the check: %s', async ([schema, words]) => {
  expect(await validate(schema, 'abc', { 'bad.json': '{' })).toMatch(words)
})

test('a check whose schemas were not loaded fails', () => {
  const { checks } = parseChecks({ body: { schema: { type: 'object' } } }, () => [1, 1])
  const context = makeResponse()
  expect(evaluateChecks(checks, context, makeTools(context))[0]?.message).toMatch(
    /was not loaded, so nothing was checked/,
  )
})

test('hostile answers neither hang nor overflow', async () => {
  expect(await validate({ pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`)).toMatch(
    /could not be made: .*longer than 300 ms/,
  )
  expect(
    await validate(
      { $defs: { n: { properties: { a: { $ref: '#/$defs/n' } } } }, $ref: '#/$defs/n' },
      makeDeep(50_000),
    ),
  ).toMatch(/could not be made: Maximum call stack/)
  const items = Array.from({ length: 50_000 }, (_, id) => ({ id }))
  expect(await validate({ uniqueItems: true }, items)).toBe('OK')
  expect(await validate({ uniqueItems: true }, [...items, { id: 7 }])).toContain(
    'must match `uniqueItems: true`',
  )
  expect(await validate({ required: ['constructor'] }, {})).toMatch(
    /must have required property 'constructor'/,
  )
  expect(await validate({ properties: { toString: { type: 'string' } } }, {})).toBe('OK')
})

test('compiles the schemas inside `each` too, and needs nothing when there are none', async () => {
  const { checks } = parseChecks({ body: { each: { schema: { type: 'string' } } } }, () => [1, 1])
  const context = makeResponse({ body: ['a', 1] })
  const schemas = await loadSchemas(checks, () => '')
  expect(evaluateChecks(checks, context, { ...makeTools(context), schemas })[0]?.message).toContain(
    '`body[1]` must be string',
  )
  expect(await loadSchemas(parseChecks({ status_code: 200 }, () => [1, 1]).checks, () => '')).toBeUndefined()
})

test('follows `$ref` into other files, relative to the file they are in', async () => {
  const files = {
    'schemas/order.json': JSON.stringify({
      properties: {
        user: { $ref: './user.json' },
        items: { items: { $ref: '../shared/item.json#/$defs/item' } },
      },
    }),
    'schemas/user.json': JSON.stringify({
      type: 'object',
      properties: { friend: { $ref: 'user.json' }, id: { $ref: '../shared/item.json#/$defs/id' } },
    }),
    'shared/item.json': JSON.stringify({
      $defs: {
        id: { type: 'integer' },
        item: { required: ['id'], properties: { id: { $ref: '#/$defs/id' } } },
      },
    }),
  }
  const body = { user: { id: 1, friend: { id: 'x' } }, items: [{ id: 2 }, {}] }
  expect(await validate('schemas/order.json', body, files)).toBe(`Expected \`body\` to match the JSON Schema:
  \`body.user.friend.id\` must be integer
  \`body.items[1]\` must have required property 'id'`)
  expect(await validate({ properties: { user: { $ref: 'schemas/user.json' } } }, body, files)).toContain(
    '`body.user.friend.id` must be integer',
  )
  expect(await validate({ $ref: 'nope.json' }, body, files)).toBe(
    'The schema of `body` cannot be used: the file `nope.json` could not be read as JSON: ENOENT: no such file nope.json',
  )
})

test.each(['a+b', 'v@2', 'a,b;c=d&e', 'my schemas', '[id]', 'é'])(
  'a `$ref` into the folder %s',
  async (folder) => {
    const files = { [`${folder}/a.json`]: '{"$defs":{"b":{"type":"string"}}}' }
    expect(await validate(`${folder}/a.json#/$defs/b`, 1, files)).toContain('`body` must be string')
  },
)

test.each(['.\\schemas\\a.json', 'schemas\\a.json#/properties/b'])(
  'on Windows %j leads to the same files as with `/`',
  async (name) => {
    vi.resetModules()
    vi.doMock('node:path', async () => (await vi.importActual<typeof import('node:path')>('node:path')).win32)
    const windows = await import('./load-schemas.ts')
    vi.doUnmock('node:path')
    vi.resetModules()
    const read: string[] = []
    const { checks } = parseChecks({ body: { schema: name } }, () => [1, 1])
    const schemas = await windows.loadSchemas(checks, (file) => {
      read.push(file)
      return file.endsWith('a.json') ? '{"properties":{"b":{"$ref":"./sub/b.json"}}}' : '{}'
    })
    expect(read.at(-1)).toBe('schemas/sub/b.json')
    expect(schemas?.get(name)).not.toHaveProperty('problem')
  },
)

const openApi = `
openapi: 3.1.0
info: { title: Books, version: '1' }
x-owner: { team: a }
paths:
  /books:
    get: { parameters: [{ $ref: './limit.yaml' }], responses: { 200: { description: ok } } }
components:
  parameters: { limit: { name: limit, in: query, required: false } }
  schemas:
    Tag: { type: string, example: odd, x-order: 1 }
    Id: { $ref: './ids.yaml#/$defs/id' }
    Book:
      required: [id]
      properties: { id: { $ref: '#/components/schemas/Id' }, tags: { items: { $ref: '#/components/schemas/Tag' } } }
`

test.for<[schema: Json]>([
  ['api/openapi.yaml#/components/schemas/Book'],
  [{ $ref: 'api/openapi.yaml#/components/schemas/Book' }],
])('takes a schema out of an OpenAPI document: %j', async ([schema]) => {
  const files = { 'api/openapi.yaml': openApi, 'api/ids.yaml': '$defs: { id: { type: integer } }' }
  expect(await validate(schema, { id: 1, tags: ['a'] }, files)).toBe('OK')
  expect(await validate(schema, { id: 'x', tags: [1] }, files))
    .toBe(`Expected \`body\` to match the JSON Schema:
  \`body.id\` must be integer
  \`body.tags[0]\` must be string`)
})

test('a schema of schemas is the published one', async () => {
  const schema = { $ref: 'https://json-schema.org/draft/2020-12/schema' }
  expect((await judge(schema, { items: { items: { type: 'strin' } } }))?.passed).toBe(false)
  expect((await judge(schema, { items: { items: { type: 'string' } } }))?.passed).toBe(true)
})

test('formats of short texts are not limited in time, which takes longer than they do', async () => {
  const { checks } = parseChecks({ body: { schema: { items: { format: 'email' } } } }, () => [1, 1])
  const schemas = await loadSchemas(checks, () => '')
  const limited = vi.fn<(pattern: object, text: string) => boolean>(() => true)
  const context = makeResponse({ body: ['a@b.example', `${'a'.repeat(300)}@b.example`] })
  const tools = { ...makeTools(context), schemas, test: limited }
  expect(evaluateChecks(checks, context, tools)[0]?.passed).toBe(true)
  expect(limited.mock.calls.map(([, text]) => text.length)).toEqual([310])
})

test('properties may have names of keywords', async () => {
  const properties = {
    exclusiveMinimum: false,
    nullable: true,
    example: { exclusiveMinimum: true, minimum: 0 },
  }
  expect(await validate({ properties }, { nullable: 1, example: 1 })).toBe('OK')
  expect(await validate({ properties }, { exclusiveMinimum: 1, example: 0 }))
    .toBe(`Expected \`body\` to match the JSON Schema:
  \`body.exclusiveMinimum\` boolean schema is false
  \`body.example\` must be > 0`)
})

test('takes schemas as OpenAPI 3.0 writes them', async () => {
  const files = {
    'openapi.yaml': `
openapi: 3.0.0
components:
  schemas:
    To: { type: object, required: [city] }
    Order:
      type: object
      properties:
        total: { type: number, minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false }
        note: { type: string, nullable: true }
        to: { nullable: true, allOf: [{ $ref: '#/components/schemas/To' }] }
        kind: { nullable: true, enum: [a, null] }
        nullable: { nullable: false, const: { nullable: true, exclusiveMinimum: true } }
`,
  }
  const schema = 'openapi.yaml#/components/schemas/Order'
  const nullable = { nullable: true, exclusiveMinimum: true }
  expect(await validate(schema, { total: 9, note: null, to: null, kind: null, nullable }, files)).toBe('OK')
  expect(await validate(schema, { total: 0, note: 1, to: {}, kind: 'b', nullable: null }, files))
    .toBe(`Expected \`body\` to match the JSON Schema:
  \`body.total\` must be > 0
  \`body.note\` must be string
  \`body.to\` must be null
  \`body.to\` must have required property 'city'
  \`body.to\` must match a schema in anyOf
  \`body.kind\` must be equal to one of the allowed values (["a",null])
  \`body.nullable\` must be equal to constant ({"nullable":true,"exclusiveMinimum":true})`)
})

test('takes schemas out of Swagger 2 documents, where `x-nullable` allows null', async () => {
  const files = {
    'swagger.yaml': `
swagger: '2.0'
definitions:
  Pet:
    type: object
    required: [id]
    properties: { id: { type: integer, format: int64 }, owner: { type: string, x-nullable: true } }
`,
  }
  const schema = 'swagger.yaml#/definitions/Pet'
  expect(await validate(schema, { id: 1, owner: null }, files)).toBe('OK')
  expect(await validate(schema, { owner: 1 }, files)).toBe(`Expected \`body\` to match the JSON Schema:
  \`body\` must have required property 'id'
  \`body.owner\` must be string`)
})

const split = {
  'api.yaml': `
openapi: 3.1.0
paths:
  /users: { get: { responses: { '200': { content: { application/json: { schema: { items: { $ref: ./schemas/user.yaml } } } } } } } }
  /pages: { $ref: ./paths/pages.yaml }
components:
  parameters: { limit: { $ref: ./parameters/limit.yaml } }
  examples: { all: { $ref: ./examples/all.json } }
  schemas:
    User: { $ref: ./schemas/user.yaml }
    Page: { $ref: types.yaml#/Page }
    Odd: { $dynamicRef: '#node' }
`,
  'parameters/limit.yaml': '{ name: limit, in: query, required: true, schema: { type: integer } }',
  'schemas/user.yaml': '{ x-table: users, properties: { address: { $ref: ./address.yaml } } }',
  'schemas/address.yaml': 'required: [city]',
  'address.yaml': 'required: [street]',
  'types.yaml': '{ Page: { properties: { number: { $ref: "#/Number" } } }, Number: { type: integer } }',
  'common.yaml': 'components: { schemas: { Page: { type: array } } }',
  'paths/pages.yaml': `
get: { responses: { '200': { $ref: '../responses.yaml#/Pages' }, '404': { $ref: '#/get/responses/404' } } }`,
  'responses.yaml':
    'Pages: { content: { application/json: { schema: { items: { $ref: types.yaml#/Page } } } } }',
  'names.yaml': '{ Order.Item: { $ref: "#/type" }, type: { type: array } }',
  'merged.yaml': '{ Base: &base { type: object }, Page: { <<: *base, required: [id] } }',
}

test.for<[schema: string, body: Json, problem: string]>([
  ['api.yaml#/components/schemas/User', { address: {} }, "`body.address` must have required property 'city'"],
  ['api.yaml#/components/schemas/Page', { number: 'x' }, '`body.number` must be integer'],
  [
    'api.yaml#/paths/~1users/get/responses/200/content/application~1json/schema',
    [{ address: {} }],
    "`body[0].address` must have required property 'city'",
  ],
  [
    'api.yaml#/paths/~1pages/get/responses/200/content/application~1json/schema',
    [{ number: 'x' }],
    '`body[0].number` must be integer',
  ],
  ['schemas/user.yaml', { address: {} }, "`body.address` must have required property 'city'"],
  ['types.yaml#/Page', { number: 'x' }, '`body.number` must be integer'],
  ['common.yaml#/components/schemas/Page', {}, '`body` must be array'],
  ['merged.yaml#/Page', [], '`body` must be object'],
  ['names.yaml#/Order.Item', 1, '`body` must be array'],
  ['parameters/limit.yaml#/schema', 'x', '`body` must be integer'],
])('takes %s out of an OpenAPI document in several files', async ([schema, body, problem]) => {
  expect(await validate(schema, body, split)).toBe(`Expected \`body\` to match the JSON Schema:
  ${problem}`)
})

test('a reference that leads nowhere is told', async () => {
  expect(await validate('api.yaml#/paths/~1pages/get/responses/404/content', {}, split)).toBe(
    "The schema of `body` cannot be used: can't resolve reference paths/pages.yaml#/get/responses/404/content",
  )
})

test('formats of an OpenAPI document may have any name, and patterns any escape', async () => {
  const files = {
    'api.yaml': String.raw`
openapi: 3.0.0
components:
  schemas:
    Price: { type: string, description: , format: decimal, pattern: '^\d+\-[\-\_a-z]\"$' }
    Car: { required: [wheels] }
    Thing: { oneOf: [{ type: object }, { $ref: '#/components/schemas/Car' }] }
`,
  }
  expect(await validate('api.yaml#/components/schemas/Price', '12-_"', files)).toBe('OK')
  expect(await validate('api.yaml#/components/schemas/Price', '12-:"', files)).toContain('must match pattern')
  expect(await validate('api.yaml#/components/schemas/Price', 12, files)).toContain('`body` must be string')
  expect(await validate('api.yaml#/components/schemas/Thing', { wheels: 4 }, files))
    .toBe(`Expected \`body\` to match the JSON Schema:
  \`body\` must match exactly one schema in oneOf`)
})

test('a schema of its own must have known formats even if it refers to an OpenAPI document', async () => {
  const schema = { format: 'emial', $ref: 'api.yaml#/A' }
  expect(await validate(schema, 'x', { 'api.yaml': '{ openapi: 3.1.0, A: { format: money } }' })).toContain(
    'unknown format "emial"',
  )
})

test('a `$ref` in data is data', async () => {
  const schema = { const: { $ref: 'nope.yaml' }, examples: [{ $ref: '#/nope' }] }
  expect(await validate(schema, { $ref: 'nope.yaml' })).toBe('OK')
})

test('says which property is one too many', async () => {
  const schema = { properties: { id: {} }, propertyNames: { maxLength: 3 }, unevaluatedProperties: false }
  expect(await validate(schema, { id: 1, note: 1 })).toBe(`Expected \`body\` to match the JSON Schema:
  \`body\` must NOT have more than 3 characters
  \`body\` property name must be valid ("note")
  \`body\` must NOT have unevaluated properties ("note")`)
})

test('a response need not have required properties that are `writeOnly`', async () => {
  const properties = { name: { type: 'string' }, password: { type: 'string', writeOnly: true } }
  const schema = { properties, required: ['name', 'password', 'constructor'] }
  expect(await validate(schema, { password: 1 })).toBe(`Expected \`body\` to match the JSON Schema:
  \`body\` must have required property 'name'
  \`body\` must have required property 'constructor'
  \`body.password\` must be string`)
})

test.for<[schema: Json, words: string]>([
  [
    { $ref: 'openapi.yaml#' },
    '`openapi.yaml` is an OpenAPI document: name a schema of it, such as `openapi.yaml#/components/schemas/Order`',
  ],
  [
    'openapi.yaml',
    '`openapi.yaml` is an OpenAPI document: name a schema of it, such as `openapi.yaml#/components/schemas/Order`',
  ],
  [
    'openapi.yaml#/components/schemas/Bok',
    "can't resolve reference openapi.yaml#/components/schemas/Bok; `#/components/schemas` has: Tag, Id, Book (did you mean `Book`?)",
  ],
  [
    'response.yaml#/paths/~1a/get/responses/200',
    '`response.yaml#/paths/~1a/get/responses/200` has a schema, but is none: write `response.yaml#/paths/~1a/get/responses/200/content/application~1json/schema`',
  ],
  [
    'response.yaml#/paths/~1a/get/responses/200/content/application~1json',
    '`response.yaml#/paths/~1a/get/responses/200/content/application~1json` has a schema, but is none: write `response.yaml#/paths/~1a/get/responses/200/content/application~1json/schema`',
  ],
  [
    'bad.yaml',
    'the file `bad.yaml` could not be read as YAML: Implicit keys need to be on a single line at line 1, column 1',
  ],
  ['empty.yaml', 'the file `empty.yaml` could not be read as YAML: expected a map, got `null`'],
  [
    { $ref: 'list.json#/definitions/A' },
    'the file `list.json` could not be read as JSON: expected a map, got `[1]` (array)',
  ],
  ['typo.yaml#/components/schemas/A', 'strict mode: unknown keyword: "requird" (did you mean `required`?)'],
  [
    { allOf: [{ $ref: 'openapi.yaml#/components/schemas/Tag' }], requird: ['id'] },
    'strict mode: unknown keyword: "requird" (did you mean `required`?)',
  ],
  [{ $ref: 'types.yaml#/A' }, 'schema is invalid: `description` must be string, in types.yaml#/A'],
  [{ $ref: 'typo.yaml#/components' }, 'strict mode: unknown keyword: "schemas"'],
])('says what is wrong with a schema of an OpenAPI document: %s', async ([schema, words]) => {
  const files = {
    'openapi.yaml': openApi,
    'ids.yaml': '{ $defs: { id: {} } }',
    'bad.yaml': 'a\nb: 1',
    'empty.yaml': '',
    'list.json': '[1]',
    'response.yaml':
      'openapi: 3.1.0\npaths: { /a: { get: { responses: { 200: { content: { application/json: { schema: {} } } } } } } }',
    'types.yaml': 'A: { description: }',
    'typo.yaml': 'openapi: 3.1.0\ncomponents: { schemas: { A: { requird: [id] } } }',
  }
  expect(await validate(schema, {}, files)).toBe(`The schema of \`body\` cannot be used: ${words}`)
})

test.for<[schema: Json, body: Json, warning: string | undefined]>([
  [
    { properties: { id: { type: 'integer' } } },
    [{ id: 'x' }],
    '`schema` of `body` checked nothing: `properties` applies to values of type object, and this one is of type array. Write `type: object` in the schema.',
  ],
  [
    { items: { required: ['id'] } },
    { data: [] },
    '`schema` of `body` checked nothing: `items` applies to values of type array, and this one is of type object. Write `type: array` in the schema.',
  ],
  [
    { title: 'User', properties: { idd: { type: 'integer' } } },
    { id: 'x' },
    '`schema` of `body` checked no property: none of its `properties` is present. List those that must be in `required`.',
  ],
  [
    { properties: { id: { type: 'integer' } } },
    {},
    '`schema` of `body` checked no property: none of its `properties` is present. List those that must be in `required`.',
  ],
  [
    { type: 'object', properties: { idd: { type: 'integer' } } },
    { id: 'x' },
    '`schema` of `body` checked no property: none of its `properties` is present. List those that must be in `required`.',
  ],
  [
    { required: ['id'], properties: { id: { type: 'integer' } } },
    [{ id: 'x' }],
    '`schema` of `body` checked nothing: `required` applies to values of type object, and this one is of type array. Write `type: object` in the schema.',
  ],
  [
    { format: 'ipv4' },
    5,
    '`schema` of `body` checked nothing: `format` applies to values of type string, and this one is of type number. Write `type: string` in the schema.',
  ],
  [
    { minimum: 1 },
    '0',
    '`schema` of `body` checked nothing: `minimum` applies to values of type number, and this one is of type string. Write `type: number` in the schema.',
  ],
  [
    { description: 'a user' },
    5,
    '`schema` of `body` checked nothing: it has no keyword that restricts the value, such as `type`.',
  ],
  [
    { minimum: 5, maximum: 9 },
    '3',
    '`schema` of `body` checked nothing: `minimum` applies to values of type number, and this one is of type string. Write `type: number` in the schema.',
  ],
  [
    { format: 'email' },
    3,
    '`schema` of `body` checked nothing: `format` applies to values of type string, and this one is of type number. Write `type: string` in the schema.',
  ],
  [
    { type: 'string', minimum: 5 },
    '3.00',
    '`schema` of `body` checked nothing: `minimum` applies to values of type number, and this one is of type string. Write `type: number` in the schema.',
  ],
  [
    'api.yaml#/components/schemas/Account',
    { id: 1 },
    '`schema` of `body` checked no property: none of its `properties` is present. List those that must be in `required`.',
  ],
  ['api.yaml#/components/schemas/Account', { Id: 1 }, undefined],
  [{ minimum: 5 }, 7, undefined],
  [{ type: ['integer', 'null'], minimum: 5 }, null, undefined],
  [{ type: 'object', properties: { left: {} } }, {}, undefined],
  [{ type: 'object' }, { id: 1 }, undefined],
  [{ properties: { id: { type: 'integer' }, left: {} } }, { id: 1 }, undefined],
  [{ type: ['object', 'array'], properties: { id: {} } }, [], undefined],
  [{ properties: { left: {} }, additionalProperties: false }, {}, undefined],
])('a schema %j that says nothing about %j has a warning: %s', async ([schema, body, warning]) => {
  const account = 'Account: { type: object, properties: { Id: { type: integer } } }'
  const files = { 'api.yaml': `openapi: 3.0.3\ncomponents: { schemas: { ${account} } }` }
  expect((await judge(schema, body, files))?.warning).toBe(warning)
})
