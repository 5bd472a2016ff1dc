import { isJsonObject } from '../../src/json.ts'
import type { Place, Range, SourceFile } from '../../src/source.ts'
import { LoadContext } from '../../src/suite/load-context.ts'
import { collectTemplates } from '../../src/suite/reads/collect-templates.ts'
import type { SourceNode } from '../../src/suite/source-tree.ts'
import { readYaml } from '../../src/suite/yaml/read-yaml.ts'

/** A name in a suite, its place, and the members read from it, such as `id` in `user.id`. */
export type PlacedName = {
  name: string
  range: Place
  members: readonly (string | number)[]
  /** True where a variable or capture gets its value. */
  isDeclared?: boolean
}

const BRANCH = String.raw`(?:scenarios/\d+/(?:then/|else/)?|websocket/exchange/\d+/)?`
const IN_STEP = String.raw`(?:setup|steps|teardown)/\d+/`

/** Places where a key is the name of a variable or capture, and places where a value is. */
const DECLARING_KEY = new RegExp(
  String.raw`^(?:variables|secrets|each/\d+|${IN_STEP}${BRANCH}(?:capture|variables))/[^/]+$`,
)
const DECLARING_VALUE = new RegExp(`^${IN_STEP}iterate/as$`)

/** Finds names that a suite or shared file declares, reads, exports or redacts. Undefined if it is no map. */
export function readNames(source: SourceFile, folder: string): PlacedName[] | undefined {
  const { text } = source
  const reading = readYaml(text)
  if (!isJsonObject(reading.value)) return undefined
  const names: PlacedName[] = []
  const visit = (node: SourceNode, path: string): void => {
    for (const [key, child] of node.children ?? []) {
      const at = path === '' ? String(key) : `${path}/${key}`
      const isKey = DECLARING_KEY.test(at) && child.key
      if (isKey || DECLARING_VALUE.test(at))
        names.push({ ...placeText(isKey || child.range, text), isDeclared: true })
      if (path === 'exports') names.push(placeText(child.range, text))
      // Fields of responses may have that name too. With an empty range, renaming refuses such a name.
      if (path === 'redact')
        names.push({ ...placeText(child.range, text), range: [child.range[0], child.range[0]] })
      visit(child, at)
    }
  }
  visit(reading.tree, '')
  const context = new LoadContext(reading, source, { folder })
  for (const { kind, root, members, range } of collectTemplates(reading.value, context).references)
    if (kind !== 'env' && kind !== 'faker') names.push({ name: root, members, range })
  return names
}

/** The name in a scalar, without its quotes. */
function placeText([start, end]: Place, text: string): PlacedName {
  const written = text.slice(start, end).trimEnd()
  const quoted = /^(["']).*\1$/s.test(written) ? 1 : 0
  const range: Range = [start + quoted, start + written.length - quoted]
  return { name: text.slice(...range), members: [], range }
}
