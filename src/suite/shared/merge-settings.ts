import { isJsonObject, type Json } from '../../json.ts'
import { joinFields, listFields, type Placed } from './placed.ts'

const keepName = (name: string): string => name

/** How the two values of a key become one; of any other key the nearer value counts. */
const MERGES: Readonly<Record<string, (far: Placed, near: Placed) => Placed>> = {
  defaults: mergeSettings,
  variables: (far, near) => mergeFields(far, near, keepName),
  redact: (far, near) => ({
    value: [...new Set([far.value, near.value].flat())],
    node: { range: near.node.range },
  }),
  headers: (far, near) => mergeFields(far, near, (name) => name.toLowerCase()),
  params: (far, near) => mergeFields(far, near, keepName),
}

/** Settings of a file, or `defaults`, as one; those of `near` win. */
export function mergeSettings(far: Placed, near: Placed): Placed {
  const entries = listFields(near)
  for (const [key, part] of listFields(far)) mergeInto(entries, key, part)
  return joinFields(entries, near.node)
}

/** Puts what is said elsewhere under a key, as far as that key does not say otherwise. */
function mergeInto(entries: Map<string, Placed>, key: string, far: Placed): void {
  const near = entries.get(key)
  entries.set(key, near ? (MERGES[key]?.(far, near) ?? near) : far)
}

/** The fields of both: a name of the nearer map stands for itself, `null` included, which leaves it out of the request. */
function mergeFields(far: Placed, near: Placed, fold: (name: string) => string): Placed {
  if (!isJsonObject(near.value)) return near
  const own = new Set(Object.keys(near.value).map(fold))
  const kept = [...listFields(far)].filter(([name]) => !own.has(fold(name)))
  return joinFields(new Map([...kept, ...listFields(near)]), near.node)
}

/** A request with the default headers, parameters and credentials in it: what it says itself wins. */
export function giveDefaults(request: Placed, defaults: Placed, base: Json | undefined): Placed {
  const fields = listFields(request)
  const url = fields.get('url')?.value
  for (const [key, part] of listFields(defaults))
    if (part.value !== null && key !== 'assert' && (key !== 'auth' || !leavesOrigin(url, base)))
      mergeInto(fields, key, part)
  return joinFields(fields, request.node)
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
