import { isJsonObject, type Json } from '../../json.ts'
import { findDifferences, isEqual } from '../../compare-json.ts'
import { explainLook, explainNear, listDifferences, MAX_SHOWN } from './equality.ts'
import { blameCheck, fail, passWith, question, wants, type FailedVerdict, type Operator } from './operator.ts'
import { foldText, previewValue, showValue } from '../../text/show-value.ts'
import { didYouMean, findTypo } from '../../text/suggest.ts'

const contains = {
  about: 'Contains this substring, element or sub-object, or all elements of this list.',
  ...partOperator((actual, part, { field, loose }) => {
    if (holdsItem(actual, part, loose)) return undefined
    const isList = Array.isArray(actual) && Array.isArray(part) && part.length > 0
    const missing = isList ? part.find((one) => !holdsItem(actual, one, loose)) : part
    if (missing === undefined) return undefined
    if (!isJsonObject(actual)) return `to contain ${showValue(missing)}, got ${showValue(actual)}`
    const found = findDifferences(missing, actual, { partial: true, loose, keep: MAX_SHOWN })
    return `to contain the given object; ${listDifferences(field, found)}`
  }),
} satisfies Operator

const notContains = {
  about: 'Does not contain this substring, element or sub-object, or any element of this list.',
  show: (operand) => `not containing ${previewValue(operand)}`,
  ...partOperator((actual, part, { loose }) => {
    const parts = Array.isArray(actual) && Array.isArray(part) ? [part, ...part] : [part]
    const found = parts.find((one) => holdsItem(actual, one, loose))
    return found === undefined
      ? undefined
      : `not to contain ${showValue(found)}, but it does: ${showValue(actual)}`
  }, explainAbsent),
} satisfies Operator

/** Warns of a part that is absent only because of its type, or because of a misspelt field. */
function explainAbsent(field: string, part: Json, actual: Json): string | undefined {
  if (typeof actual === 'string') return explainPart(field, [actual, part])
  const items = Array.isArray(actual) ? actual : []
  const parts = [part].flat()
  const single = items.filter((item) => !Array.isArray(item))
  const near = single.map((item) => explainNear({ field, partial: true }, parts, item)).find(Boolean)
  if (near !== undefined) return near
  const [isMap, ...areMaps] = [part, ...items].map((one) => typeof one === 'object' && one !== null)
  if (part !== null && !Array.isArray(part) && items.length > 0 && !areMaps.includes(isMap as boolean))
    return `\`not_contains\` of \`${field}\` looks for ${showValue(part)}, but ${isMap ? 'no element is a map' : 'all elements are lists or maps'}.`
  const names = [...new Set(items.filter(isJsonObject).flatMap(Object.keys))]
  const wanted = parts.filter(isJsonObject).flatMap(Object.keys)
  const absent = wanted.find((key) => !names.includes(key) && findTypo(key, names) !== undefined)
  if (absent === undefined) return undefined
  return `\`not_contains\` of \`${field}\` looks for \`${absent}\`, which no element has${didYouMean(absent, names)}.`
}

type Holds = (text: string, part: string) => boolean

const includes: Holds = (text, part) => text.includes(part)

/** Explains that a text would have a part but for capitals or what is hard to see; else undefined. */
function explainPart(field: string, [actual, part]: Json[], holds = includes): string | undefined {
  // In a whole body, the same letters may mean something else, such as the name of a class.
  if (typeof actual !== 'string' || typeof part !== 'string' || field === 'body') return undefined
  const sought = foldText(part)
  const isHeld = sought.trim() !== '' && holds(foldText(actual), sought)
  return isHeld ? explainLook(field, part, actual) : undefined
}

/** An operator that looks for a part. `explain`: what was expected; `doubt`: why it may pass by accident. */
function partOperator(
  explain: (actual: Json, part: Json, how: { field: string; loose: boolean }) => string | undefined,
  doubt?: (field: string, part: Json, actual: Json) => string | undefined,
) {
  return {
    operand: 'any',
    explainBadOperand: wants('something to look for (everything contains an empty value)', isFilled),
    takes: ['string', 'array', 'object'],
    judge(actual, operand, judgement) {
      const { field, tools } = judgement
      const { isLenient = false } = tools
      const isText = typeof actual === 'string'
      // In a lenient suite, a number or boolean is searched for as text.
      const part = isLenient && isText && typeof operand !== 'object' ? String(operand) : operand
      const refuse = (where: string): FailedVerdict =>
        blameCheck('value', judgement, `looks for ${showValue(part)} in ${where}`)
      // Which operands make sense depends on the actual value.
      const meant =
        typeof part === 'object' ? '; for several values, write `all_of`' : `, such as \`'${String(part)}'\``
      if (isText && typeof part !== 'string') return refuse(`a string, which contains only strings${meant}`)
      if (isJsonObject(actual) && !isJsonObject(part))
        return refuse('an object, which has only fields; for a name, use `exists`')
      const expected = explain(actual, part, { field, loose: isLenient })
      if (expected === undefined) return passWith(doubt?.(field, part, actual))
      return { ...fail(`Expected \`${field}\` ${expected}`), warning: explainPart(field, [actual, part]) }
    },
  } satisfies Partial<Operator>
}

function isFilled(operand: Json): boolean {
  return typeof operand === 'object' && operand !== null ? Object.keys(operand).length > 0 : operand !== ''
}

function holdsItem(actual: Json, part: Json, loose: boolean): boolean {
  if (typeof actual === 'string') return actual.includes(part as string)
  if (!Array.isArray(actual)) return isEqual(part, actual, { partial: true, loose })
  return actual.some((item) => isEqual(part, item, { partial: isJsonObject(part), loose }))
}

function edgeOperator(words: string, holds: Holds) {
  return question({
    about: `The text ${words}s with this one: \`${words}s_with: abc\`.`,
    operand: 'text',
    explainBadOperand: wants('a non-empty string', (text) => typeof text === 'string' && text !== ''),
    takes: ['string'],
    show: (operand) => `${words}s with ${previewValue(operand)}`,
    words: (operand) => `to ${words} with ${showValue(operand)}`,
    holds: (actual, operand) => holds(actual as string, operand as string),
    nearly: ({ field }, operand, actual) => explainPart(field, [actual, operand], holds),
  })
}

/** Operators that look for a part of a value. */
export const containmentOperators = {
  contains,
  not_contains: notContains,
  starts_with: edgeOperator('start', (text, part) => text.startsWith(part)),
  ends_with: edgeOperator('end', (text, part) => text.endsWith(part)),
} satisfies Record<string, Operator>
