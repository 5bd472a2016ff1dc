import { isInteger, isJsonObject, toText, type Json, type JsonObject } from '../../json.ts'

const EXCLUSIVE = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const

/** Begins the keywords that stand for bounds beyond 2⁵³, whose values are texts: Ajv compares doubles. */
export const exactly = 'exactly:'

/** Keywords whose values are data, not schemas. */
const DATA = new Set(['const', 'enum', 'default', 'example', 'examples'])
/** Keywords whose keys are names, not keywords. */
const NAMED = new Set(
  'properties patternProperties $defs definitions dependentSchemas dependentRequired dependencies'.split(' '),
)

/**
 * Rewrites keywords of OpenAPI for Ajv: `exclusiveMinimum: true`, `x-nullable` and other extensions, `nullable`
 * without `type`, bounds beyond 2⁵³, and `required` properties with `writeOnly`, which only requests have.
 */
export function rewriteSchema(schema: Json, isNamed = false): Json {
  if (Array.isArray(schema)) return schema.map((part) => rewriteSchema(part))
  if (!isJsonObject(schema)) return schema
  const parts: JsonObject = Object.fromEntries(
    Object.entries(schema).map(([key, part]) => [
      key,
      DATA.has(key) && !isNamed ? part : rewriteSchema(part, NAMED.has(key) && !isNamed),
    ]),
  )
  if (isNamed) return parts
  const { nullable = parts['x-nullable'], ...rest } = parts
  for (const key of Object.keys(rest)) if (key.startsWith('x-')) delete rest[key]
  const { properties, required } = rest
  if (isJsonObject(properties) && Array.isArray(required))
    rest['required'] = required.filter((name) => Object(properties[toText(name)]).writeOnly !== true)
  for (const [exclusive, bound] of EXCLUSIVE) {
    if (rest[exclusive] === true && rest[bound] !== undefined) rest[exclusive] = rest[bound]
    else if (rest[exclusive] === false) delete rest[exclusive]
  }
  for (const name of EXCLUSIVE.flat())
    if (isInteger(rest[name]) && !Number.isSafeInteger(rest[name])) {
      rest[exactly + name] = String(BigInt(rest[name]))
      delete rest[name]
    }
  if (nullable === undefined) return rest
  // Beside a `type`, Ajv knows `nullable`. An `enum` must list `null` itself.
  if (rest['type'] !== undefined || typeof nullable !== 'boolean') return { ...rest, nullable }
  return nullable && rest['enum'] === undefined ? { anyOf: [{ type: 'null' }, rest] } : rest
}

/** Lists the schemas in a schema that have a `$ref`. */
export function listReferring(schema: Json, isNamed = false): { $ref: string }[] {
  if (Array.isArray(schema)) return schema.flatMap((part) => listReferring(part))
  // References below an `$id` are relative to that.
  if (!isJsonObject(schema) || (!isNamed && typeof schema['$id'] === 'string')) return []
  const inside = Object.entries(schema).flatMap(([key, part]) =>
    DATA.has(key) && !isNamed ? [] : listReferring(part, NAMED.has(key) && !isNamed),
  )
  return typeof schema['$ref'] === 'string' && !isNamed ? [schema as { $ref: string }, ...inside] : inside
}
