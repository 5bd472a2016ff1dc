import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

const root = join(import.meta.dirname, '..')
/** Pages in the order in which they are looked at: a key names the first one that has it. */
const firstPages = ['checks', 'captures', 'requests', 'steps', 'authentication', 'retry', 'suite']
const LONGEST = 320
const SEE = '\n\nSee node_modules/suitecase/'

/** Adds examples from the documentation to the keys of the schema, and names their page, so that editors show what is tested there. */
export function addExamples(schema: SchemaNode): void {
  const follow = (node: SchemaNode): SchemaNode =>
    schema.$defs?.[node.$ref?.slice('#/$defs/'.length) ?? ''] ?? node

  const visit = (at: SchemaNode, value: unknown, page: string): void => {
    const { anyOf = [], items, properties = {}, additionalProperties: others } = follow(at)
    for (const branch of anyOf) visit(branch, value, page)
    if (Array.isArray(value) && items) for (const item of value) visit(items, item, page)
    if (!isJsonObject(value)) return
    for (const [key, inner] of Object.entries(value)) {
      const known = properties[key]
      if (known) addExample(follow(known), inner, page)
      if (known ?? typeof others === 'object') visit(known ?? (others as SchemaNode), inner, page)
    }
  }
  for (const page of listPages())
    for (const [, code = ''] of readFileSync(join(root, page), 'utf8').matchAll(
      /^```yaml\n(?!# environments)(.*?)^```$/gms,
    )) {
      const value: unknown = parse(code, { merge: true })
      visit(schema, value, page)
      // A part of a step, or some steps.
      if (!isJsonObject(value) || !('steps' in value))
        for (const step of [value].flat()) visit({ $ref: '#/$defs/step' }, step, page)
    }
  // Settings and operators are in several places. One example is enough for all with a description, or else with a name.
  const keys = [...listKeys(schema)].filter(([, { $ref }]) => $ref === undefined)
  for (const isAlike of [true, false]) {
    const groups = Map.groupBy(keys, ([name, { description = '' }]) =>
      isAlike ? name + description.split(SEE)[0] : name,
    )
    for (const twins of groups.values()) {
      const [, { description = '', examples = [] } = {}] =
        twins.find(([, node]) => node.examples?.length) ?? []
      for (const [, node] of twins)
        if (!node.examples?.length)
          for (const example of examples) addExample(node, example, description.split(SEE)[1] ?? '')
    }
  }
  // Editors insert the only example there is, and a `{{…}}` in it without its quotes.
  for (const [, { anyOf = [], examples = [] }] of keys)
    if (examples.length === 1 && JSON.stringify(examples).includes('"{{'))
      examples.push(...anyOf.flatMap((branch) => follow(branch).examples ?? []).slice(0, 1))
}

function addExample(node: SchemaNode, value: unknown, page: string): void {
  if (!node.description?.includes(SEE)) node.description = `${node.description}${SEE}${page}`
  const text = JSON.stringify(value)
  if (text.length > LONGEST) return
  const known = (node.examples ??= [])
  if (known.length < 2 && !known.some((other) => JSON.stringify(other) === text)) known.push(value)
}

/** All keys of a schema, at any depth. */
export function* listKeys(node: SchemaNode): Generator<[name: string, node: SchemaNode]> {
  const { $defs = {}, properties = {}, anyOf = [], items, additionalProperties: others } = node
  yield* Object.entries(properties)
  for (const inner of [...Object.values({ ...$defs }), ...Object.values(properties), ...anyOf, items, others])
    if (typeof inner === 'object') yield* listKeys(inner)
}

function listPages(): string[] {
  const names = [...firstPages, '*', '../application/{mocks,clock}']
  const pages = names.flatMap((name) => globSync(`docs/suites/${name}.md`, { cwd: root }).toSorted())
  return [...new Set(pages.map((page) => page.replaceAll('\\', '/')))]
}
