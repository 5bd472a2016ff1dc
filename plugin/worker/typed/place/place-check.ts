import { operatorNames, operators } from '../../../../src/assertion/operators/operators.ts'
import type { Json } from '../../../../src/json.ts'
import type { ValuePath } from '../../../../src/suite/source-tree.ts'

const CHECKED =
  /^(?:setup|steps|teardown)\/\d+\/(?:scenarios\/\d+\/(?:then|else)\/)?assert\/(?:body|headers)(?:[.[/]|$)/

/** A check that is written as its operand alone. */
type LoneOperand = { operator: 'schema' | 'pattern'; operand: Json }

/**
 * Writes the check that a Standard Schema or regular expression stands for at its place: the operand alone below the
 * operator's own name, else the operator with it. Undefined where no value of the response is judged.
 */
export function placeCheck(path: ValuePath, { operator, operand }: LoneOperand): Json | undefined {
  const below = path.slice(path.indexOf('assert') + 1)
  if (!CHECKED.test(path.join('/')) || below.some((key) => typeof key === 'number')) return undefined
  const key = String(below.at(-1))
  if (below.length === 1 || below.at(-2) === 'field' || !operatorNames.includes(key))
    return { [operator]: operand }
  if (key === operator || (operator === 'pattern' && key === 'regex')) return operand
  return operators[key]?.nested ? { [operator]: operand } : undefined
}
