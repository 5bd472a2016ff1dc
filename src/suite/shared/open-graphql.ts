import { isJsonObject, type Json } from '../../json.ts'
import { change, changeBranches, joinPlaced, listPlaced, type Placed } from './placed.ts'

const MEMBER = /^(?:data|errors)(?![\w-])/

/**
 * A step whose request is GraphQL, in the words of every other step: `data…` and `errors…` in checks and captures are
 * those of the answer's body, and errors fail it unless a check says what is expected of them.
 */
export function openGraphql(step: Placed): Placed {
  const parts = listPlaced(step)
  const asserts: (Json | undefined)[] = []
  openPart(parts, asserts)
  changeBranches(parts, (branch) => openPart(branch, asserts))
  if (!asserts.some(mentionsErrors)) {
    const { range, key = range } =
      listPlaced(parts.get('request') as Placed).get('graphql')?.node ?? step.node
    if (!parts.has('assert')) parts.set('assert', { value: {}, node: { range: key } })
    change(parts, 'assert', (assert) =>
      assert.set('body.errors', { value: { exists: false }, node: { range: key } }),
    )
  }
  return joinPlaced(parts, step.node)
}

/** Opens the checks and captures of a step or branch: `data.user` is `body.data.user`. */
function openPart(part: Map<string, Placed>, asserts: (Json | undefined)[]): void {
  change(part, 'assert', (assert) => {
    const entries = [...assert]
    assert.clear()
    for (const [key, checks] of entries) assert.set(MEMBER.test(key) ? `body.${key}` : key, checks)
  })
  asserts.push(part.get('assert')?.value)
  change(part, 'capture', (captures) => {
    for (const [name, { value, node }] of captures)
      if (typeof value === 'string') captures.set(name, { value: openPath(value), node })
      else if (isJsonObject(value) && typeof value['path'] === 'string')
        captures.set(name, { value: { ...value, path: openPath(value['path']) }, node })
  })
}

function openPath(path: string): string {
  return path.replace(/^\s*/, '').replace(MEMBER, 'body.$&')
}

/** True if a check looks at the errors, or at the body as a whole. */
function mentionsErrors(assert: Json | undefined): boolean {
  if (!isJsonObject(assert)) return false
  const { body } = assert
  if (body !== undefined && (!isJsonObject(body) || 'equals' in body)) return true
  const keys = [...Object.keys(body ?? {}).map((key) => `body.${key}`), ...Object.keys(assert)]
  return keys.some((key) => /^body\.errors(?![\w-])/.test(key))
}
