import type { Operator } from './operator.ts'
import { isNumber, type Json } from '../../json.ts'

type Kind = { operand: Operator['operand']; wanted: string; fits: (operand: Json) => boolean }

/** The operands that operators of an extension can take. */
export const operandKinds: Readonly<Record<string, Kind>> = {
  any: { operand: 'any', wanted: 'a value', fits: () => true },
  text: { operand: 'text', wanted: 'a text', fits: (operand) => typeof operand === 'string' },
  number: { operand: 'number', wanted: 'a number', fits: isNumber },
  flag: { operand: 'flag', wanted: '`true` or `false`', fits: (operand) => typeof operand === 'boolean' },
  list: { operand: 'list', wanted: 'a list', fits: Array.isArray },
}

/** What the table of operators needs of an operand of a kind. */
export function describeOperand(kind: string): Pick<Operator, 'operand' | 'explainBadOperand'> {
  const { operand, wanted, fits } = (operandKinds[kind] ?? operandKinds['any']) as Kind
  return { operand, explainBadOperand: (value) => (fits(value) ? undefined : wanted) }
}
