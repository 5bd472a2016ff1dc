import { isNumber, type Json } from '../../json.ts'
import type { JsonType } from '../../text/show-value.ts'
import type { Check } from '../check.ts'
import { operators } from '../operators/operators.ts'
import { JSON_TYPES } from '../operators/type.ts'
import type { ParseState } from './parse-state.ts'
import { report } from './report-problem.ts'

// They say how many elements there may be.
const SIZED = new Set(['notEmpty', 'length', 'minLength', 'maxLength', 'optional'])

/** Marks what checks on one value mean to each other, and reports those that can never pass together. */
export function settleSiblings(state: ParseState, checks: readonly Check[]): void {
  for (const { checks: nested, operator } of checks)
    if (nested)
      for (const group of operator === 'any_of' ? nested.map((one) => [one]) : [nested])
        settleSiblings(state, group)
  const groups = Map.groupBy(
    checks.filter(({ target }) => target !== 'custom'),
    ({ target, path }) => JSON.stringify([target, path]),
  )
  for (const group of groups.values()) {
    if (group.some(({ operator }) => SIZED.has(operator))) for (const check of group) check.mayBeEmpty = true
    const optional = group.find(({ operator }) => operator === 'optional')
    if (optional) settleOptional(state, optional, checks)
    const absent = group.find(({ operator, expected }) => operator === 'exists' && expected === false)
    const other = absent && listBelow(absent, checks)[0]
    if (other) refuse(state, other, `\`${absent.field}\` has \`exists: false\`, so nothing there can pass`)
    else if (!state.options.compat) reportContradiction(state, group)
  }
}

function listBelow({ target, path }: Check, checks: readonly Check[]): Check[] {
  return checks.filter(
    (check) =>
      check.target === target &&
      path.every((step, index) => check.path[index] === step) &&
      !(check.path.length === path.length && (check.operator === 'optional' || check.expected === false)),
  )
}

function settleOptional(state: ParseState, optional: Check, checks: readonly Check[]): void {
  const { length } = optional.path
  const below = listBelow(optional, checks)
  if (length === 0)
    refuse(state, optional, `\`optional\` is for a field: \`${optional.field}\` is always there`)
  else if (below.length === 0)
    refuse(state, optional, `\`${optional.field}\` has \`optional\` alone, which checks nothing`)
  for (const check of [optional, ...below]) check.optional = length
}

function reportContradiction(state: ParseState, group: readonly Check[]): void {
  const fixed = group.filter(({ expected }) => ![expected].flat().some(isTemplate))
  const why = findTypeClash(fixed) ?? findEmptyRange(fixed, ORDER) ?? findEmptyRange(fixed, LENGTH)
  if (why) refuse(state, why.check, why.words)
}

function isTemplate(value: Json): boolean {
  return typeof value === 'string' && value.includes('{{')
}

function refuse(state: ParseState, check: Check, words: string): void {
  report(state, state.places.get(check) ?? [], {
    code: 'bad-check',
    message: `${words}.`,
    hint: 'Checks on one value must all pass; take one of them out.',
  })
}

type Clash = { check: Check; words: string }

/** Checks that work on no common type. */
function findTypeClash(group: readonly Check[]): Clash | undefined {
  let left: readonly JsonType[] | undefined
  for (const check of group) {
    const types = listTypes(check)
    const both: readonly JsonType[] = left?.filter((type) => types.includes(type)) ?? types
    if (both.length === 0)
      return {
        check,
        words: `The \`${check.operator}\` check of \`${check.field}\` works on ${types.join(', ')}, but the checks beside it want ${left?.join(', ')}`,
      }
    left = both
  }
  return undefined
}

function listTypes({ operator, expected, target }: Check): readonly JsonType[] {
  // Headers are text; comparisons read their numbers.
  if (target !== 'body' && target !== 'cookies' && target !== 'redirects') return JSON_TYPES
  if (operator !== 'type') return operators[operator]?.takes ?? JSON_TYPES
  const names = (Array.isArray(expected) ? expected : [expected]).map((name) => name ?? 'null')
  return names.map((name) =>
    name === 'integer' ? 'number' : JSON_TYPES.includes(name as JsonType) ? (name as JsonType) : 'string',
  )
}

type Bounds = Readonly<Record<string, (operand: Json) => [least: number, most: number]>>

const ORDER: Bounds = {
  greater_than: (operand) => [Number(operand), Infinity],
  greater_than_or_equal: (operand) => [Number(operand), Infinity],
  less_than: (operand) => [-Infinity, Number(operand)],
  less_than_or_equal: (operand) => [-Infinity, Number(operand)],
  between: (operand) => operand as [number, number],
}
const LENGTH: Bounds = {
  minLength: (operand) => [Number(operand), Infinity],
  maxLength: (operand) => [0, Number(operand)],
  length: (operand) => (isNumber(operand) ? [Number(operand), Number(operand)] : [0, Infinity]),
  notEmpty: (operand) => (operand === true ? [1, Infinity] : [0, 0]),
}

/** Bounds that leave no number between them. */
function findEmptyRange(group: readonly Check[], bounds: Bounds): Clash | undefined {
  let [least, most] = [-Infinity, Infinity]
  const excluded = new Set<number>()
  for (const check of group) {
    const bound = bounds[check.operator]?.(check.expected)
    if (bound === undefined) continue
    if (check.operator === 'greater_than' || check.operator === 'less_than')
      excluded.add(Number(check.expected))
    ;[least, most] = [Math.max(least, bound[0]), Math.min(most, bound[1])]
    if (least > most || (least === most && excluded.has(least)))
      return {
        check,
        words: `The \`${check.operator}\` check of \`${check.field}\` leaves no value that the checks beside it accept`,
      }
  }
  return undefined
}
