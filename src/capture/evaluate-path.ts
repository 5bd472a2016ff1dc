import { readAddedFields, type ResponseContext } from '../assertion/response-context.ts'
import { listNames, showValue } from '../text/show-value.ts'
import { didYouMean, suggestName } from '../text/suggest.ts'
import { isJsonObject, readOwn, type Json, type JsonObject } from '../json.ts'
import { formatFieldPath } from '../path/field-path.ts'
import type { CompiledPath } from '../path/compile-path.ts'
import { tracePath, type Lookup, type Lookups } from '../path/interpreter.ts'
import { listFiltered, listMembers, type PathNode } from '../path/path-node.ts'

/**
 * What an expression gave: a value, or nothing and what was there instead. `missing` says which name in it was found nowhere,
 * though the rest was; `warning` which one a filter compares in vain.
 */
export type PathResult =
  | { found: true; value: Json; missing?: string; warning?: string }
  | { found: false; message: string }

const prepared = new WeakMap<ResponseContext, JsonObject>()

/** The response as paths see it: `status_code`, `headers` (lower-case names), `body`, times, `request`. Built once per response. */
export function preparePathData(context: ResponseContext): JsonObject {
  const known = prepared.get(context)
  if (known) return known
  const { status_code, headers, body, response_time_ms, duration_ms, size_bytes, request } = context
  const lowered = Object.create(null) as JsonObject
  for (const [name, value] of Object.entries(request.headers)) lowered[name.toLowerCase()] = value
  const data = Object.assign(Object.create(null) as JsonObject, {
    status_code,
    headers,
    body,
    response_time_ms,
    duration_ms,
    size_bytes,
    request: { ...request, headers: lowered },
    ...readAddedFields(context),
  })
  prepared.set(context, data)
  return data
}

/**
 * Evaluates an expression. JMESPath cannot tell `null` from nothing: for a plain path a `null` that is there is a value,
 * for any other expression `null` means that nothing was found. `limit` in ms, by default 1000.
 */
export function evaluatePath(path: CompiledPath, data: JsonObject, limit?: number): PathResult {
  if (path.segments) {
    const walk = walkSegments(data, path.segments)
    return walk.found ? walk : { found: false, message: explainNothing(path.source, path.segments, walk) }
  }
  let traced: ReturnType<typeof tracePath>
  try {
    traced = tracePath(path.node, data, limit)
  } catch (error) {
    return {
      found: false,
      message: `\`${path.source}\` could not be evaluated: ${(error as Error).message.replace(/\.$/, '')}${explainFirst(path, data)}`,
    }
  }
  const { value, lookups } = traced
  if (value === null)
    return { found: false, message: `\`${path.source}\` found nothing${explainFirst(path, data)}` }
  const missing = explainMember(path, listMembers(path.node), lookups)
  const filtered = explainMember(path, listFiltered(path.node), lookups)
  return {
    found: true,
    value,
    ...(missing !== undefined && { missing }),
    ...(filtered !== undefined && { warning: `${filtered}, so the filter takes nothing` }),
  }
}

/** Says which of some names was looked for and found nowhere. */
function explainMember(
  { source }: CompiledPath,
  members: readonly PathNode[],
  lookups: Lookups,
): string | undefined {
  const missing = members.find((member) => lookups.get(member)?.found === false)
  if (missing?.type !== 'Field') return undefined
  const { last } = lookups.get(missing) as Lookup
  const names = isJsonObject(last) ? Object.keys(last) : []
  const there = isJsonObject(last)
    ? `there is: ${listNames(names)}`
    : `it was looked for in ${showValue(last)}`
  return `\`${missing.name}\` in \`${source}\` was found nowhere; ${there}${didYouMean(missing.name, names)}`
}

type Walk = { found: true; value: Json } | { found: false; depth: number; last: Json }

function walkSegments(data: JsonObject, segments: readonly (string | number)[]): Walk {
  let value: Json = data
  for (const [depth, segment] of segments.entries()) {
    const next = readSegment(value, segment)
    if (next === undefined) return { found: false, depth, last: value }
    value = next
  }
  return { found: true, value }
}

function readSegment(value: Json, segment: string | number): Json | undefined {
  if (typeof segment === 'number') return Array.isArray(value) ? value.at(segment) : undefined
  return isJsonObject(value) ? readOwn(value, segment) : undefined
}

function explainFirst(path: CompiledPath, data: JsonObject): string {
  for (const segments of path.rootPaths) {
    const walk = walkSegments(data, segments)
    if (!walk.found) return `; ${explainStop(segments, walk)}`
  }
  return ''
}

function explainNothing(
  source: string,
  segments: readonly (string | number)[],
  walk: { depth: number; last: Json },
): string {
  return `\`${source}\` found nothing; ${explainStop(segments, walk)}`
}

function explainStop(
  segments: readonly (string | number)[],
  { depth, last }: { depth: number; last: Json },
): string {
  const segment = segments[depth] as string | number
  const parent = depth === 0 ? 'the response' : `\`${formatFieldPath(segments.slice(0, depth))}\``
  if (Array.isArray(last)) return `${parent} is an array of ${last.length}`
  if (!isJsonObject(last)) return last === '' ? `${parent} is empty` : `${parent} is ${showValue(last)}`
  const names = Object.keys(last)
  if (names.length === 0) return `${parent} is an empty object`
  const nearest = nameNearest(String(segment), names, depth === 0 ? last : undefined)
  return `${parent} has: ${listNames(names)}${nearest === undefined ? '' : `; did you mean \`${nearest}\`?`}`
}

function nameNearest(
  name: string,
  names: readonly string[],
  root: JsonObject | undefined,
): string | undefined {
  const body = root?.['body']
  if (body !== undefined && isJsonObject(body) && Object.hasOwn(body, name)) return `body.${name}`
  return suggestName(name, names)
}
