import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inspect } from 'node:util'
import { safeParse } from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { operatorNames } from '../../../src/assertion/operators/operators.ts'
import type { ProblemCode } from '../../../src/errors.ts'
import {
  documentedGlobals,
  extensionFunctions,
} from '../../../src/interpolation/sandbox/extension-functions.ts'
import { certificate, pkcs12 } from '../../../src/request/fixtures/certificate.ts'
import { loadSuite } from '../../../src/suite/load-suite.ts'
import { environmentSchema, suiteSchema } from '../../../src/suite/schema/schema.ts'
import { optionsSchema, resolveOptions } from '../../contract/options.ts'
import { readExtension } from '../../contract/read-extension.ts'
import { listExamples, readPage, repository, type Example } from './read-pages.ts'

const STEP_KEYS = /^(?:assert|capture|scenarios|request|description|tags|skip|call|delay_ms):/
const indent = (text: string, by: string): string => text.replaceAll(/^(?=.)/gm, by)

/** Completes an example of the documentation into a suite. */
function complete(block: string): string {
  if (block.includes('suite_name:')) return block
  const request = /^request:/m.test(block) ? '' : '    request: { url: /x }\n'
  const step = `  - name: s\n${request}`
  if (STEP_KEYS.test(block)) return `suite_name: S\nsteps:\n${step}${indent(block, '    ')}`
  if (block.startsWith('- name:')) return `suite_name: S\nsteps:\n${indent(block, '  ')}`
  const steps = block.includes('steps:') ? '' : `steps:\n${step}`
  return `suite_name: S\n${steps}${block}`
}

/** The files that the examples refer to. */
const folder = mkdtempSync(join(tmpdir(), 'docs-'))
const extension = join(folder, 'suitecase.extend.ts')
for (const [name, text] of [
  ['me.pem', certificate.cert],
  ['me.key', certificate.key],
  ['me.p12', pkcs12],
  ['our-ca.pem', certificate.cert],
  ['shared/headers.yaml', 'defaults: { headers: { x-tenant: acme } }\n'],
  ['files/photo.png', 'PNG'],
  ['users.csv', 'user\nann\n'],
  ['openapi.yaml', 'openapi: 3.1.0\npaths: {}\n'],
  ['files/price.xml', '<price/>'],
  ['files/users.graphql', 'query FindUser($id: ID!) { user(id: $id) { name } }'],
  ['files/schema.graphql', 'type Query { user(id: ID!): User } type User { name: String }'],
] as const) {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}

// Examples use the functions, operators and schemes defined on the page about extensions.
beforeAll(async () => {
  const module = listExamples('ts', 'docs/application/extend.md').find(
    ({ file }) => file === 'suitecase.extend.ts',
  )
  writeFileSync(extension, module?.code ?? '')
  await readExtension(extension, 'suitecase.extend.ts')
})
afterAll(async () => {
  writeFileSync(extension, 'export default {}\n')
  await readExtension(extension, 'suitecase.extend.ts')
  rmSync(folder, { recursive: true })
})

/** Anything but pipelines and the settings of environments. The suites of recipes run in their own test. */
const isSuite = ({ page, file, code }: Example): boolean =>
  file === undefined
    ? !code.startsWith('# yaml-language-server') || code.includes('steps:')
    : file.endsWith('.suite.yaml') && !page.startsWith('docs/recipes/')

test.each(listExamples('yaml').filter(isSuite))('$page:$line loads as a suite', async ({ code }) => {
  const plan = await loadSuite({ path: 'docs/example.suite.yaml', text: complete(code) }, { folder })
  expect(plan.steps.length).toBeGreaterThan(0)
})

test.each(listExamples('yaml').filter(({ file }) => file?.startsWith('environments/')))(
  '$page:$line is an environment',
  ({ code }) => {
    expect(safeParse(environmentSchema, parse(code)).issues).toBeUndefined()
  },
)

test('the suite of the README loads, and its failure is shown at the place where it would be', async () => {
  const readme = readFileSync(join(repository, 'README.md'), 'utf8')
  const text = /```yaml\n# (?<path>\S+)\n.*?```/s.exec(readme)?.[0].slice('```yaml\n'.length, -3) ?? ''
  const plan = await loadSuite({ path: 'tests/login.suite.yaml', text }, { folder })
  expect(plan.steps.map(({ name }) => name)).toEqual(['Log in', 'Fetch the profile'])
  const [, line, column] = /❯ tests\/login\.suite\.yaml:(\d+):(\d+)/.exec(readme) ?? []
  expect(text.split('\n')[Number(line) - 1]?.slice(Number(column) - 1)).toMatch(/^alice/)
})

/** Names of all fields in a schema, at any depth. */
function listFields(schema: unknown, seen = new Set<unknown>()): string[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return []
  seen.add(schema)
  const { entries, wrapped, item, options } = schema as Record<string, unknown>
  const inner = [
    wrapped,
    item,
    ...((options as unknown[] | undefined) ?? []),
    ...Object.values(entries ?? {}),
  ]
  return [...Object.keys(entries ?? {}), ...inner.flatMap((each) => listFields(each, seen))]
}

test('every key of a suite has an example', () => {
  const used = new Set<string>()
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      used.add(key)
      collect(inner)
    }
  }
  for (const { code } of listExamples('yaml')) collect(parse(code, { uniqueKeys: false }))
  const fields = new Set([...listFields(suiteSchema), ...listFields(environmentSchema), ...operatorNames])
  expect(fields.size).toBeGreaterThan(100)
  const missing = [...fields].filter((name) => !used.has(name))
  expect(missing, 'show each of these in an example in YAML on a page in docs/suites').toEqual([])
})

test('every option of the plugin has an example, and a row in docs/running/options.md', () => {
  const code = listExamples('ts')
    .map((example) => example.code)
    .join('')
  const options = Object.keys(optionsSchema.entries)
  const table = readPage('docs/running/options.md')
  const missing = options.filter((name) => !code.includes(` ${name}: `) || !table.includes(`| \`${name}\` |`))
  expect(missing, 'add a row and a line of the example in docs/running/options.md').toEqual([])
})

test('the defaults of options are those of their page', () => {
  const rows = [...readPage('docs/running/options.md').matchAll(/^\| `(\w+)` \| `(\S+?)`/gm)]
  const shown = Object.fromEntries(rows.map(([, name, text]) => [name, text])) as Record<string, string>
  const defaults = Object.entries(resolveOptions()).filter(([name]) => name in shown)
  expect(defaults.length).toBeGreaterThan(6)
  for (const [name, value] of defaults)
    expect([name, shown[name]]).toEqual([name, inspect(value).replaceAll(/(?<=\[) | (?=\])/g, '')])
})

test('docs/help/errors.md names every code', () => {
  const codes: Record<ProblemCode, true> = {
    'yaml-syntax': true,
    'empty-file': true,
    'not-a-map': true,
    'duplicate-key': true,
    'bad-key': true,
    'several-documents': true,
    'unknown-tag': true,
    'unknown-alias': true,
    'unquoted-template': true,
    'bad-number': true,
    'too-large': true,
    'unknown-field': true,
    'missing-field': true,
    'bad-value': true,
    'bad-check': true,
    'bad-pattern': true,
    'bad-path': true,
    'bad-expression': true,
    'duplicate-node-id': true,
    'variable-cycle': true,
    'dependency-cycle': true,
    'unknown-reference': true,
    'unknown-variable': true,
    'unknown-export': true,
    ignored: true,
  }
  const errors = readPage('docs/help/errors.md')
  const missing = Object.keys(codes).filter((code) => !errors.includes(`| \`${code}\` |`))
  expect(missing, 'add a row for each to docs/help/errors.md').toEqual([])
})

test('docs/suites/templates.md names every global of expressions', () => {
  const templates = readPage('docs/suites/templates.md')
  const own = documentedGlobals.difference(extensionFunctions)
  const missing = [...own].filter((name) => !new RegExp(`\`${name}[\`.(]`).test(templates))
  expect(missing, 'name them under Expressions').toEqual([])
})
