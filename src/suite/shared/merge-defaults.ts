import { isJsonObject, type Json } from '../../json.ts'
import { mergeAssert } from './merge-assert.ts'
import { joinPlaced, listPlaced, type Placed } from './placed.ts'

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
