import type { Check } from '../check.ts'
import type { ParseState } from './parse-state.ts'

// They say how many elements there may be.
const SIZED = new Set(['notEmpty', 'length', 'minLength', 'maxLength', 'optional'])

/** Marks what checks on one value mean to each other, and reports an `optional` that has nothing to be about. */
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
  }
}

function settleOptional(state: ParseState, optional: Check, checks: readonly Check[]): void {
  const { target, path, field } = optional
  const below = checks.filter(
    (check) =>
      check.operator !== 'optional' &&
      check.target === target &&
      path.every((step, index) => check.path[index] === step),
  )
  for (const check of [optional, ...below]) check.optional = path.length
  if (path.length > 0 && below.length > 0) return
  const words =
    path.length === 0
      ? `\`optional\` is for a field: \`${field}\` is always there`
      : `\`${field}\` has \`optional\` alone, which checks nothing`
  state.report(state.places.get(optional) ?? [], {
    code: 'bad-check',
    message: `${words}.`,
    hint: 'Write it beside other checks of a field.',
  })
}
