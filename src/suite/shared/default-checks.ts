import type { Check } from '../../assertion/check.ts'
import { parseAssertions, sortChecks } from '../../assertion/parse/parse-assertions.ts'
import { targets } from '../../assertion/targets.ts'
import type { ParsePlace } from '../../path/parse-place.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { parseFieldPath, showPathStep } from '../../path/field-path.ts'

/** Joins inherited checks with those of a nearer `assert`, which replaces checks on the same thing; its nulls remove checks. With `isDefault`, a null may remove none. */
export function joinChecks(
  far: readonly Check[],
  { value, place }: { value: Json | undefined; place: ParsePlace },
  isDefault = false,
): readonly Check[] {
  if (!isJsonObject(value)) return far
  const { kept, rest } = takeAway(value, far, isDefault)
  const isLeft = Object.keys(rest).length > 0 || (far.length === 0 && Object.keys(value).length === 0)
  const near = isLeft ? parseAssertions(rest, place) : []
  return sortChecks([...kept.filter((one) => !near.some((other) => replaces(other, one))), ...near])
}

/** Applies the nulls of an `assert` that remove checks (not in the body, where null is a value). Returns the checks kept and the rest of the `assert`. */
function takeAway(
  assert: JsonObject,
  far: readonly Check[],
  isDefault: boolean,
): { kept: readonly Check[]; rest: JsonObject } {
  const rest = { ...assert }
  let kept = far
  const take = (target: string, path: readonly string[]): boolean => {
    const names = target === 'headers' ? path.map((name) => name.toLowerCase()) : path
    const before = kept.length
    kept = kept.filter((check) => nameOf(check.target) !== nameOf(target) || !isBelow(check, names))
    return (isDefault && Object.hasOwn(targets, target)) || kept.length < before
  }
  for (const [key, value] of Object.entries(assert)) {
    const segments = parseFieldPath(key)
    const steps = typeof segments === 'string' ? [key] : segments.map(({ name }) => showPathStep(name))
    const [target = key, ...path] = steps
    if (value === null && target !== 'body' && take(target, path)) delete rest[key]
    else if (/^(?:headers|cookies|xpath|css)$/.test(key) && isJsonObject(value)) {
      const entries = Object.entries(value)
      const left = entries.filter(([name, part]) => part !== null || !take(key, [name]))
      if (left.length > 0) rest[key] = Object.fromEntries(left)
      else if (entries.length > 0) delete rest[key]
    }
  }
  return { kept, rest }
}

/** A target, under one name if it is the response time, which has two. */
const nameOf = (target: string): string => (target === 'duration_ms' ? 'response_time_ms' : target)

function isBelow({ path }: Check, above: readonly string[]): boolean {
  return above.every((step, index) => index < path.length && step === showPathStep(path[index] as string))
}

/** True if a nearer check replaces an inherited one: a condition of that name, a check on that path, on a whole value (or its absence) instead of its parts, or on a part of a plain value. */
function replaces(near: Check, far: Check): boolean {
  if (nameOf(near.target) !== nameOf(far.target)) return false
  if (near.target === 'custom') return near.field === far.field
  const isWhole = near.operator === 'equals' || (near.operator === 'exists' && near.expected === false)
  const isPlain = far.operator === 'equals' && !isJsonObject(far.expected)
  const [ofNear, ofFar] = [near, far].map(({ path }) => path.map(showPathStep)) as [string[], string[]]
  if (ofNear.length > ofFar.length) return isPlain && isBelow(near, ofFar)
  return (isWhole || ofNear.length === ofFar.length) && isBelow(far, ofNear)
}
