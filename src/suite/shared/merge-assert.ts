import { operators } from '../../assertion/operators/operators.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { parseFieldPath, showStep } from '../../path/field-path.ts'
import type { ValuePath } from '../source-tree.ts'
import { joinItems, joinPlaced, listItems, listPlaced, type Placed } from './placed.ts'

/** A check as it is written: what it judges, and the keys that lead to it. */
type Leaf = { subject: string; keys: ValuePath; value: Json }

/**
 * The checks of `far` and `near` together. A check of `near` replaces those of the same thing, or of a part of it; `null`
 * takes them away, except in the body, where it means null. Nothing when no check is left.
 */
export function mergeAssert(far: Placed, near: Placed): Placed | undefined {
  const [defaults, own] = [listLeaves(far.value), listLeaves(near.value)]
  const isCovered = (leaf: Leaf): boolean => own.some(({ subject }) => leaf.subject.startsWith(subject))
  const removals = own.filter(
    ({ subject, value }) =>
      value === null &&
      !subject.startsWith('body\0') &&
      defaults.some((leaf) => leaf.subject.startsWith(subject)),
  )
  const kept = omit(far, defaults.filter(isCovered))
  const added = omit(near, removals)
  return kept && added ? join(kept, added) : (kept ?? added)
}

function listLeaves(checks: Json): Leaf[] {
  const leaves: Leaf[] = []
  const walk = (value: Json, keys: ValuePath, names: readonly string[]): void => {
    const entries = isJsonObject(value) ? Object.entries(value) : []
    if (entries.length === 0) leaves.push({ subject: `${names.join('\0')}\0`, keys, value })
    for (const [key, child] of entries)
      if (names.length > 0 && operators[key])
        leaves.push({ subject: `${names.join('\0')}\0`, keys: [...keys, key], value: child })
      else walk(child, [...keys, key], [...names, ...readNames(key, names[0])])
  }
  for (const [key, child] of isJsonObject(checks) ? Object.entries(checks) : [])
    if (key !== 'custom') walk(child, [key], readNames(key))
  return leaves
}

/** The names a key stands for: a flat path has several. Header names have no case. */
function readNames(key: string, target?: string): string[] {
  if (target === 'headers') return [key.toLowerCase()]
  if (target === 'xpath' || target === 'css') return [key]
  if (key.startsWith('headers.')) return ['headers', key.slice('headers.'.length).toLowerCase()]
  const segments = parseFieldPath(key)
  return typeof segments === 'string' ? [key] : segments.map(({ name }) => showStep(name))
}

/** Leaves checks out, and the maps that are empty then. */
function omit(part: Placed, leaves: readonly Leaf[], depth = 0): Placed | undefined {
  if (leaves.length === 0) return part
  if (leaves.some(({ keys }) => keys.length === depth)) return undefined
  const entries = listPlaced(part)
  for (const [key, child] of entries) {
    const below = leaves.filter(({ keys }) => keys[depth] === key)
    const rest = omit(child, below, depth + 1)
    if (rest) entries.set(key, rest)
    else entries.delete(key)
  }
  return entries.size > 0 ? joinPlaced(entries, part.node) : undefined
}

function join(far: Placed, near: Placed): Placed {
  if (Array.isArray(far.value) && Array.isArray(near.value)) return joinConditions(far, near)
  if (!isJsonObject(near.value)) return near
  const entries = listPlaced(far)
  for (const [key, part] of listPlaced(near)) {
    const other = entries.get(key)
    entries.set(key, other ? join(other, part) : part)
  }
  return joinPlaced(entries, near.node)
}

/** Conditions of `custom`: those of both, of one name the nearer one. */
function joinConditions(far: Placed, near: Placed): Placed {
  const own = listItems(near)
  const names = new Set(own.map(nameOf).filter((name) => name !== undefined))
  return joinItems([...listItems(far).filter((item) => !names.has(nameOf(item) as Json)), ...own], near.node)
}

function nameOf({ value }: Placed): Json | undefined {
  return isJsonObject(value) ? value['name'] : undefined
}
