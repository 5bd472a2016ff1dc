import { canonicalText } from '../../compare-json.ts'
import { isJsonObject, isNumber, parseDecimal, type Json } from '../../json.ts'
import { parseFieldPath, type PathStep } from '../../path/field-path.ts'
import { explainMissing, walkPath } from '../../path/walk-path.ts'
import { previewValue, showValue } from '../../text/show-value.ts'
import { blameCheck, fail, passList, passWith, wantsMap } from './operator.ts'
import type { FailedVerdict, Judgement, Operator } from './operator.ts'
import { readTime } from './time.ts'

const MAX_SHOWN = 5

const unique = {
  about:
    'No two elements of the list are equal: `unique: true`, or `unique: id` for a field that no two may share.',
  operand: 'unique',
  explainBadOperand: (operand) => (operand === true ? undefined : explainBadField(operand, '`true` or ')),
  takes: ['array'],
  judge(actual, operand, judgement) {
    const keys = readKeys(actual as Json[], operand === true ? undefined : (operand as string), judgement)
    if ('passed' in keys) return keys
    const first = new Map<string, number>()
    const twice = keys.flatMap((key, index) => {
      const text = canonicalText(key)
      const before = first.get(text)
      if (before === undefined) first.set(text, index)
      return before === undefined ? [] : [`${previewValue(key)} at [${before}] and [${index}]`]
    })
    if (twice.length === 0) return passList(keys, judgement)
    const what = operand === true ? 'equal elements' : `elements with equal \`${operand as string}\``
    const shown = twice.slice(0, MAX_SHOWN).join(', ') + (twice.length > MAX_SHOWN ? ' …' : '')
    return fail(`Expected \`${judgement.field}\` to have no ${what}: ${shown}`)
  },
} satisfies Operator

type Order = { field?: string; order?: string }

const explainBadOrder = wantsMap('', ['field', 'order'], ({ field, order }) => {
  if (field === undefined && order === undefined) return 'a `field` or an `order`'
  if (order !== undefined && order !== 'asc' && order !== 'desc') return '`asc` or `desc` as `order`'
  return field === undefined ? undefined : explainBadField(field)
})

const sortedBy = {
  about:
    'The list is in order: `sorted_by: price`, `sorted_by: {field: price, order: desc}`, or `{order: asc}` for its elements.',
  operand: 'order',
  explainBadOperand: (operand) =>
    isJsonObject(operand) ? explainBadOrder(operand) : explainBadField(operand, '`{order: asc}` or '),
  takes: ['array'],
  judge(actual, operand, judgement) {
    const { field: by, order = 'asc' } = (isJsonObject(operand) ? operand : { field: operand }) as Order
    const keys = readKeys(actual as Json[], by, judgement)
    if ('passed' in keys) return keys
    const { field } = judgement
    if (!keys.every(isNumber) && !keys.every((key) => typeof key === 'string'))
      return blameCheck(
        'value',
        judgement,
        `compares only numbers or only strings, got ${previewValue(keys)}`,
      )
    const wrong = findDisorder(keys, order)
    const amounts = keys.map((key) => parseDecimal(key) ?? readTime(key))
    const other = amounts.includes(undefined) ? wrong : findDisorder(amounts, order)
    const doubt = `were compared as texts, not as ${parseDecimal(keys[0]) === undefined ? 'times' : 'numbers'}`
    if (wrong === -1 && other !== -1)
      return passWith(
        `\`sorted_by\` of \`${field}\` passed only because ${previewValue(keys.slice(other - 1, other + 1))} ${doubt}. Compare them in a \`custom\` check.`,
      )
    if (wrong === -1) return passList(keys, judgement)
    const [before, key] = keys.slice(wrong - 1, wrong + 1).map(showValue)
    return fail(
      `Expected \`${field}\` to be sorted by ${by === undefined ? 'its elements' : `\`${by}\``} (${order}); [${wrong - 1}] has ${before}, [${wrong}] has ${key}${other === -1 ? ` (they ${doubt})` : ''}`,
    )
  },
} satisfies Operator

/** The index of the first value that is not in order after the one before it, or -1. */
function findDisorder(keys: readonly unknown[], order: string): number {
  return (keys as number[]).findIndex((key, index) => {
    const before = keys[index - 1] as number
    return order === 'asc' ? before > key : before < key
  })
}

function explainBadField(operand: Json, other = ''): string | undefined {
  const wanted = `${other}the name of a field`
  if (typeof operand !== 'string' || operand === '') return wanted
  const steps = parseFieldPath(operand)
  return typeof steps === 'string' ? `${wanted} (${steps})` : undefined
}

/** The elements, or the values at a path in each of them. A failure if an element has none. */
function readKeys(elements: Json[], path: string | undefined, judgement: Judgement): Json[] | FailedVerdict {
  if (path === undefined) return elements
  const steps = (parseFieldPath(path) as { name: PathStep }[]).map(({ name }) => name)
  const keys: Json[] = []
  for (const [index, element] of elements.entries()) {
    const walk = walkPath(element, steps)
    if (!walk.found)
      return blameCheck('value', judgement, `finds ${explainMissing(`${judgement.field}[${index}]`, walk)}`)
    keys.push(walk.value)
  }
  return keys
}

/** Operators on a list as a whole. */
export const listOperators = { unique, sorted_by: sortedBy } satisfies Record<string, Operator>
