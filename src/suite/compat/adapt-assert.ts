import { operators } from '../../assertion/operators/operators.ts'
import { suggestOperator } from '../../assertion/parse/suggest-operator.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'
import { formatFieldPath, parseFieldPath } from '../../path/field-path.ts'
import type { LoadContext } from '../load-context.ts'
import { change, changeItems, joinPlaced, listPlaced, type Placed } from '../shared/placed.ts'
import type { SourceNode } from '../source-tree.ts'
import { take, warnIgnored, type Part } from './part.ts'

/** Rewrites the `assert` of a step or branch: beside a check every key is one, and `id:` compares with null. */
export function adaptAssert(owner: Part, context: LoadContext): void {
  let isEmpty = false
  change(owner, 'assert', (assert) => {
    for (const [key, { value, node }] of assert) {
      const written = { value, node: withoutEmpty(node) }
      assert.set(key, /^body\b/.test(key) ? dropFields(written, key, context) : written)
    }
    const custom = assert.get('custom')
    if (isEmptyList(custom)) warnIgnored('custom', custom, { context, reason: 'it is an empty list' })
    changeItems(assert, 'custom', (check) => keepCondition(check, context))
    if (!isEmptyList(assert.get('custom'))) return
    take(assert, 'custom')
    isEmpty = assert.size === 0
  })
  if (isEmpty) take(owner, 'assert')
}

function isEmptyList(part: Placed | undefined): part is Placed {
  return Array.isArray(part?.value) && part.value.length === 0
}

function withoutEmpty({ range, key, children }: SourceNode): SourceNode {
  const below = [...(children ?? [])].map(([name, child]) => [name, withoutEmpty(child)] as const)
  return { range, ...(key && { key }), ...(children && { children: new Map(below) }) }
}

/** With a check in it, that engine takes a map for checks only. */
function dropFields(tree: Placed, field: string, context: LoadContext): Placed {
  if (!isJsonObject(tree.value)) return tree
  const entries = listPlaced(tree)
  const hasChecks = [...entries.keys()].some(isCheck)
  for (const [key, part] of entries) {
    if (isCheck(key)) {
      if (operators[key]?.nested) entries.set(key, dropFields(part, field, context))
    } else if (!hasChecks) entries.set(key, dropFields(part, nameField(key, field), context))
    else {
      const meant = suggestOperator(key, isJsonObject(part.value))
      context.reportAt(part.node.key ?? part.node.range, {
        code: 'ignored',
        severity: 'warning',
        message: `Unknown check \`${key}\` of \`${field}\`. It is ignored.`,
        hint: meant
          ? `Did you mean \`${meant}\`?`
          : 'Beside checks, fields are written as a flat path: `body.a.b`.',
      })
      entries.delete(key)
    }
  }
  return joinPlaced(entries, tree.node)
}

function isCheck(key: string): boolean {
  const segments = parseFieldPath(key)
  const [first] = typeof segments === 'string' ? [] : segments
  return typeof first?.name === 'string' && !first.quoted && operators[first.name] !== undefined
}

function nameField(key: string, owner: string): string {
  const segments = parseFieldPath(key)
  if (typeof segments === 'string') return owner
  return formatFieldPath(
    segments.map(({ name }) => name),
    owner,
  )
}

function keepCondition(check: Placed, context: LoadContext): Placed | undefined {
  const { value, node } = check
  const { condition } = value as JsonObject
  if (typeof condition === 'string' && condition.trim() !== '') return check
  const others = Object.keys(value as JsonObject).filter((key) => key !== 'condition')
  const shown = others.map((key) => `\`${key}\``).join(', ')
  context.reportAt(node.range, {
    code: 'ignored',
    severity: 'warning',
    message: 'This custom check has no `condition`. It is left out.',
    hint: `It has ${shown || 'nothing'}. For example \`condition: "body.items.length > 0"\`.`,
  })
  return undefined
}
