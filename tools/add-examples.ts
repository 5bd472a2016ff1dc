import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { parse } from 'yaml'

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

const root = join(import.meta.dirname, '..')
const LONGEST = 320

/** Adds to each key of the schema what the documentation writes for it, and names the page: what editors show is what is tested there. */
export function addExamples(schema: SchemaNode): void {
  const seen = new Set<SchemaNode>()
  const byName = new Map<string, { value: unknown; page: string }[]>()
  const step = { $ref: '#/$defs/step' }
  const follow = (node: SchemaNode): SchemaNode =>
    node.$ref === undefined ? node : (schema.$defs?.[node.$ref.slice('#/$defs/'.length)] as SchemaNode)

  const visit = (at: SchemaNode, value: unknown, page: string): void => {
    const node = follow(at)
    for (const branch of node.anyOf ?? []) visit(branch, value, page)
    if (Array.isArray(value) && node.items) for (const each of value) visit(node.items, each, page)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    const { properties = {}, additionalProperties: others } = node
    for (const [key, inner] of Object.entries(value)) {
      const below = properties[key] ?? (typeof others === 'object' ? others : undefined)
      if (!below) continue
      if (properties[key]) note(below, inner, page)
      if (properties[key]) byName.set(key, [...(byName.get(key) ?? []), { value: inner, page }])
      visit(below, inner, page)
    }
  }
  const note = (at: SchemaNode, value: unknown, page: string): void => {
    const node = follow(at)
    const text = JSON.stringify(value)
    if (text.length > LONGEST) return
    if (!seen.has(node)) {
      seen.add(node)
      node.description = `${node.description ?? ''}\n\nSee node_modules/suitecase/${page}`
    }
    const known = (node.examples ??= [])
    if (known.length < 2 && !known.some((other) => JSON.stringify(other) === text)) known.push(value)
  }
  for (const { page, code } of listExamples()) {
    const value: unknown = parse(code, { merge: true })
    if (Array.isArray(value)) for (const each of value) visit(step, each, page)
    else {
      visit(schema, value, page)
      visit(step, value, page)
    }
  }
  // Operators are in several places; an example of one will do for the others.
  const ajv = new Ajv({ strict: false, inlineRefs: false })
  for (const [name, node] of listKeys(schema)) {
    const known = byName.get(name)
    if (node.$ref !== undefined || seen.has(node) || !known) continue
    const isValid = ajv.compile({ ...node, $defs: schema.$defs })
    const found = known.find(({ value }) => isValid(value))
    if (found) note(node, found.value, found.page)
  }
}

/** Every key of a schema, at any depth. */
export function* listKeys(node: SchemaNode): Generator<[name: string, node: SchemaNode]> {
  const { $defs = {}, properties = {}, anyOf = [], items, additionalProperties: others } = node
  yield* Object.entries(properties)
  for (const inner of [...Object.values({ ...$defs }), ...Object.values(properties), ...anyOf, items, others])
    if (typeof inner === 'object') yield* listKeys(inner)
}

/** Examples of the pages about suites: whole ones, and parts of a suite or step. */
function listExamples(): { page: string; code: string }[] {
  const pages = globSync(['docs/suites/*.md', 'docs/application/{mocks,clock}.md'], { cwd: root }).toSorted()
  return pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/^```yaml\n(?!# environments)(.*?)^```$/gms)].map(
      ([, code = '']) => ({ page, code }),
    ),
  )
}
