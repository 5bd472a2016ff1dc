import { hasTemplate } from '../../interpolation/template.ts'
import type { Json } from '../../json.ts'
import type { NodePath, ParsePlace, ProblemText } from '../../errors.ts'
import type { Check } from '../check.ts'
import { listTargets, type CheckTarget } from '../targets.ts'
import type { ExchangeKind } from '../../path/exchange-fields.ts'
import type { PathStep } from '../../path/field-path.ts'
import type { Operator } from '../operators/operator.ts'
import { showValue } from '../../text/show-value.ts'
import type { Vocabulary } from './vocabularies.ts'

/** What parsing one assertion tree gathers. */
export type ParseState = ParsePlace & {
  checks: Check[]
  /** Where each check is written. */
  places: Map<Check, NodePath>
  /** What the step sends, if that decides on what its answer has. */
  kind: ExchangeKind | undefined
  /** What an answer has, but cannot be asked of here. */
  refused?: readonly CheckTarget[]
}

/** The value that the checks of a node are about. */
export type Subject = {
  target: CheckTarget
  path: readonly PathStep[]
  /** As reported. */
  field: string
  /** What it can be asked. */
  words: Vocabulary
}

/** A check to be made of a subject; a `bare` value stands for its operator too. */
type Asked = {
  name: string
  operator: Operator
  operand: Json
  at: NodePath
  isBare?: true
  checks?: Check[]
}

/** Adds a check when it can be made; an operand with `{{…}}` is judged at run time. */
export function addCheck(state: ParseState, subject: Subject, asked: Asked): void {
  const { at, name, operand, checks } = asked
  const problem = explainBadCheck(state, subject, asked)
  if (problem) return state.report(at, problem)
  const mayBeEmpty = operand === null || (Array.isArray(operand) && asked.isBare)
  const empty = mayBeEmpty ? state.findEmpty(at) : undefined
  // To compare with null nobody leaves the value out.
  if (empty !== undefined)
    return state.report([...at, ...empty.below], {
      code: 'bad-check',
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
    ...(words.isCount?.(name) && hasTemplateInside(operand) && { isCount: true }),
    at: state.locate(at),
  }
  state.checks.push(check)
  state.places.set(check, at)
}

function explainBadCheck(
  { kind }: ParseState,
  { target, path, field, words }: Subject,
  { name, operator, operand, isBare }: Asked,
): ProblemText | undefined {
  const refuse = (message: string, hint?: string): ProblemText => ({
    code: name === 'pattern' || name === 'regex' ? 'bad-pattern' : 'bad-check',
    message,
    ...(hint && { hint }),
  })
  const isFilled = isBare
    ? [operand].flat().some(hasTemplate)
    : name !== 'schema' && hasTemplateInside(operand)
  const wanted = isFilled ? undefined : (words.refuse?.(operand, name) ?? operator.explainBadOperand(operand))
  if (wanted !== undefined && isBare)
    return refuse(
      `Expected \`${field}\` to be ${wanted}, got ${showValue(operand)}.`,
      typeof operand === 'string' && /^[1-9]\d*$/.test(operand)
        ? `Write ${operand} without quotes.`
        : undefined,
    )
  if (wanted !== undefined)
    return refuse(
      `Expected the \`${name}\` check of \`${field}\` to have ${wanted}, got ${showValue(operand)}.`,
      name === 'type' && !TEXTS.has(target)
        ? `If \`type\` is a field of it, write \`field: {type: ${typeof operand === 'string' ? operand : '…'}}\`.`
        : undefined,
    )
  const key = operator.nested || name === 'schema' ? undefined : findTemplateKey(operand)
  if (key !== undefined) return refuseTemplate(key)
  const isOne = name === 'exists' || name === 'optional'
  if (isOne && path.some((step) => typeof step === 'object'))
    return refuse(
      `\`${name}\` of \`${field}\` would be about one value, but this path leads to many.`,
      'Write it below `each`, `some` or `none` of the list.',
    )
  if (name === 'snapshot' && kind === 'burst')
    return refuse(
      `\`snapshot\` of \`${field}\` would be about one answer, but a burst has many.`,
      'Take the snapshot in a step of its own.',
    )
  const isTimed = target === 'events' || target === 'messages'
  // To differ from a whole event is easy.
  if (isTimed && name.endsWith('equals') && path.every((step) => typeof step !== 'string') && isFull(operand))
    return refuse(
      `\`${name}\` of \`${field}\` would compare whole ${target}, and each has an \`at_ms\` that nobody knows before.`,
      `Compare what is known: \`${target}[*].data: [ … ]\` of all, \`${target}[0].data\` of one.`,
    )
  return undefined
}

// They are texts, without fields.
const TEXTS: ReadonlySet<CheckTarget> = new Set(listTargets('headers', 'cookies', 'selectors'))

function isFull(operand: Json): boolean {
  return typeof operand === 'object' && operand !== null && Object.keys(operand).length > 0
}

/** The name of a field with a template, which is not filled in. */
export function refuseTemplate(name: string): ProblemText {
  return {
    code: 'bad-path',
    message: `\`{{…}}\` is not filled in in the name of a field: \`${name}\`.`,
    hint: 'Write the name itself; values may have templates.',
  }
}

function hasTemplateInside(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return hasTemplate(value)
  return Object.values(value).some(hasTemplateInside)
}

function findTemplateKey(value: Json): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.keys(value).find(hasTemplate) ?? Object.values(value).map(findTemplateKey).find(Boolean)
}
