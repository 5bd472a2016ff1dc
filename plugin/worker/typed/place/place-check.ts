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
  if (!CHECKED.test(path.join('/')) || below.some((key) => typeof key === 'number') || isInOperand(path))
    return undefined
  const names = listNames(path)
  const key = names.at(-1) as string
  if (names.length === 1 || names.at(-2) === 'field' || !operatorNames.includes(key))
    return { [operator]: operand }
  if (key === operator || (operator === 'pattern' && key === 'regex')) return operand
  return operators[key]?.nested ? { [operator]: operand } : undefined
}

/** True inside of what a check compares with as a whole, such as the map of an `equals`. */
export function isInOperand(path: ValuePath): boolean {
  const names = listNames(path).slice(0, -1)
  return names.some(
    (name, index) =>
      Object.hasOwn(operators, name) && !operators[name]?.nested && names[index - 1] !== 'field',
  )
}

/** The fields and operators that lead to a value below `assert`, those of flat keys one by one; names of headers and in quotes are whole. */
function listNames(path: ValuePath): string[] {
  const below = path.slice(path.indexOf('assert') + 1)
  const flat = below.map((key, index) => (index === 1 && below[0] === 'headers' ? 'header' : key)).join('.')
  return flat.replaceAll(/\["[^"]*"\]/g, '.quoted').split('.')
}
