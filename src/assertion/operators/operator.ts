import { type Json, type JsonObject, isNumber } from '../../json.ts'
import type { Position } from '../../source.ts'
import type { JsonType } from '../../text/show-value.ts'
import { didYouMean } from '../../text/suggest.ts'
import type { CheckTools } from '../check-context.ts'
import type { Check } from '../check.ts'

/** What an operator found. A failure always has words; nothing is a pass by omission. */
export type Verdict =
  | { passed: true; warning?: string }
  | {
      passed: false
      message: string
      diff?: { expected: Json; actual: Json | undefined }
      /** Where the failing nested check is written. */
      at?: Position | undefined
      snapshot?: { name?: string; value: Json }
      /** Nothing was compared, so that `not` must not turn it round: the operand is no use, or the value has no such type or is not there. */
      unjudged?: 'operand' | 'value' | undefined
      /** The first missing part of the path that was looked for. */
      gap?: string | undefined
      /** It nearly passed: a warning for what turns it round. */
      near?: string | undefined
      warning?: string
    }

/** A verdict that is not a pass. */
export type Failure = Extract<Verdict, { passed: false }>

/** What an operator may use while it judges. */
export type Judgement = {
  /** Full path of the value in words, without quotes: `body.items[0].id`. */
  field: string
  tools: CheckTools
  check: Check
  /** Makes one of the nested checks on a value. */
  judgeNested: (check: Check, value: Json, field: string) => Verdict
}

/** What kind of operand an operator takes; the schema of suites has an entry for each kind. */
export type OperandKind =
  | 'any'
  | 'list'
  | 'type'
  | 'text'
  | 'count'
  | 'length'
  | 'flag'
  | 'true'
  | 'number'
  | 'range'
  | 'closeness'
  | 'time'
  | 'nearness'
  | 'unique'
  | 'order'
  | 'checks'
  | 'checksList'
  | 'schema'
  | 'snapshot'

/** An entry of the operators table. Adding an operator is adding an entry. */
export type Operator = {
  /** What it says, for the reader of a suite in an editor. */
  about: string
  operand: OperandKind
  /** Says what operand is expected when this one cannot be used (`a list of values`), else undefined. */
  explainBadOperand(operand: Json): string | undefined
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
  /** The operand is a tree of checks on each element or on the value, or a list of such trees on the value; parsed at load. */
  nested?: 'elements' | 'value' | 'list'
}

/** Every JSON type. */
export const ANY_TYPE: readonly JsonType[] = ['string', 'number', 'boolean', 'object', 'array', 'null']

/** The one way to pass. */
export const PASSED: Verdict = { passed: true }

/** A pass, perhaps with something that its author should know. */
export function passWith(warning: string | undefined): Verdict {
  return warning === undefined ? PASSED : { passed: true, warning }
}

/** A failure in words. */
export function fail(message: string): Failure {
  return { passed: false, message }
}

/** A failure because nothing could be compared. */
export function blame(unjudged: 'operand' | 'value', message: string): Failure {
  return { ...fail(message), unjudged }
}

/** The verdict on a list that passes; an empty one gives a warning, unless what is beside the check allows it. */
export function passList(list: readonly unknown[], { check, field }: Judgement): Verdict {
  if (list.length > 0 || check.mayBeEmpty) return PASSED
  return {
    passed: true,
    warning: `\`${check.operator}\` of \`${field}\` judged nothing: the list is empty. Write \`notEmpty: true\` beside it to refuse that, or \`optional: true\` to allow it.`,
  }
}

/** Says which key of an operand is not among the known ones. */
export function explainKeys(operand: JsonObject, known: readonly [string, string]): string | undefined {
  const unknown = Object.keys(operand).find((key) => !known.includes(key))
  return unknown === undefined
    ? undefined
    : `\`${known[0]}\` and \`${known[1]}\` only; \`${unknown}\` is neither${didYouMean(unknown, known)}`
}

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
