import { operators } from '../../assertion/operators/operators.ts'
import { suggestOperator } from '../../assertion/parse/suggest-operator.ts'
import { isJsonObject } from '../../json.ts'
import type { LoadContext } from '../load-context.ts'
import { changeItems, joinPlaced, listPlaced, type Placed } from '../shared/placed.ts'
import type { SourceNode } from '../source-tree.ts'
import { ignore, type Part } from './part.ts'

/** Rewrites the `assert` of a step or branch: beside a check every key is one, and `id:` compares with null. */
export function adaptAssert(assert: Part, context: LoadContext): void {
  for (const [key, { value, node }] of assert) {
    const written = { value, node: withoutEmpty(node) }
    assert.set(key, /^body\b/.test(key) ? dropFields(written, key, context) : written)
  }
  changeItems(assert, 'custom', (check) => keepCondition(check, context))
  const custom = assert.get('custom')?.value
  if (Array.isArray(custom) && custom.length === 0)
    ignore(assert, ['custom'], { reason: 'it has no condition', context })
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
    } else if (!hasChecks) entries.set(key, dropFields(part, `${field}.${key}`, context))
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

/** True for an operator, also with another one behind it: `length.greater_than`. */
function isCheck(key: string): boolean {
  return operators[key.split(/[.[]/)[0] as string] !== undefined
}

function keepCondition(check: Placed, context: LoadContext): Placed | undefined {
  const condition = listPlaced(check).get('condition')?.value
  if (typeof condition === 'string' && condition.trim() !== '') return check
  context.reportAt(check.node.range, {
    code: 'ignored',
    severity: 'warning',
    message: 'This custom check has no `condition`. It is left out.',
    hint: 'Write for example `condition: "body.items.length > 0"`.',
  })
  return undefined
}
