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
const LONGEST = 320

/** Adds the example in the documentation to each key of the schema, and names the page, so that editors show what is tested there. */
export function addExamples(schema: SchemaNode): void {
  const byName = new Map<string, Example[]>()
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
        addExample(follow(known), example)
        byName.set(key, [...(byName.get(key) ?? []), example])
        visit(known, example)
      } else if (typeof others === 'object') visit(others, example)
    }
  }
  for (const { value, page } of listExamples()) {
    if (!Array.isArray(value)) visit(schema, { value, page })
    for (const step of [value].flat()) visit({ $ref: '#/$defs/step' }, { value: step, page })
  }
  // Operators are in several places, and one example is enough for all of them.
  const ajv = new Ajv({ strict: false, inlineRefs: false })
  for (const [name, node] of listKeys(schema)) {
    if (node.$ref !== undefined || isTold(node) || !byName.has(name)) continue
    const isValid = ajv.compile({ ...node, $defs: schema.$defs })
    const found = byName.get(name)?.find(({ value }) => isValid(value))
    if (found) addExample(node, found)
  }
}

function addExample(node: SchemaNode, { value, page }: Example): void {
  const text = JSON.stringify(value)
  if (text.length > LONGEST) return
  if (!isTold(node)) node.description = `${node.description ?? ''}\n\nSee node_modules/suitecase/${page}`
  const known = (node.examples ??= [])
  if (known.length < 2 && !known.some((other) => JSON.stringify(other) === text)) known.push(value)
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

/** Examples from the pages about suites: whole ones, and parts of a suite or step. */
function listExamples(): Example[] {
  // A key in several pages belongs to the first of them.
  const names = 'requests checks captures retry authentication suite steps * ../application/{mocks,clock}'
  const pages = names
    .split(' ')
    .flatMap((name) => globSync(join('docs/suites', `${name}.md`), { cwd: root }).toSorted())
  return [...new Set(pages)].flatMap((page) => {
    const blocks = readFileSync(join(root, page), 'utf8').matchAll(
      /^```yaml\n(?!# environments)(.*?)^```$/gms,
    )
    return [...blocks].map(([, code = '']) => ({ value: parse(code, { merge: true }) as unknown, page }))
  })
}
