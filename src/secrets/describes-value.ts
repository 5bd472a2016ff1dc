import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { rememberObjects } from '../remember.ts'

/** What the keys of a JSON Schema may hold, or those of a path, parameter, response or security scheme in an OpenAPI document. */
const kinds: readonly (readonly [names: string, fits: (value: Json) => boolean])[] = [
  [
    '$ref authorizationUrl bearerFormat description format in name openIdConnectUrl pattern refreshUrl scheme style summary title tokenUrl',
    (value) => typeof value === 'string',
  ],
  ['type', (value) => [value].flat().every((name) => typeof name === 'string' && types.test(name))],
  [
    'properties patternProperties',
    (value) => isJsonObject(value) && Object.values(value).every(isDescription),
  ],
  ['allOf anyOf oneOf', (value) => Array.isArray(value) && value.every(isDescription)],
  ['additionalProperties items not schema', isDescription],
  ['content', (value) => isJsonObject(value) && Object.keys(value).every((type) => type.includes('/'))],
  [
    'delete get head options patch post put trace',
    (value) => isJsonObject(value) && isJsonObject(value['responses']),
  ],
  ['discriminator externalDocs flows headers links scopes xml', isJsonObject],
  ['parameters required servers', Array.isArray],
  ['const default enum example examples', () => true],
  [
    `allowEmptyValue deprecated exclusiveMaximum exclusiveMinimum explode maximum maxItems maxLength maxProperties minimum
    minItems minLength minProperties multipleOf nullable readOnly required uniqueItems writeOnly`,
    (value) => typeof value === 'number' || typeof value === 'boolean',
  ],
]

const types = /^(?:string|number|integer|boolean|object|array|null|http|apiKey|oauth2|openIdConnect)$/

/** Keys of which one is enough to tell such a map from others. */
const telling =
  /^(?:\$ref|type|allOf|anyOf|oneOf|schema|content|scopes|delete|get|head|options|patch|post|put|trace)$/

const fits = new Map<string, ((value: Json) => boolean)[]>()
for (const [names, fit] of kinds)
  for (const name of names.split(/\s+/u)) fits.set(name, [...(fits.get(name) ?? []), fit])

/**
 * True for a map that describes a value or an operation called like a secret, and so does not have it: a JSON Schema, or a path,
 * parameter, response or security scheme of an OpenAPI document.
 */
export const describesValue: (map: JsonObject) => boolean = rememberObjects((map: JsonObject) => {
  const entries = Object.entries(map)
  return (
    entries.some(([key]) => telling.test(key)) &&
    entries.every(([key, value]) => key.startsWith('x-') || fits.get(key)?.some((fit) => fit(value)))
  )
})

function isDescription(value: Json): boolean {
  if (!isJsonObject(value)) return typeof value === 'boolean'
  return Object.keys(value).length === 0 || describesValue(value)
}

/** True for the keys with which such a map gives a value after all. The members of an example have names of their own. */
export function givesValue(map: JsonObject, key: string): boolean {
  return /^(?:examples?|default|const|enum)$/.test(key) && !isJsonObject(map[key])
}
