import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { isJsonObject } from '../src/json.ts'

/** A part of a JSON Schema. */
export type SchemaNode = {
  $ref?: string
  anyOf?: SchemaNode[]
  items?: SchemaNode
  properties?: Record<string, SchemaNode>
  additionalProperties?: SchemaNode | boolean
  $defs?: Record<string, SchemaNode>
  description?: string
  examples?: unknown[]
}

type Example = { value: unknown; page: string }

const root = join(import.meta.dirname, '..')

/** Keys with a page of their own, which their examples come from first. */
const homes = {
  assert: 'checks',
  capture: 'captures',
  retry: 'retry',
  auth: 'authentication',
  request: 'requests',
  steps: 'steps',
}
const LONGEST = 320

/** Adds the example in the documentation to each key of the schema, and names the page, so that editors show what is tested there. */
export function addExamples(schema: SchemaNode): void {
  const byTitle = new Map<string, Example[]>()
  const follow = (node: SchemaNode): SchemaNode =>
    schema.$defs?.[node.$ref?.slice('#/$defs/'.length) ?? ''] ?? node

  const visit = (at: SchemaNode, { value, page }: Example): void => {
    const { anyOf = [], items, properties = {}, additionalProperties: others } = follow(at)
    for (const branch of anyOf) visit(branch, { value, page })
    if (Array.isArray(value) && items) for (const each of value) visit(items, { value: each, page })
    if (!isJsonObject(value)) return
    for (const [key, inner] of Object.entries(value)) {
      const example = { value: inner, page }
      const known = properties[key]
      if (known) {
        for (const title of [readText(follow(known)), key])
          byTitle.set(title, [...(byTitle.get(title) ?? []), example])
        addExample(follow(known), example)
        visit(known, example)
      } else if (typeof others === 'object') visit(others, example)
    }
  }
  const examples = listExamples()
  for (const [key, home] of Object.entries(homes)) {
    const node = [...listKeys(schema)].find(([name]) => name === key)
    const only = { properties: Object.fromEntries(node ? [node] : []) }
    for (const { value, page } of examples.filter((example) => example.page.endsWith(`/${home}.md`)))
      for (const found of findKey(value, key)) visit(only, { value: found, page })
  }
  for (const { value, page } of examples) {
    if (!Array.isArray(value)) visit(schema, { value, page })
    if (isJsonObject(value) && 'steps' in value) continue
    for (const step of [value].flat()) visit({ $ref: '#/$defs/step' }, { value: step, page })
  }
  // Operators are in several places, and one example is enough for all of them: the words about them are the same.
  const ajv = new Ajv({ strict: false, inlineRefs: false })
  for (const [name, node] of listKeys(schema)) {
    if (node.$ref !== undefined || isTold(node)) continue
    const candidates = [readText(node), name].flatMap((title) => byTitle.get(title) ?? [])
    if (candidates.length === 0) continue
    const isValid = ajv.compile({ ...node, $defs: schema.$defs })
    const found = candidates.find(({ value }) => isValid(value))
    if (found) addExample(node, found)
  }
  // Editors insert the only example there is, and a `{{…}}` in it without its quotes.
  for (const [, { anyOf = [], examples = [] }] of listKeys(schema))
    if (examples.length === 1 && JSON.stringify(examples).includes('"{{'))
      examples.push(
        ...anyOf.flatMap((branch) => (branch.$ref ? (follow(branch).examples ?? []) : [])).slice(0, 1),
      )
}

function addExample(node: SchemaNode, { value, page }: Example): void {
  if (!isTold(node)) node.description = `${readText(node)}\n\nSee node_modules/suitecase/${page}`
  const text = JSON.stringify(value)
  if (text.length > LONGEST) return
  const known = (node.examples ??= [])
  if (known.length < 2 && !known.some((other) => JSON.stringify(other) === text)) known.push(value)
}

function readText({ description = '' }: SchemaNode): string {
  return description.replace(/\n\n[^]*/, '')
}

function isTold({ description = '' }: SchemaNode): boolean {
  return description.includes('See node_modules/')
}

/** All keys of a schema, at any depth. */
export function* listKeys(node: SchemaNode): Generator<[name: string, node: SchemaNode]> {
  const { $defs = {}, properties = {}, anyOf = [], items, additionalProperties: others } = node
  yield* Object.entries(properties)
  for (const inner of [...Object.values({ ...$defs }), ...Object.values(properties), ...anyOf, items, others])
    if (typeof inner === 'object') yield* listKeys(inner)
}

/** The maps that have this key, at any depth, with nothing but it. */
function* findKey(value: unknown, key: string): Generator<object> {
  if (typeof value !== 'object' || value === null) return
  if (key in value) yield { [key]: (value as Record<string, unknown>)[key] }
  for (const inner of Object.values(value)) yield* findKey(inner, key)
}

/** Examples from the pages about suites: whole ones, and parts of a suite or step. */
function listExamples(): Example[] {
  // Any other key in several pages belongs to the first of them.
  const pages = ['suite', '*', '../application/{mocks,clock}'].flatMap((name) =>
    globSync(join('docs/suites', `${name}.md`), { cwd: root }).toSorted(),
  )
  return [...new Set(pages.map((page) => page.replaceAll('\\', '/')))].flatMap((page) => {
    const blocks = readFileSync(join(root, page), 'utf8').matchAll(
      /^```yaml\n(?!# environments)(.*?)^```$/gms,
    )
    return [...blocks].map(([, code = '']) => ({ value: parse(code, { merge: true }) as unknown, page }))
  })
}
