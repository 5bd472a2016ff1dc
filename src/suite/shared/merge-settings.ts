import { parseAssertions } from '../../assertion/parse/parse-assertions.ts'
import type { NodePath } from '../../errors.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { parseFieldPath, showStep } from '../../path/field-path.ts'
import { joinItems, joinPlaced, listItems, listPlaced, type Placed } from './placed.ts'

/** How the two values of a key become one, or nothing; of any other key the nearer value counts. */
const MERGES: Readonly<Record<string, (far: Placed, near: Placed) => Placed | undefined>> = {
  defaults: mergeSettings,
  variables: (far, near) => mergeFields(far, near, (name) => name),
  redact: (far, near) => ({
    value: [...new Set([far.value, near.value].flat())],
    node: { range: near.node.range },
  }),
  headers: (far, near) => mergeFields(far, near, (name) => name.toLowerCase()),
  params: (far, near) => mergeFields(far, near, (name) => name),
  assert: mergeAssert,
}

/** Settings of a file, or `defaults`, as one; those of `near` win. */
export function mergeSettings(far: Placed, near: Placed): Placed {
  const entries = listPlaced(near)
  for (const [key, part] of listPlaced(far)) mergeInto(entries, key, part)
  return joinPlaced(entries, near.node)
}

/** Puts what is said elsewhere under a key, as far as that key does not say otherwise. */
function mergeInto(entries: Map<string, Placed>, key: string, far: Placed): void {
  const near = entries.get(key)
  const merge = MERGES[key]
  const merged = near && merge ? merge(far, near) : (near ?? far)
  if (merged) entries.set(key, merged)
  else entries.delete(key)
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
  const fields = listPlaced(request)
  for (const [key, part] of listPlaced(defaults)) {
    if (part.value === null) continue
    const checks = key === 'assert' ? omitRemovals(part) : undefined
    if (checks) mergeInto(parts, key, checks)
    else if (key !== 'auth' || !leavesOrigin(request.value['url'], base)) mergeInto(fields, key, part)
  }
  parts.set('request', joinPlaced(fields, request.node))
  return joinPlaced(parts, step.node)
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

/** What a check judges, and the keys that lead to it; `isWhole` where it leaves nothing open about the parts of that. */
type Subject = { target: string; path: readonly string[]; keys: NodePath; isWhole: boolean }

/**
 * The checks of `far` and `near` together. A check of `near` replaces those of the same thing, a value as a whole also those of its
 * parts; `null` takes them away, except in the body, where it means null. Nothing when no check is left.
 */
function mergeAssert(far: Placed, near: Placed): Placed | undefined {
  if (!isJsonObject(near.value)) return near
  const defaults = listSubjects(far.value)
  const removals = listRemovals(near.value).filter((one) => defaults.some((other) => covers(one, other)))
  const own = [...listSubjects(near.value), ...removals]
  const kept = omit(
    far,
    defaults.filter((one) => own.some((other) => covers(other, one))),
  )
  const added = omit(near, removals)
  return kept && added ? join(kept, added) : (kept ?? added)
}

function covers(near: Subject, far: Subject): boolean {
  return (
    near.target === far.target &&
    (near.isWhole || near.path.length === far.path.length) &&
    near.path.every((step, index) => step === far.path[index])
  )
}

/** What the checks are about, conditions apart; what is no check is told when the step is planned. */
function listSubjects(assert: Json): Subject[] {
  const quiet = { locate: (keys: NodePath) => keys as never, report: () => {}, findEmpty: () => undefined }
  return parseAssertions(assert, quiet)
    .filter(({ target }) => target !== 'custom')
    .map(({ target, path, operator, expected, at }) => ({
      target,
      path: path.map(showStep),
      keys: at as unknown as NodePath,
      isWhole: operator === 'equals' || (operator === 'exists' && expected === false),
    }))
}

/** The nulls of an `assert` that take away what is checked elsewhere: of all but the body. */
function listRemovals(assert: Json): Subject[] {
  const subjects: Subject[] = []
  const add = ([target = '', ...path]: readonly string[], keys: NodePath): void => {
    const names = target === 'headers' ? path.map((name) => name.toLowerCase()) : path
    if (target !== 'body') subjects.push({ target, path: names, keys, isWhole: true })
  }
  for (const [key, value] of Object.entries(isJsonObject(assert) ? assert : {})) {
    const segments = parseFieldPath(key)
    const steps = typeof segments === 'string' ? [key] : segments.map(({ name }) => showStep(name))
    if (value === null) add(steps, [key])
    else if (/^(?:headers|cookies|xpath|css)$/.test(key) && isJsonObject(value))
      for (const [name, part] of Object.entries(value)) if (part === null) add([key, name], [key, name])
  }
  return subjects
}

/** An `assert` without what only takes checks away. */
export function omitRemovals(assert: Placed): Placed | undefined {
  return omit(assert, listRemovals(assert.value))
}

/** Leaves checks out, and the maps that are empty then. */
function omit(part: Placed, subjects: readonly Pick<Subject, 'keys'>[], depth = 0): Placed | undefined {
  if (subjects.length === 0) return part
  if (subjects.some(({ keys }) => keys.length === depth)) return undefined
  const entries = listPlaced(part)
  for (const [key, child] of entries) {
    const below = subjects.filter(({ keys }) => keys[depth] === key)
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
