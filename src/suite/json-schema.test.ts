import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { expect, test } from 'vitest'
import { listKeys, type SchemaNode } from '../../tools/add-examples.ts'
import { buildJsonSchema } from '../../tools/build-json-schema.ts'
import { operatorNames } from '../assertion/operators/operators.ts'
import { operatorEntries } from './schema/schema-checks.ts'
import { environmentSchema, fragmentSchema, type SuiteInput } from './schema/schema.ts'

const root = join(import.meta.dirname, '../..')
const written = JSON.parse(readFileSync(join(root, 'schema.json'), 'utf8')) as SchemaNode
const validate = new Ajv({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(written)

const accepts = (text: string): boolean => validate(parse(text, { merge: true }))
const steps = 'steps: [{ name: a, request: { url: /x } }]'
const withStep = (more: string): string =>
  `suite_name: S\nsteps: [{ name: a, request: { url: /x }, ${more} }]`

test('schema.json is what `npm run schema` writes', () => {
  expect(written, 'run `npm run schema`').toEqual(JSON.parse(JSON.stringify(buildJsonSchema())))
})

test('the schema of environments has their keys, and takes what they have from that of suites', () => {
  const path = join(root, 'environment.schema.json')
  const schema = JSON.parse(readFileSync(path, 'utf8')) as SchemaNode
  expect(Object.keys(schema.properties ?? {})).toEqual(Object.keys(environmentSchema.entries))
  const isValid = new Ajv({ strict: false }).addSchema(written, 'schema.json').compile(schema)
  const valid = {
    base_url: 'http://a.b',
    variables: { a: 1 },
    defaults: { headers: { a: 'b' } },
    secrets: { a: 'b' },
  }
  expect(isValid(valid)).toBe(true)
  const secrets = [{ a: 1 }, { a: '' }, {}].map((each) => ({ secrets: each }))
  for (const wrong of [{ base_url: 1 }, { defaults: { header: {} } }, ...secrets, { steps: [] }])
    expect(isValid(wrong)).toBe(false)
})

test('the schema of files of `use` has their keys, and takes them from that of suites', () => {
  const schema = JSON.parse(readFileSync(join(root, 'use.schema.json'), 'utf8')) as SchemaNode
  expect(Object.keys(schema.properties ?? {})).toEqual(Object.keys(fragmentSchema.entries))
  const isValid = new Ajv({ strict: false }).addSchema(written, 'schema.json').compile(schema)
  expect(isValid({ timeout: '5s', defaults: { params: { a: 1 } }, xml_namespaces: { a: 'b' } })).toBe(true)
  for (const wrong of [{ insecure: 1 }, { secrets: { a: 'b' } }, { steps: [] }])
    expect(isValid(wrong)).toBe(false)
})

test('every key is described, has a page and an example, and the examples are valid', () => {
  const { $defs } = written
  const keys = [...listKeys(written)].filter(([, { $ref }]) => $ref === undefined)
  expect(keys.length).toBeGreaterThan(150)
  const isGood = ({ description = '', examples = [] }: SchemaNode): boolean =>
    /^\S[^]*\n\nSee node_modules\/suitecase\/docs\/\S+\.md$/.test(description) && examples.length > 0
  const poor = keys.flatMap(([name, node]) => (isGood(node) ? [] : name))
  expect(poor, 'describe each in its schema, show it in an example in docs, run `npm run schema`').toEqual([])
  // One schema of them all, since a schema for each key takes seconds to compile.
  const ajv = new Ajv({ strict: false, allErrors: true })
  const isValid = ajv.compile({ $defs, items: keys.map(([, node]) => ({ items: node })) })
  isValid(keys.map(([, { examples }]) => examples))
  const wrong = (isValid.errors ?? []).map(({ instancePath, message }) => {
    const [, key] = instancePath.split('/')
    return [keys[Number(key)]?.[0], message]
  })
  expect(wrong).toEqual([])
  // If there were only one, editors would insert it, with its `{{…}}` unquoted.
  expect(written.properties?.['defaults']?.properties?.['auth']?.examples).toHaveLength(2)
  // Each key names a page that shows it, mostly the page about it.
  const homes = [$defs?.['assert'], $defs?.['capture'], $defs?.['auth'], $defs?.['request']]
  const found = homes.map((node) => node?.description?.split('/').at(-1))
  const names = ['checks', 'captures', 'authentication', 'requests']
  expect(found).toEqual(names.map((name) => `${name}.md`))
  const each = written.properties?.['each']?.anyOf?.find(({ properties }) => properties?.['file'])
  expect(each?.properties?.['file']?.examples).toEqual(['users.csv'])
  // An operator has examples of operators, not of other keys with its name.
  const { each: elements, schema } = $defs?.['operators']?.properties ?? {}
  expect([elements?.examples, schema?.examples]).toEqual([
    [{ price: { greater_than: 0 } }],
    [expect.objectContaining({ type: 'object' })],
  ])
  // Editors offer these when completing a value.
  expect($defs?.['request']?.properties?.['method']?.examples).toContain('DELETE')
  const pages = keys.map(
    ([, { description = '' }]) => description.split('node_modules/suitecase/').at(-1) ?? '',
  )
  expect(pages.filter((page) => !existsSync(join(root, page)))).toEqual([])
})

test('the schema knows every operator, and no other', () => {
  expect(Object.keys(operatorEntries).toSorted()).toEqual(operatorNames.toSorted())
})

test('every suite of the examples is valid', () => {
  const folder = join(root, 'examples/echo')
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.suite.yaml'))) {
    const isValid = accepts(readFileSync(join(folder, name), 'utf8'))
    expect({ name, isValid, errors: validate.errors }).toEqual({ name, isValid: true, errors: null })
  }
})

test.each([
  withStep("assert: { status_code: 2xx, 'body.items[0].id': 5, 'headers.content-type': { contains: json } }"),
  withStep('assert: { body: { a: { b: { type: string, minLength: 3 } }, c: [1, 2], d: null } }'),
  withStep(
    "assert: { body: { list: { each: { field: { type: { equals: 'x' } } } }, n: { less_than: '{{max}}' } } }",
  ),
  `defaults: { assert: { css: null } }\n${withStep('assert: { status_code: null, headers: null, size_bytes: null, duration_ms: null, cookies: null }')}`,
  withStep(
    "assert: { body: { a: { type: string, optional: '{{a}}' }, b: { type: ['{{b}}', 'null'] } }, headers: { date.is_near: { by: 5m } } }",
  ),
  withStep(
    "assert: { 'body.x.equals': {}, body: { a: { snapshot: '{{v}}' }, b: { snapshot: { ignore: '{{v}}' } } } }",
  ),
  'suite_name: S\nsteps: [{ name: a, todo: true }, { name: b, skip: true }, { name: c, call: { suite: d } }]',
  withStep("capture: { a: body.a, b: { path: body.b, default: 1 }, c: 5, d: { free: '{{a}}' } }"),
  withStep('retry: { max_attempts: 3, on: [503, 5XX] }, iterate: { range: 1..3, as: n }, skip: a > 1'),
  withStep('request: { url: /x, timeout: "{{t}}", multipart: { f: { file: a.txt }, g: [1, 2] } }').replace(
    'request: { url: /x }, ',
    '',
  ),
  ...[
    'grant: client_credentials, scope: a',
    'grant: password, username: u, password: 5',
    "grant: refresh_token, refresh_token: '{{r}}'",
  ].map(
    (rest) =>
      `suite_name: S\nsteps: [{ name: s, request: { url: /x, auth: { oauth2: { token_url: /t, client_id: c, ${rest} } } } }]`,
  ),
])('a suite with %s is valid', (text) => {
  expect(accepts(text)).toBe(true)
})

test.each([
  `suite_nam: S\n${steps}`,
  'suite_name: S',
  'suite_name: S\nsteps: []',
  `suite_name: S\ntimeout: 0\n${steps}`,
  `suite_name: S\nmetadata: { priority: urgent }\n${steps}`,
  withStep('assert: { status: 200 }'),
  withStep('assert: { status_code: abc }'),
  withStep('assert: { status_code: [] }'),
  withStep('assert: { body: {} }'),
  withStep("assert: { 'body.x': {} }"),
  withStep('assert: { cookies: {} }'),
  withStep('assert: { body: { a: { not: {} } } }'),
  withStep('assert: { body: { a: { type: [] } } }'),
  withStep('assert: { headers: { etag: { contians: a } } }'),
  withStep('assert: { css: { h1: {} } }'),
  'suite_name: S\nsteps: [{ name: a, assert: { status_code: 200 } }]',
  withStep('assert: { body: { a: { minLength: -1 } } }'),
  withStep('assert: { body: { a: { b: { type: strng } } } }'),
  withStep('assert: { custom: [{ name: x }] }'),
  withStep('retry: { max_attempts: 0 }'),
  withStep('iterate: { over: [1] }'),
  withStep('iterate: { over: [1], as: index }'),
  withStep('iterate: { range: one..two, as: n }'),
  withStep('scenarios: [{ then: { capture: { a: b } } }]'),
  withStep('scenarios: [{ condition: a, then: { asert: {} } }]'),
  withStep("scenarios: [{ condition: 'a' }]"),
  withStep('mocks: [{ method: GET }]'),
  withStep('mocks: [{ url: /orders }]'),
  withStep('burst: { times: 2 }, assert: { responses: [] }'),
  withStep('assert: { xpath: {} }'),
  withStep('capture: {}'),
  withStep('capture: { a: null }'),
  withStep('capture: { a: { xpath: 3 } }'),
  withStep('capture: { a: { default: 3 } }'),
  withStep('tags: [And]'),
  ...['{}', '{ bearer: a, basic: { username: u, password: p } }', '{ signed: { key: k } }'].map(
    (auth) => `suite_name: S\ndefaults: { auth: ${auth} }\n${steps}`,
  ),
  ...['{}', "{ query: '{ a }', query_file: a.graphql }"].map(
    (graphql) => `suite_name: S\nsteps: [{ name: s, request: { url: /x, graphql: ${graphql} } }]`,
  ),
  ...[
    'body: 1, form: { a: b }',
    'body: null, file: a.txt',
    "multipart: { a: b }, graphql: { query: '{ a }' }",
  ].map((body) => `suite_name: S\nsteps: [{ name: s, request: { url: /x, method: POST, ${body} } }]`),
  ...[1001, 3000.5].map(
    (code) => `suite_name: S\nsteps: [{ name: s, websocket: { url: /x, exchange: [{ close: ${code} }] } }]`,
  ),
])('a suite with %s is not valid', (text) => {
  expect(accepts(text)).toBe(false)
})

test('every field that an editor offers has words to go with it', () => {
  const silent: string[] = []
  const visit = (part: unknown, path: string): void => {
    if (typeof part !== 'object' || part === null) return
    const { properties } = part as { properties?: Record<string, object> }
    for (const [name, field] of Object.entries(properties ?? {}))
      if (!('description' in field) && !('$ref' in field)) silent.push(`${path}.${name}`)
    for (const [key, child] of Object.entries(part)) visit(child, `${path}.${key}`)
  }
  visit({ properties: (written as { properties: object }).properties }, '')
  expect(silent).toEqual([])
})

test('the types of a suite know what checks take', () => {
  const suite = {
    suite_name: 'S',
    steps: [
      {
        name: 'a',
        request: { url: '/x', headers: { a: 'b', c: ['d', 1] } },
        assert: {
          status_code: [200, '2xx'],
          body: { id: { type: 'integer', greater_than: 0 }, name: 'x', 'a.b': { c: { minLength: 2 } } },
        },
        capture: { id: 'body.id', other: { path: 'body.other', optional: true } },
      },
    ],
  } satisfies SuiteInput
  // @ts-expect-error -- `minLength` takes a number
  const wrong: SuiteInput = { suite_name: 'S', steps: [{ name: 'a', assert: { body: { minLength: [] } } }] }
  expect([suite.steps.length, wrong.steps.length]).toEqual([1, 1])
})
