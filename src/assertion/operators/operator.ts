import { type Json, isJsonObject, isNumber } from '../../json.ts'
import type { Position } from '../../source.ts'
import { showValue, typeOf, type JsonType } from '../../text/show-value.ts'
import { didYouMean } from '../../text/suggest.ts'
import type { CheckTools } from '../check-context.ts'
import type { Check, FailureDetails } from '../check.ts'

/** A verdict that is not a pass. It always has words; nothing is a pass by omission. */
export type Failure = FailureDetails & {
  passed: false
  message: string
  /** Where the failing nested check is written. */
  at?: Position | undefined
  /** It nearly passed: a warning for what turns it round. */
  near?: string | undefined
  warning?: string
}

/** What an operator found. */
export type Verdict = { passed: true; warning?: string } | Failure

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

/** What all operators say of themselves. */
type Description = {
  /** What it says, for the reader of a suite in an editor. */
  about: string
  operand: OperandKind
  /** Says what operand is expected when this one, with its templates filled in, cannot be used (`a list of values`), else undefined. @default any can be used */
  explainBadOperand?(operand: Json): string | undefined
  /** JSON types the operator works on; any other type of the actual value is a failure that says so. @default all */
  takes?: readonly JsonType[]
  /** Says on what values of these types it works when this is none. */
  explainBadValue?(actual: Json): string | undefined
  /** Operand as rows show it, when not as written (`>= 3`). */
  show?(operand: Json): Json
  /** What rows show as actual value, when not the value itself (its length, its type). */
  measure?(actual: Json): Json
  /** Of several texts all have to pass. */
  negative?: true
  /** Fills in templates itself; absent: the whole operand is interpolated. */
  resolve?(operand: Json, interpolate: (value: Json) => Json): Json
  /** The operand is a tree of checks on each element, on the value or (where it is a map) on how many there are, or a list of trees on the value; parsed at load. */
  nested?: 'elements' | 'value' | 'count' | 'list'
}

/** An entry of the operators table. Adding an operator is adding an entry. */
export type Operator = Description & {
  judge(actual: Json, operand: Json, judgement: Judgement): Verdict
}

/** An operator that asks one question: whether it `holds`, and what was expected, in `words` behind the field. */
export function question<const Asked extends Question>(asked: Asked): Asked & Operator {
  return {
    ...asked,
    judge(actual, operand, judgement) {
      if (asked.holds(actual, operand, judgement))
        return passWith(asked.doubt?.(judgement.field, operand, actual))
      const got = asked.got?.(actual, operand) ?? showValue(actual)
      return fail(`Expected \`${judgement.field}\` ${asked.words(operand)}, got ${got}`)
    },
  }
}

/** What an operator that asks one question says of itself. */
export type Question = Description & {
  holds(actual: Json, operand: Json, judgement: Judgement): boolean
  words(operand: Json): string
  got?(actual: Json, operand: Json): string
  /** What it may have held by, although its author means something else. */
  doubt?(field: string, operand: Json, actual: Json): string | undefined
}

/** True for a value of a type that an operator works on. */
export function takesType({ takes }: Operator, value: Json): boolean {
  return takes === undefined || takes.includes(typeOf(value))
}

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

/** The same in words behind the name of the check: `works on …`. */
export function blameCheck(
  unjudged: 'operand' | 'value',
  { check, field }: Pick<Judgement, 'check' | 'field'>,
  words: string,
): Failure {
  return blame(unjudged, `The \`${check.operator}\` check of \`${field}\` ${words}`)
}

/** The verdict on a list that passes; an empty one gives a warning, unless what is beside the check allows it. */
export function passList(list: readonly unknown[], { check, field }: Judgement): Verdict {
  if (list.length > 0 || check.mayBeEmpty) return PASSED
  return passWith(
    `\`${check.operator}\` of \`${field}\` judged nothing: the list is empty. Write \`notEmpty: true\` beside it to refuse that, or \`optional: true\` to allow it.`,
  )
}

/** Wants an operand that fits, in words. */
export function wants(
  words: string,
  fits: (operand: Json) => boolean,
): (operand: Json) => string | undefined {
  return (operand) => (fits(operand) ? undefined : words)
}

/** Wants a map with no other keys than two; `explain` says what is wrong with what they have. */
export function wantsMap(
  words: string,
  known: readonly [string, string],
  explain: (map: Readonly<Record<string, Json | undefined>>) => string | undefined,
): (operand: Json) => string | undefined {
  return (operand) => {
    if (!isJsonObject(operand)) return words
    const unknown = Object.keys(operand).find((key) => !known.includes(key))
    if (unknown === undefined) return explain(operand)
    return `\`${known[0]}\` and \`${known[1]}\` only; \`${unknown}\` is neither${didYouMean(unknown, known)}`
  }
}

/** Wants `true` or `false`. */
export const wantsFlag = wants('`true` or `false`', (operand) => typeof operand === 'boolean')
/** Wants a number. */
export const wantsNumber = wants('a number', isNumber)

/** The operands that operators of an extension can take. */
export const operandKinds: Readonly<Record<string, Pick<Operator, 'operand' | 'explainBadOperand'>>> = {
  any: { operand: 'any' },
  text: { operand: 'text', explainBadOperand: wants('a text', (operand) => typeof operand === 'string') },
  number: { operand: 'number', explainBadOperand: wantsNumber },
  flag: { operand: 'flag', explainBadOperand: wantsFlag },
  list: { operand: 'list', explainBadOperand: wants('a list', Array.isArray) },
}

/** What the table of operators needs of an operand of a kind. */
export function describeOperand(kind: string): Pick<Operator, 'operand' | 'explainBadOperand'> {
  return operandKinds[kind] ?? describeOperand('any')
}
