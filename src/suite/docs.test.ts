import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { ProblemCode } from '../errors.ts'
import { certificate } from '../request/fixtures/certificate.ts'
import { loadSuite } from './load-suite.ts'
import { suiteSchema } from './schema/schema.ts'

const docs = join(import.meta.dirname, '../../docs')
const format = readFileSync(join(docs, 'suite-format.md'), 'utf8')
const pages = format + readFileSync(join(docs, 'streams.md'), 'utf8')
const blocks = [...pages.matchAll(/```yaml\n(.*?)```/gs)].map(([, block = '']) => block)

const STEP_KEYS = /^(?:assert|capture|scenarios|mocks):/
const indent = (text: string, by: string): string => text.replaceAll(/^(?=.)/gm, by)

/** Completes an example of the documentation to a suite. */
function complete(block: string): string {
  if (block.includes('suite_name:')) return block
  const step = '  - name: s\n    request: { url: /x }\n'
  if (STEP_KEYS.test(block)) return `suite_name: S\nsteps:\n${step}${indent(block, '    ')}`
  if (block.startsWith('- name:')) return `suite_name: S\nsteps:\n${indent(block, '  ')}`
  if (block.startsWith('iterate:'))
    return `suite_name: S\nsteps:\n${block
      .trim()
      .split('\n')
      .map((line) => `${step}    ${line}\n`)
      .join('')}`
  if (block.startsWith('auth:'))
    return `suite_name: S\nsteps:\n${block
      .trim()
      .split('\n')
      .map((line) => `  - name: s\n    request:\n      url: https://host/x\n      ${line}\n`)
      .join('')}`
  const steps = block.includes('steps:') ? '' : `steps:\n${step}`
  return `suite_name: S\n${steps}${block}`
}

/** The files that the examples of `tls` and `use` name. */
const folder = mkdtempSync(join(tmpdir(), 'docs-'))
afterAll(() => rmSync(folder, { recursive: true }))
for (const [name, text] of [
  ['me.pem', certificate.cert],
  ['me.key', certificate.key],
  ['our-ca.pem', certificate.cert],
  ['headers.yaml', 'defaults: { headers: { x-tenant: acme } }\n'],
] as const)
  writeFileSync(join(folder, name), text)

test.each(blocks)('this example of docs/suite-format.md or docs/streams.md loads: %s', async (block) => {
  const text = complete(block).replace('./shared/headers.yaml', 'headers.yaml')
  const source = { path: 'docs/example.suite.yaml', text }
  const plan = await loadSuite(source, { folder: /^(?:tls|use):/.test(block) ? folder : docs })
  expect(plan.steps.length).toBeGreaterThan(0)
})

test('the suite of the README loads, and its failure is shown at the place where it would be', async () => {
  const readme = readFileSync(join(docs, '../README.md'), 'utf8')
  const text = /```yaml\n# (?<path>\S+)\n.*?```/s.exec(readme)?.[0].slice('```yaml\n'.length, -3) ?? ''
  const plan = await loadSuite({ path: 'tests/login.suite.yaml', text }, { folder: docs })
  expect(plan.steps.map(({ name }) => name)).toEqual(['Log in', 'Fetch the profile'])
  const [, line, column] = /❯ tests\/login\.suite\.yaml:(\d+):(\d+)/.exec(readme) ?? []
  expect(text.split('\n')[Number(line) - 1]?.slice(Number(column) - 1)).toMatch(/^alice/)
})

test('docs/suite-format.md and docs/streams.md name every field of the format', () => {
  const fields: string[] = []
  const visit = (schema: unknown): void => {
    const { entries, wrapped, item, options } = schema as Record<string, unknown>
    for (const [name, field] of Object.entries(entries ?? {})) {
      fields.push(name)
      visit(field)
    }
    for (const inner of [wrapped, item, ...((options as unknown[] | undefined) ?? [])])
      if (inner) visit(inner)
  }
  visit(suiteSchema)
  expect(fields.length).toBeGreaterThan(60)
  expect(fields.filter((name) => !pages.includes(name))).toEqual([])
})

test('docs/errors.md names every code', () => {
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
    'unused-capture': true,
    ignored: true,
  }
  const errors = readFileSync(join(docs, 'errors.md'), 'utf8')
  const missing = Object.keys(codes).filter((code) => !errors.includes(`| \`${code}\` |`))
  expect(missing).toEqual([])
})
