import { containmentOperators } from './containment.ts'
import { equalityOperators } from './equality.ts'
import { listOperators } from './list.ts'
import { nestedOperators } from './nested.ts'
import type { Operator } from './operator.ts'
import { orderOperators, rangeOperators } from './order.ts'
import { patternOperators } from './pattern.ts'
import { schemaOperator } from './schema.ts'
import { sizeOperators } from './size.ts'
import { snapshotOperator } from './snapshot.ts'
import { timeOperators } from './time.ts'
import { typeOperators } from './type.ts'

/** All operators, by the names authors write; the schema of suites is made from it. */
export const operatorTable = {
  ...equalityOperators,
  ...containmentOperators,
  ...patternOperators,
  ...sizeOperators,
  ...orderOperators,
  ...rangeOperators,
  ...typeOperators,
  ...listOperators,
  ...timeOperators,
  ...nestedOperators,
  schema: schemaOperator,
  snapshot: snapshotOperator,
}

/** The table for looking up a name. Null prototype: a field called `constructor` is not an operator. */
export const operators: Readonly<Record<string, Operator>> = Object.assign(Object.create(null), operatorTable)

/** Names of the user-defined operators. */
export const userOperatorNames: string[] = []

/** Replaces the user-defined operators. */
export function setUserOperators(given: Readonly<Record<string, Operator>>): void {
  const table = operators as Record<string, Operator>
  for (const name of userOperatorNames) delete table[name]
  userOperatorNames.splice(0, Infinity, ...Object.keys(given))
  Object.assign(table, given)
}

/** Names of the built-in operators. */
export const operatorNames: readonly string[] = Object.keys(operators)
