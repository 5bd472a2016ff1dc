import { isEqual } from '../../compare-json.ts'
import { hasTemplate, hasTemplateInside } from '../../interpolation/template.ts'
import type { Json, ValuePath } from '../../json.ts'
import type { ProblemText } from '../../errors.ts'
import type { ParsePlace } from '../../path/parse-place.ts'
import type { Check } from '../check.ts'
import { listTargets, type CheckTarget } from '../targets.ts'
import type { PathStep } from '../../path/field-path.ts'
import type { Operator } from '../operators/operator.ts'
import { operators } from '../operators/operators.ts'
import { otherNames } from '../operators/other-names.ts'
import { plainName } from '../../text/suggest.ts'
import { showValue } from '../../text/show-value.ts'
import { countWords, readDurations, type Vocabulary } from './vocabularies.ts'

/** The state of parsing one assertion tree. */
export type ParseState = ParsePlace & {
  checks: Check[]
  /** Where each check is written. */
  places: Map<Check, ValuePath>
  /** Targets that a response has, but that cannot be checked here. */
  refused?: readonly CheckTarget[]
}

/** The value that the checks of a node are about. */
export type Subject = {
  target: CheckTarget
  path: readonly PathStep[]
  /** As reports name it. */
  field: string
  /** The checks that it takes. */
  words: Vocabulary
}

/** A check to add for a subject; if `isBare`, the operand was written without an operator. */
type Asked = {
  name: string
  operator: Operator
  operand: Json
  at: ValuePath
  isBare?: true
  checks?: Check[]
}

/** Adds a check, or reports why it cannot be made; an operand with `{{…}}` is judged at run time. */
export function addCheck(state: ParseState, subject: Subject, asked: Asked): void {
  const { at, name, checks } = asked
  const operand = readDurations(subject, asked.operand)
  const problem = explainBadCheck(state, subject, { ...asked, operand })
  if (problem) state.report(at, problem)
  // A lenient suite runs a doubtful check.
  if (problem && problem.severity !== 'doubt') return
  const mayBeEmpty = operand === null || (Array.isArray(operand) && asked.isBare)
  const empty = mayBeEmpty ? state.findEmpty(at) : undefined
  // Whoever wants to compare with null writes `null`.
  if (empty !== undefined)
    return state.report([...at, ...empty.below], {
      message: `\`${empty.name}\` has no check.`,
      hint: 'Write the value it must have, or `null` to compare with null.',
    })
  const { target, field, path, words } = subject
  const check: Check = {
    target,
    field,
    path,
    operator: name,
    expected: operand,
    ...(checks && { checks }),
    ...(words.refuse === countWords.refuse && { isCount: true }),
    at: state.locate(at),
  }
  state.checks.push(check)
  state.places.set(check, at)
}

/** True for a template that gives the value of a field itself, perhaps as a number or with a default. */
function readsOnly(text: string, field: string): boolean {
  const inner = /^\{\{(?:js:)?(.*)\}\}$/.exec(text.replaceAll(/\s/g, ''))?.[1]?.replace(/(?:\|\||\?\?).*/, '')
  return inner?.replace(/^(?:Number|String|parseInt)\((.*)\)$/, '$1') === field
}

function explainBadCheck(
  { kind }: ParseState,
  { target, path, field, words }: Subject,
  { name, operator, operand, isBare }: Asked,
): ProblemText | undefined {
  const refuse = (message: string, hint?: string | false): ProblemText => ({
    ...((name === 'pattern' || name === 'regex') && { code: 'bad-pattern' }),
    message,
    ...(hint && { hint }),
  })
  const isFilled = isBare
    ? [operand].flat().some(hasTemplate)
    : name !== 'schema' && hasTemplateInside(operand)
  const explain = (value: Json) => words.refuse?.(value, name) ?? operator.explainBadOperand?.(value)
  const wanted = !isFilled && explain(operand)
  if (wanted && isBare)
    return refuse(
      `Expected \`${field}\` to be ${wanted}, got ${showValue(operand)}.`,
      typeof operand === 'string' &&
        /^[1-9]\d*$/.test(operand) &&
        !explain(Number(operand)) &&
        `Write ${operand} without quotes.`,
    )
  if (wanted)
    return refuse(
      `Expected the \`${name}\` check of \`${field}\` to have ${wanted}, got ${showValue(operand)}.`,
      name === 'type' &&
        !TEXTS.has(target) &&
        `If \`type\` is a field of the value, write \`field: {type: ${typeof operand === 'string' ? operand : '…'}}\`, where \`field\` is literally the key.`,
    )
  if ([operand].flat().some((one) => typeof one === 'string' && readsOnly(one, field)))
    return refuse(
      `\`${field}\` is compared with itself.`,
      /^\w+$/.test(field)
        ? `If you mean a variable or column of that name, write \`{{variables.${field}}}\`.`
        : 'Compare it with a variable, or with what was sent: `{{request.body.id}}`.',
    )
  const key = operator.nested || name === 'schema' ? undefined : findTemplateKey(operand)
  if (key !== undefined) return refuseTemplate(key)
  const asCheck = Object.hasOwn(LITERAL, name) ? findCheckName(operand, name) : undefined
  if (asCheck !== undefined)
    return {
      ...refuse(
        `\`${asCheck}\` would be a field, not a check: \`${name}\` of \`${field}\` compares what is below it as it is written.`,
        LITERAL[name],
      ),
      severity: 'doubt',
    }
  const isOne = name === 'exists' || name === 'optional'
  if (isOne && path.some((step) => typeof step === 'object'))
    return refuse(
      `\`${name}\` of \`${field}\` needs a single value, but this path matches many.`,
      name === 'exists' && typeof path.at(-1) === 'object'
        ? 'Write `minLength: 1` if something must match, `length: 0` if nothing may.'
        : 'Write it below `each`, `some` or `none` of the list.',
    )
  const isTimed = target === 'events' || target === 'messages'
  // Inside `not` and the like, the path of a field starts anew.
  const isThere = path.length === 0 && (field === target || field.endsWith('[*]'))
  if (isOne && isThere && (name === 'optional' || isTimed || target === 'redirects'))
    return refuse(
      `\`${name}\` only makes sense for a field: \`${field}\` is always there.`,
      name === 'exists'
        ? 'Write `notEmpty: true` or `length: 0`.'
        : 'Write it beside other checks of a field.',
    )
  if (name === 'snapshot' && kind === 'burst')
    return refuse(
      `\`snapshot\` of \`${field}\` needs a single response, but a burst has many.`,
      'Take the snapshot in a separate step.',
    )
  // No operand equals a whole event, because of its unpredictable `at_ms`.
  const isWhole = isTimed && field.replaceAll(/\[(?!")[^\]]*\]/g, '') === target
  if (isWhole && !isFilled && !isEqual(operand, []) && /equals$|^(?:not_)?in$/.test(name))
    return refuse(
      `\`${name}\` of \`${field}\` would compare whole ${target}, and each of them has an unpredictable \`at_ms\`.`,
      `Check \`length\`, or the \`data\` of one or all: \`${target}[0].data\`, \`${target}[*].data\`.`,
    )
  return undefined
}

/** Operators that compare their operand as it is written, and what to write for checks. */
const LITERAL: Readonly<Record<string, string>> = {
  equals: 'Write the checks without `equals`; those of an element as `[0]: …` below the list.',
  not_equals: 'Write `not` instead.',
  in: 'Write `any_of` instead.',
  not_in: 'Write `not: { any_of: … }` instead.',
  same_items: 'Write a `some` for each element, and `length`.',
  contains: 'Write `some` instead: an element of the list passes these checks.',
  not_contains: 'Write `none` instead: no element of the list passes these checks.',
}

/**
 * The name of a check in an operand that is compared as it is written. A negative check with one passes whatever
 * comes, so names count there that may well be fields elsewhere, such as `type`; but not as fields of an element.
 */
function findCheckName(value: Json, check: string, isInside = check !== 'not_contains'): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const entries = Object.entries(value)
  const isCheck = ([name, operand]: [string, Json]): boolean => {
    if (!check.startsWith('not_') || !isInside) return name.includes('_') && name in operators
    const known = operators[name]
    return known ? !known.explainBadOperand?.(operand) : Object.hasOwn(otherNames, plainName(name))
  }
  if (!Array.isArray(value) && entries.length > 0 && entries.every(isCheck)) return entries[0]?.[0]
  return entries
    .map(([, part]) => findCheckName(part, check, isInside || !Array.isArray(value)))
    .find((name) => name !== undefined)
}

// Targets whose values are texts, without fields.
const TEXTS: ReadonlySet<CheckTarget> = new Set(listTargets('headers', 'cookies', 'selectors'))

/** The problem of a template in the name of a field, where templates are not filled in. */
export function refuseTemplate(name: string): ProblemText {
  return {
    code: 'bad-path',
    message: `\`{{…}}\` is not filled in inside field names: \`${name}\`.`,
    hint: 'Write the name itself, or use a `custom` check, where an index or name can be a variable: `body.items[i].id === 7`.',
  }
}

function findTemplateKey(value: Json): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.keys(value).find(hasTemplate) ?? Object.values(value).map(findTemplateKey).find(Boolean)
}
