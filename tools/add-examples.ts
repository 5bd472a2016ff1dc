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
/** The first page that has a key is named at the key. */
const firstPages = ['checks', 'captures', 'requests', 'steps', 'authentication', 'retry', 'suite']
const LONGEST = 320

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
}

function addExample(node: SchemaNode, value: unknown, page: string): void {
  if (!node.description?.includes('See node_modules/'))
    node.description = `${node.description}\n\nSee node_modules/suitecase/${page}`
  const text = JSON.stringify(value)
  const known = (node.examples ??= [])
  // Editors insert a single example, and forget the quotes of a `{{…}}`.
  const isFit = text.length <= LONGEST && !text.includes('"{{')
  if (isFit && known.length < 2 && !known.some((other) => JSON.stringify(other) === text)) known.push(value)
}

function listPages(): string[] {
  const names = [...firstPages, '*', '../application/{mocks,clock}']
  const pages = names.flatMap((name) => globSync(`docs/suites/${name}.md`, { cwd: root }).toSorted())
  return [...new Set(pages.map((page) => page.replaceAll('\\', '/')))]
}
