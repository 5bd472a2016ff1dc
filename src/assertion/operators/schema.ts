import { hasTemplate } from '../../interpolation/template.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { typeOf } from '../../text/show-value.ts'
import { MAX_SHOWN } from './equality.ts'
import { blame, fail, PASSED, passWith, type Judgement, type Operator, type Verdict } from './operator.ts'
import type { CompiledSchema } from '../json-schema/compile-schema.ts'

/** Validates against a JSON Schema, inline or in a file. `loadSchemas` must have compiled it before. */
export const schemaOperator = {
  about: 'Matches this JSON Schema, inline or as the name of a file.',
  operand: 'schema',
  explainBadOperand(operand) {
    if (typeof operand === 'string')
      return operand !== '' && !hasTemplate(operand) ? undefined : 'a file name without `{{…}}`'
    if (!isJsonObject(operand)) return 'a JSON Schema or the name of a file with one'
    if (isUnfilled(operand)) return 'a JSON Schema without `{{…}}`, which is not filled in there'
    return Object.keys(operand).length > 0 ? undefined : 'a JSON Schema (an empty one checks nothing)'
  },
  resolve: (operand) => operand,
  judge(actual, operand, { field, tools }) {
    const compiled = tools.schemas?.get(operand)
    if (compiled === undefined)
      return blame('operand', `The schema of \`${field}\` was not loaded, so nothing was checked`)
    if ('problem' in compiled)
      return blame('operand', `The schema of \`${field}\` cannot be used: ${compiled.problem}`)
    const verdict = judgeSchema(actual, compiled, { field, tools })
    const idle = verdict.passed ? explainIdle(compiled.schema, actual) : undefined
    return idle === undefined ? verdict : passWith(`\`schema\` of \`${field}\` ${idle}`)
  },
} satisfies Operator

/** Judges a value by a schema. */
export function judgeSchema(
  actual: Json,
  compiled: Exclude<CompiledSchema, { problem: string }>,
  { field, tools }: Pick<Judgement, 'field' | 'tools'>,
): Verdict {
  const errors = compiled.validate(actual, (pattern, subject) => tools.test(pattern, subject))
  if (errors.length === 0) return PASSED
  const lines = errors.slice(0, MAX_SHOWN).map(({ path, message }) => `  \`${field}${path}\` ${message}`)
  if (errors.length > lines.length) lines.push(`  … and ${errors.length - lines.length} more`)
  return fail(`Expected \`${field}\` to match the ${compiled.name ?? 'JSON Schema'}:\n${lines.join('\n')}`)
}

/** Keywords that judge values of one type and accept all others. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties'],
  array: ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems'],
  string: ['pattern', 'format', 'minLength', 'maxLength'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
}
const DESCRIPTIONS = new Set(['$schema', '$id', '$defs', 'title', 'description', 'examples'])

function isUnfilled(schema: Json): boolean {
  if (Array.isArray(schema)) return schema.some(isUnfilled)
  if (!isJsonObject(schema)) return hasTemplate(schema)
  return Object.entries(schema).some(([key, value]) => !DESCRIPTIONS.has(key) && isUnfilled(value))
}

/** Explains that a schema accepted a value without judging it, as it is about other types or fields. */
function explainIdle(schema: Json | undefined, value: Json): string | undefined {
  if (schema === undefined || !isJsonObject(schema)) return undefined
  const keywords = Object.keys(schema).filter((key) => !DESCRIPTIONS.has(key))
  if (keywords.length === 0)
    return 'checked nothing: it has no keyword that restricts the value, such as `type`.'
  const own = keywords.filter((key) => key !== 'type')
  const hasType = own.length < keywords.length
  const [first] = own
  const type = Object.keys(KEYWORDS).find((one) => own.every((key) => KEYWORDS[one]?.includes(key)))
  if (first === undefined || type === undefined) return undefined
  // One of several types may be the one that the keywords are about.
  if (Array.isArray(schema['type']) && typeOf(value) !== type) return undefined
  if (typeOf(value) !== type)
    return `checked nothing: \`${first}\` applies to values of type ${type}, and this one is of type ${typeOf(value)}. Write \`type: ${type}\` in the schema.`
  const { properties } = schema
  const names = Object.keys(value as object)
  if (own.length > 1 || !isJsonObject(properties) || (hasType && names.length === 0)) return undefined
  return names.some((key) => Object.hasOwn(properties, key))
    ? undefined
    : 'checked no property: none of its `properties` is present. List those that must be in `required`.'
}
