import { containmentOperators } from './containment.ts'
import { eachOperator } from './nested.ts'
import { equalityOperators } from './equality.ts'
import type { Operator } from './operator.ts'
import { orderOperators } from './order.ts'
import { patternOperators } from './pattern.ts'
import { schemaOperator } from './schema.ts'
import { sizeOperators } from './size.ts'
import { snapshotOperator } from './snapshot.ts'
import { typeOperators } from './type.ts'

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
