import { type Json, isJsonObject, isNumber } from '../../json.ts'
import type { Position } from '../../source.ts'
import { showValue, typeOf, type JsonType } from '../../text/show-value.ts'
import { didYouMean } from '../../text/suggest.ts'
import type { CheckTools } from '../check-context.ts'
import type { Check, FailureDetails } from '../check.ts'

/** The verdict of a check that did not pass. It always has a message. */
export type FailedVerdict = FailureDetails & {
  passed: false
  message: string
  at?: Position | undefined
  /** Why it may have failed by accident. `not` turns this into a warning. */
  warning?: string | undefined
}

/** The result of an operator; a `warning` says why it may have passed by accident. */
export type Verdict = { passed: true; warning?: string } | FailedVerdict

/** What an operator may use while it judges. */
export type Judgement = {
  /** The full path of the value as messages show it, without backticks: `body.items[0].id`. */
  field: string
  tools: CheckTools
  check: Check
  judgeNested: (check: Check, value: Json, field: string) => Verdict
}

/** The kinds of operands that operators take; the schema of suites has an entry for each. */
export type OperandKind =
  | 'any'
  | 'list'
  | 'names'
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

type Description = {
  about: string
  operand: OperandKind
  /** Says what is expected (`a list of values`) if this operand cannot be used. @default any can be used */
  explainBadOperand?(operand: Json): string | undefined
  /** The JSON types that the operator works on. A value of any other type fails the check. @default all */
  takes?: readonly JsonType[]
  /** Says on which values of these types it works if not on this one; else undefined. */
  explainBadValue?(actual: Json): string | undefined
  /** How rows show the operand (`>= 3`), if not as written. */
  show?(operand: Json): Json
  /** What rows show as the actual value, if not the value itself (its length, its type). */
  measure?(actual: Json): Json
  /** Fills in templates itself; by default the whole operand is interpolated. */
  resolve?(operand: Json, interpolate: (value: Json) => Json): Json
  /** The operand has checks: on each element, the value, or (if a map) the count. `list`: a list of those. */
  nested?: 'elements' | 'value' | 'count' | 'list'
}

/** An entry of the table of operators. */
export type Operator = Description & {
  judge(actual: Json, operand: Json, judgement: Judgement): Verdict
}

/** Creates an operator that asks one question: whether the value `holds`. `words` says what was expected. */
export function question<const Asked extends Question>(asked: Asked): Asked & Operator {
  return {
    ...asked,
    judge(actual, operand, judgement) {
      if (asked.holds(actual, operand, judgement))
        return passWith(asked.doubt?.(judgement.field, operand, actual))
      const got = asked.got?.(actual, operand) ?? showValue(actual)
      const failure = fail(`Expected \`${judgement.field}\` ${asked.words(operand)}, got ${got}`)
      return { ...failure, warning: asked.nearly?.(judgement, operand, actual) }
    },
  }
}

/** The description of an operator that asks one question. */
export type Question = Description & {
  holds(actual: Json, operand: Json, judgement: Judgement): boolean
  words(operand: Json): string
  got?(actual: Json, operand: Json): string
  doubt?(field: string, operand: Json, actual: Json): string | undefined
  /** The warning of a failure: why it may hold as it was meant. */
  nearly?(judgement: Judgement, operand: Json, actual: Json): string | undefined
}

/** True if an operator works on values of this type. */
export function takesType({ takes }: Operator, value: Json): boolean {
  return takes === undefined || takes.includes(typeOf(value))
}

export const PASSED: Verdict = { passed: true }

/** A pass, with a warning for the author if there is one. */
export function passWith(warning: string | undefined): Verdict {
  return warning === undefined ? PASSED : { passed: true, warning }
}

export function fail(message: string): FailedVerdict {
  return { passed: false, message }
}

/** A failure because a comparison was not possible. `not` does not invert it. */
export function blame(unjudged: 'operand' | 'value', message: string): FailedVerdict {
  return { ...fail(message), unjudged }
}

/** Like `blame`. The message has the name of the check before `words`, such as `works on …`. */
export function blameCheck(
  unjudged: 'operand' | 'value',
  { check, field }: Pick<Judgement, 'check' | 'field'>,
  words: string,
): FailedVerdict {
  return blame(unjudged, `The \`${check.operator}\` check of \`${field}\` ${words}`)
}

/** The verdict on a list that passes; an empty one gives a warning, unless a check beside it allows that. */
export function passList(list: readonly unknown[], { check, field }: Judgement): Verdict {
  if (list.length > 0 || check.mayBeEmpty) return PASSED
  return passWith(
    `\`${check.operator}\` of \`${field}\` checked nothing: the list is empty. Add \`notEmpty: true\` beside it to reject an empty list, or \`minLength: 0\` to allow one.`,
  )
}

type Refusal = (operand: Json) => string | undefined

/** Creates an `explainBadOperand` that returns `words` if the operand does not fit. */
export function wants(words: string, fits: (operand: Json) => boolean): Refusal {
  return (operand) => (fits(operand) ? undefined : words)
}

/** Wants a map with these two keys only; `explain` says what is wrong with their values. */
export function wantsMap(
  words: string,
  known: readonly [string, string],
  explain: (map: Readonly<Record<string, Json | undefined>>) => string | undefined,
): Refusal {
  return (operand) => {
    if (!isJsonObject(operand)) return words
    const unknown = Object.keys(operand).find((key) => !known.includes(key))
    if (unknown === undefined) return explain(operand)
    return `\`${known[0]}\` and \`${known[1]}\` only; \`${unknown}\` is neither${didYouMean(unknown, known)}`
  }
}

export const wantsFlag = wants('`true` or `false`', (operand) => typeof operand === 'boolean')
export const wantsNumber = wants('a number', isNumber)

/** The kinds of operands for user-defined operators. */
export const operandKinds: Readonly<Record<string, Pick<Operator, 'operand' | 'explainBadOperand'>>> = {
  any: { operand: 'any' },
  text: { operand: 'text', explainBadOperand: wants('a string', (operand) => typeof operand === 'string') },
  number: { operand: 'number', explainBadOperand: wantsNumber },
  flag: { operand: 'flag', explainBadOperand: wantsFlag },
  list: { operand: 'list', explainBadOperand: wants('a list', Array.isArray) },
}

/** The entries in the table of operators for this kind of operand. An unknown kind counts as `any`. */
export function describeOperand(kind: string): Pick<Operator, 'operand' | 'explainBadOperand'> {
  return operandKinds[kind] ?? describeOperand('any')
}
