import { isJsonObject, type Json } from '../../json.ts'
import { typeOf } from '../../text/show-value.ts'

/** Keywords that judge values of one type and pass all others. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties'],
  array: ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems'],
}
const ANNOTATIONS = new Set(['$schema', '$id', '$defs', 'title', 'description', 'examples'])

/** Why a JSON Schema that a value passed said nothing about it: all it says is about another type, or about fields that are not there. */
export function explainIdle(schema: Json | undefined, value: Json): string | undefined {
  if (schema === undefined || !isJsonObject(schema)) return undefined
  const keywords = Object.keys(schema).filter((key) => !ANNOTATIONS.has(key))
  const [first] = keywords
  const type = Object.keys(KEYWORDS).find((one) => keywords.every((key) => KEYWORDS[one]?.includes(key)))
  if (first === undefined || type === undefined) return undefined
  if (typeOf(value) !== type)
    return `\`${first}\` is about values of type ${type}, and this one is of type ${typeOf(value)}. Write \`type: ${type}\` in the schema.`
  const properties = Object.keys(isJsonObject(schema['properties']) ? schema['properties'] : {})
  if (
    first !== 'properties' ||
    keywords.length > 1 ||
    properties.some((key) => Object.hasOwn(value as object, key))
  )
    return undefined
  return 'none of its `properties` is there. Write in `required` which ones must be.'
}
