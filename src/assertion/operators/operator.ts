import type { Json } from '../../json.ts'
import type { Position } from '../../source.ts'
import type { Check } from '../check.ts'
import type { CheckTools } from '../check-tools.ts'
import type { JsonType } from '../../text/show-value.ts'

/** What an operator found. A failure always has words; nothing is a pass by omission. */
export type Verdict =
  | { passed: true }
  | {
      passed: false
      message: string
      diff?: { expected: Json; actual: Json | undefined }
      /** Where the failing nested check is written, for `each`. */
      at?: Position
      snapshot?: { name?: string; value: Json }
    }

/** What an operator may use while it judges. */
export type Judgement = {
  /** Full path of the value in words, without quotes: `body.items[0].id`. */
  field: string
  tools: CheckTools
  /** Set for `each`: its nested checks, and the function that makes one of them on an element. */
  checks: readonly Check[]
  judgeNested: (check: Check, element: Json, field: string) => Verdict
}

/** An entry of the operators table. Adding an operator is adding an entry. */
export type Operator = {
  /** Says what operand is expected when this one cannot be used (`a list of values`), else undefined. */
  refuse(operand: Json): string | undefined
  /** JSON types the operator works on; any other type of the actual value is a failure that says so. */
  takes: readonly JsonType[]
  judge(actual: Json, operand: Json, judgement: Judgement): Verdict
  /** Operand as rows show it, when not as written (`>= 3`). */
  show?(operand: Json): Json
  /** What rows show as actual value, when not the value itself (its length, its type). */
  measure?(actual: Json): Json
  /** Passes when something is not there: an unresolved `{{…}}` in the operand must not make it pass. */
  negative?: true
  /** Fills in templates itself; absent: the whole operand is interpolated. */
  resolve?(operand: Json, interpolate: (value: Json) => Json): Json
  /** The operand is a tree of checks on each element, parsed when the suite is loaded. */
  nested?: true
}

/** Every JSON type. */
export const ANY_TYPE: readonly JsonType[] = ['string', 'number', 'boolean', 'object', 'array', 'null']

/** The one way to pass. */
export const PASSED: Verdict = { passed: true }

/** A failure in words. */
export function fail(message: string): Verdict {
  return { passed: false, message }
}
