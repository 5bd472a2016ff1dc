import { hasTemplate } from '../../interpolation/template.ts'
import type { Json } from '../../json.ts'
import type { NodePath, ParsePlace } from '../../errors.ts'
import type { Check, CheckTarget } from '../check.ts'
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

// They are texts, without fields.
const FLAT: ReadonlySet<CheckTarget> = new Set(['headers', 'cookies', 'xpath', 'css'])

const TIMED: ReadonlySet<CheckTarget> = new Set(['events', 'messages'])

/** Adds a check when its operand can be used; an operand that is one text with `{{…}}` is judged at run time. */
export function addCheck(
  state: ParseState,
  subject: Subject,
  check: { name: string; operator: Operator; operand: Json; at: NodePath; checks?: Check[] },
): void {
  const { name, operator, operand, at } = check
  const wanted = isTemplate(operand, name) ? undefined : operator.explainBadOperand(operand)
  if (wanted !== undefined) {
    const code = name === 'pattern' || name === 'regex' ? 'bad-pattern' : 'bad-check'
    const message = `Expected the \`${name}\` check of \`${subject.field}\` to have ${wanted}, got ${showValue(operand)}.`
    const hint = hintField(name, operand, subject)
    return state.report(at, { code, message, ...(hint && { hint }) })
  }
  const key = operator.nested || name === 'schema' ? undefined : findTemplateKey(operand)
  if (key !== undefined) return reportTemplate(state, at, key)
  const mayBeEmpty = operand === null || (Array.isArray(operand) && at.at(-1) !== name)
  const empty = mayBeEmpty ? state.findEmpty(at) : undefined
  // To compare with null nobody leaves the value out.
  if (empty !== undefined)
    return state.report([...at, ...empty.below], {
      code: 'bad-check',
      message: `\`${empty.name}\` has no check.`,
      hint: 'Write the value it must have, or `null` to compare with null.',
    })
  if ((name === 'exists' || name === 'optional') && subject.path.some((step) => typeof step === 'object'))
    return state.report(at, {
      code: 'bad-check',
      message: `\`${name}\` of \`${subject.field}\` would be about one value, but this path leads to many.`,
      hint: 'Write it below `each`, `some` or `none` of the list.',
    })
  if (name === 'snapshot' && state.kind === 'burst')
    return state.report(at, {
      code: 'bad-check',
      message: `\`snapshot\` of \`${subject.field}\` would be about one answer, but a burst has many.`,
      hint: 'Take the snapshot in a step of its own.',
    })
  const { target, field } = subject
  if ((name === 'equals' || name === 'not_equals') && isWholeEvent(subject, operand))
    return state.report(at, {
      code: 'bad-check',
      message: `\`${name}\` of \`${field}\` would compare whole ${target}, and each has an \`at_ms\` that nobody knows before.`,
      hint: `Compare what is known: \`${target}[*].data: [ … ]\` of all, \`${target}[0].data\` of one.`,
    })
  const parsed: Check = {
    target: subject.target,
    field: subject.field,
    path: subject.path,
    operator: name,
    expected: operand,
    ...(check.checks && { checks: check.checks }),
    at: state.locate(at),
  }
  state.checks.push(parsed)
  state.places.set(parsed, at)
}

/** Reports the name of a field with a template, which is not filled in. */
export function reportTemplate(state: ParseState, at: NodePath, name: string): void {
  state.report(at, {
    code: 'bad-path',
    message: `\`{{…}}\` is not filled in in the name of a field: \`${name}\`.`,
    hint: 'Write the name itself; values may have templates.',
  })
}

// Level by level: an operand may nest deeper than functions can.
function findTemplateKey(operand: Json): string | undefined {
  let layer: Json[] = [operand]
  while (layer.length > 0) {
    const parts = layer.filter((part) => typeof part === 'object' && part !== null)
    const key = parts.flatMap((part) => Object.keys(part)).find(hasTemplate)
    if (key !== undefined) return key
    layer = parts.flatMap((part) => Object.values(part))
  }
  return undefined
}

/** One event or message, or a list of them: to differ from that is easy. */
function isWholeEvent({ target, path }: Subject, operand: Json): boolean {
  const isWhole = TIMED.has(target) && path.every((step) => typeof step !== 'string')
  return isWhole && typeof operand === 'object' && operand !== null && Object.keys(operand).length > 0
}

function isTemplate(operand: Json, name: string): boolean {
  return hasTemplate(operand) && name !== 'schema'
}

/** Answers have many fields called `type`. */
function hintField(name: string, operand: Json, { target }: Subject): string | undefined {
  if (name !== 'type' || FLAT.has(target)) return undefined
  return `If \`type\` is a field of it, write \`field: {type: ${typeof operand === 'string' ? operand : '…'}}\`.`
}
