import { isJsonObject, type Json } from '../../json.ts'
import { isEqual } from '../../compare-json.ts'
import { explainNear } from './equality.ts'
import { blame, fail, PASSED, passWith, type Operator } from './operator.ts'
import { listNames, previewValue, showValue, type JsonType } from '../../text/show-value.ts'
import { didYouMean, findTypo } from '../../text/suggest.ts'

const CONTAINERS: readonly JsonType[] = ['string', 'array', 'object']

const contains = {
  about: 'Substring, element, or sub-object; of a list, all of its elements.',
  operand: 'any',
  explainBadOperand: refuseNothing,
  takes: CONTAINERS,
  judge(actual, written, { field, tools }) {
    const operand = readPart(actual, written, tools.isLoose === true)
    const unusable = refusePart(actual, operand)
    if (unusable) return blame('value', `The \`contains\` check of \`${field}\` ${unusable}`)
    if (holdsPart(actual, operand, tools.isLoose === true)) return PASSED
    return fail(`Expected \`${field}\` to contain ${showValue(operand)}, got ${showValue(actual)}`)
  },
} satisfies Operator

const notContains = {
  about: 'No such substring, element or sub-object; of a list, none of its elements.',
  operand: 'any',
  explainBadOperand: refuseNothing,
  takes: CONTAINERS,
  negative: true,
  show: (operand) => `not containing ${previewValue(operand)}`,
  judge(actual, written, { field, tools }) {
    const operand = readPart(actual, written, tools.isLoose === true)
    const unusable = refusePart(actual, operand)
    if (unusable) return blame('value', `The \`not_contains\` check of \`${field}\` ${unusable}`)
    // Of a list: none of its elements.
    const isList = Array.isArray(actual) && Array.isArray(operand)
    const parts = isList ? [operand, ...operand] : [operand]
    const found = parts.find((part) => holdsItem(actual, part, tools.isLoose === true))
    if (found === undefined)
      return passWith(explainNearItem(field, parts, actual) ?? explainAbsentKey(field, parts, actual))
    return fail(`Expected \`${field}\` not to contain ${showValue(found)}, but it does: ${showValue(actual)}`)
  },
} satisfies Operator

function explainNearItem(field: string, parts: readonly Json[], actual: Json): string | undefined {
  const plain = parts.filter((part) => typeof part !== 'object')
  const texts = new Set(plain.map(String))
  const items = Array.isArray(actual) ? actual : []
  const item = items.find((one) => typeof one !== 'object' && texts.has(String(one)))
  return item === undefined ? undefined : explainNear(field, plain, item)
}

/** A field that is looked for, that no element has, and that all but has the name of one. */
function explainAbsentKey(field: string, parts: readonly Json[], actual: Json): string | undefined {
  const items = Array.isArray(actual) ? actual.filter(isJsonObject) : []
  const wanted = parts.filter(isJsonObject).flatMap((part) => Object.keys(part))
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))]
  const absent = wanted.find((key) => !names.includes(key) && findTypo(key, names) !== undefined)
  if (absent === undefined) return undefined
  return `\`not_contains\` of \`${field}\` looks for \`${absent}\`, which no element has; there is: ${listNames(names)}${didYouMean(absent, names)}.`
}

function refuseNothing(operand: Json): string | undefined {
  const empty =
    operand === '' || (typeof operand === 'object' && operand !== null && Object.keys(operand).length === 0)
  return empty ? 'something to look for (everything contains an empty value)' : undefined
}

/** In a loose comparison a number or boolean is looked for in a text as its own text. */
function readPart(actual: Json, operand: Json, loose: boolean): Json {
  return loose && typeof actual === 'string' && typeof operand !== 'object' ? String(operand) : operand
}

// Which operands make sense depends on what is there: text holds text, an object holds an object.
function refusePart(actual: Json, operand: Json): string | undefined {
  if (typeof actual === 'string' && typeof operand !== 'string')
    return `looks for ${showValue(operand)} in a string, which can only hold a string`
  if (isJsonObject(actual) && !isJsonObject(operand))
    return `looks for ${showValue(operand)} in an object, which can only hold an object of fields; use \`exists\` for a field name`
  return undefined
}

function holdsPart(actual: Json, operand: Json, loose: boolean): boolean {
  return (
    holdsItem(actual, operand, loose) ||
    (Array.isArray(actual) &&
      Array.isArray(operand) &&
      operand.every((part) => holdsItem(actual, part, loose)))
  )
}

function holdsItem(actual: Json, part: Json, loose: boolean): boolean {
  if (typeof actual === 'string') return actual.includes(part as string)
  if (!Array.isArray(actual)) return isEqual(part, actual, { partial: true, loose })
  return actual.some((item) => isEqual(part, item, { partial: isJsonObject(part), loose }))
}

function edgeOperator(words: string, holds: (text: string, part: string) => boolean) {
  return {
    about: `The text ${words} with this one: \`${words}_with: abc\`.`,
    operand: 'text',
    explainBadOperand: (operand) =>
      typeof operand === 'string' && operand !== '' ? undefined : 'a text that is not empty',
    takes: ['string'],
    show: (operand) => `${words} ${previewValue(operand)}`,
    judge: (actual, operand, { field }) =>
      holds(actual as string, operand as string)
        ? PASSED
        : fail(
            `Expected \`${field}\` to ${words.slice(0, -1)} with ${showValue(operand)}, got ${showValue(actual)}`,
          ),
  } satisfies Operator
}

/** Operators that look for a part of a value. */
export const containmentOperators = {
  contains,
  not_contains: notContains,
  starts_with: edgeOperator('starts', (text, part) => text.startsWith(part)),
  ends_with: edgeOperator('ends', (text, part) => text.endsWith(part)),
} satisfies Record<string, Operator>
