import { isJsonObject, type Json } from '../../json.ts'
import { joinPlaced, listPlaced, joinItems, listItems, type Placed } from './placed.ts'
import { operators } from '../../assertion/operators/operators.ts'
import { parseFieldPath, showStep } from '../../path/field-path.ts'
import type { ValuePath } from '../source-tree.ts'

/** How the two values of each key of `defaults` become one; the second is nearer. */
const MERGES: Readonly<Record<string, (far: Placed, near: Placed) => Placed | undefined>> = {
  headers: (far, near) => mergeFields(far, near, (name) => name.toLowerCase()),
  params: (far, near) => mergeFields(far, near, (name) => name),
  auth: (_far, near) => near,
  assert: mergeAssert,
}

/** Two `defaults` as one: maps merge, the nearer wins, `null` takes away. */
export function mergeDefaults(far: Placed, near: Placed): Placed {
  const entries = listPlaced(far)
  for (const [key, part] of listPlaced(near)) {
    const other = entries.get(key)
    const merged = part.value === null ? undefined : other ? MERGES[key]?.(other, part) : part
    if (merged) entries.set(key, merged)
    else entries.delete(key)
  }
  return joinPlaced(entries, near.node)
}

/** The fields of both: a name of the nearer map stands for itself, `null` included, which leaves it out of the request. */
function mergeFields(far: Placed, near: Placed, fold: (name: string) => string): Placed {
  if (!isJsonObject(near.value)) return near
  const own = new Set(Object.keys(near.value).map(fold))
  const kept = [...listPlaced(far)].filter(([name]) => !own.has(fold(name)))
  return joinPlaced(new Map([...kept, ...listPlaced(near)]), near.node)
}

/** A step with the defaults in it: what its request says itself wins. Only requests have defaults. */
export function giveDefaults(step: Placed, defaults: Placed, base: Json | undefined): Placed {
  const parts = listPlaced(step)
  const request = parts.get('request')
  if (!request || !isJsonObject(request.value)) return step
  const given = [...listPlaced(defaults)].filter(([, { value }]) => value !== null)
  const { auth, assert, ...fields } = Object.fromEntries(given)
  const entries = listPlaced(request)
  for (const [key, part] of Object.entries(fields)) mergeInto(entries, key, part)
  const isOwn = entries.has('auth')
  if (auth && !isOwn && !leavesOrigin(request.value['url'], base)) entries.set('auth', auth)
  parts.set('request', joinPlaced(entries, request.node))
  if (assert) mergeInto(parts, 'assert', assert)
  return joinPlaced(parts, step.node)
}

function mergeInto(entries: Map<string, Placed>, key: string, part: Placed): void {
  const own = entries.get(key)
  const merged = own ? MERGES[key]?.(part, own) : part
  if (merged) entries.set(key, merged)
  else entries.delete(key)
}

/** True if credentials for the suite's `base_url` are not for this url; what only a run can tell is looked at again then. */
function leavesOrigin(url: Json | undefined, base: Json | undefined): boolean {
  if (typeof url !== 'string' || typeof base !== 'string') return false
  const [to, home] = [readOrigin(url), readOrigin(base)]
  return to !== undefined && home !== undefined && to !== home
}

/** The origin of a written url; undefined if it is relative, or has a template in it. */
function readOrigin(url: string): string | undefined {
  const authority = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i.exec(url.trim())?.[0]
  return authority && !authority.includes('{{') && URL.canParse(authority)
    ? new URL(authority).origin
    : undefined
}

/** A check as it is written: what it judges, and the keys that lead to it; `isWhole` where it leaves nothing open about the parts of that. */
type Leaf = { subject: string; keys: ValuePath; value: Json; isWhole: boolean }

/**
 * The checks of `far` and `near` together. A check of `near` replaces those of the same thing, a value as a whole also those of its
 * parts; `null` takes them away, except in the body, where it means null. Nothing when no check is left.
 */
function mergeAssert(far: Placed, near: Placed): Placed | undefined {
  const [defaults, own] = [listLeaves(far.value), listLeaves(near.value)]
  const isCovered = (leaf: Leaf): boolean =>
    own.some(({ subject, isWhole }) =>
      isWhole ? leaf.subject.startsWith(subject) : leaf.subject === subject,
    )
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
    if (entries.length === 0) leaves.push({ subject: nameSubject(names, value), keys, value, isWhole: true })
    for (const [key, child] of entries) {
      const below = [...keys, key]
      if (names.length > 0 && operators[key])
        leaves.push({
          subject: nameSubject(names, key),
          keys: below,
          value: child,
          isWhole: key === 'equals' || (key === 'exists' && child === false),
        })
      else if (key === 'field' && isJsonObject(child) && !FLAT.has(names[0]))
        for (const [name, part] of Object.entries(child)) walk(part, [...below, name], [...names, name])
      else walk(child, below, [...names, ...readNames(key, names[0])])
    }
  }
  for (const [key, child] of isJsonObject(checks) ? Object.entries(checks) : [])
    if (key !== 'custom') walk(child, [key], readNames(key))
  return leaves
}

// Below them no `field:` marks what is a field.
const FLAT: ReadonlySet<string | undefined> = new Set(['headers', 'cookies', 'xpath', 'css'])

/** What a value or operator judges; a cookie has its value beside its attributes. */
function nameSubject(names: readonly string[], said: Json): string {
  const isCookie = names[0] === 'cookies' && names.length === 2
  const isValue = isCookie && said !== null && said !== 'exists' && said !== 'optional'
  return `${[...names, ...(isValue ? ['value'] : [])].join('\0')}\0`
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

function join(far: Placed, near: Placed, keys: readonly string[] = []): Placed {
  if (Array.isArray(far.value) && Array.isArray(near.value)) return joinConditions(far, near)
  if (keys[0] === 'cookies' && keys.length === 2) [far, near] = [openValue(far), openValue(near)]
  if (!isJsonObject(near.value)) return near
  const entries = listPlaced(far)
  for (const [key, part] of listPlaced(near)) {
    const other = entries.get(key)
    entries.set(key, other ? join(other, part, [...keys, key]) : part)
  }
  return joinPlaced(entries, near.node)
}

/** The value of a cookie has a place among its attributes. */
function openValue(part: Placed): Placed {
  return isJsonObject(part.value) ? part : joinPlaced(new Map([['equals', part]]), part.node)
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
