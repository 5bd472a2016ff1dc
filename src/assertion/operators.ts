import { containmentOperators } from './containment-operators.ts'
import { eachOperator } from './each-operator.ts'
import { equalityOperators } from './equality-operators.ts'
import type { Operator } from './operator.ts'
import { orderOperators } from './order-operators.ts'
import { patternOperators } from './pattern-operators.ts'
import { schemaOperator } from './schema-operator.ts'
import { sizeOperators } from './size-operators.ts'
import { snapshotOperator } from './snapshot-operator.ts'
import { typeOperators } from './type-operators.ts'

/** Every operator by the name authors write. Null prototype: a field called `constructor` is not an operator. */
export const operators: Readonly<Record<string, Operator>> = Object.assign(Object.create(null), {
  ...equalityOperators,
  ...containmentOperators,
  ...patternOperators,
  ...sizeOperators,
  ...orderOperators,
  ...typeOperators,
  each: eachOperator,
  schema: schemaOperator,
  snapshot: snapshotOperator,
})

/** Names of all operators. */
export const operatorNames: readonly string[] = Object.keys(operators)
