import type { Json } from '../../json.ts'
import { showValue } from '../../text/show-value.ts'
import { blameCheck, fail, passList, passWith } from './operator.ts'
import type { FailedVerdict, Judgement, Operator, Verdict } from './operator.ts'

const MAX_SHOWN = 10
const CLOCK_EVERY = 256

const not: Operator = {
  about: 'Checks that do not all pass: `not: {contains: error}`.',
  ...nestedOperator('value'),
  judge(actual, _operand, judgement) {
    const { failures, passed, warning } = summarise(tryChecks(actual, judgement))
    const unjudged = failures.find((failure) => failure.unjudged)
    if (unjudged) return unjudged
    return passed
      ? fail(`Expected \`${judgement.field}\` not to pass these checks, but it does: ${showValue(actual)}`)
      : passWith(warning)
  },
}

const allOf: Operator = {
  about: 'A list of checks that must all pass: `all_of: [{minLength: 3}, {pattern: ^a}]`.',
  ...nestedOperator('list'),
  judge(actual, _operand, judgement) {
    const trial = summarise(tryChecks(actual, judgement))
    const [first, second] = trial.failures
    if (first === undefined) return passWith(trial.warning)
    const isBroken = trial.failures.some(({ unjudged }) => unjudged)
    const head = `Expected \`${judgement.field}\` to pass all checks:`
    return second ? explain(head, [trial], isBroken) : first
  },
}

const anyOf: Operator = {
  about: 'A list of checks, at least one of which must pass: `any_of: [open, {starts_with: re}]`.',
  ...nestedOperator('list'),
  judge(actual, _operand, judgement) {
    const verdicts = tryChecks(actual, judgement)
    const trial = summarise(verdicts)
    const broken = trial.failures.find(({ unjudged }) => unjudged === 'operand')
    if (broken) return broken
    const passes = verdicts.filter((verdict) => verdict.passed)
    if (passes.length > 0) return passWith(readDoubt(passes))
    const head = `Expected \`${judgement.field}\` to pass one of ${verdicts.length} checks, none does:`
    return explain(head, [trial], trial.unjudged)
  },
}

/** Operators with checks as their operand. */
export const nestedOperators = {
  each: onElements(
    'every',
    'Checks that every element of the list must pass: `each: {id: {type: integer}}`.',
  ),
  some: onElements('some', 'Checks that at least one element of the list must pass: `some: {role: admin}`.'),
  none: onElements('no', 'Checks that no element of the list may pass: `none: {status: failed}`.'),
  not,
  any_of: anyOf,
  all_of: allOf,
} satisfies Record<string, Operator>

function nestedOperator(nested: 'elements' | 'value' | 'list') {
  return {
    operand: nested === 'list' ? 'checksList' : 'checks',
    nested,
    resolve: (operand) => operand,
  } satisfies Partial<Operator>
}

/** An operator that runs its checks on the elements; `word` says how many of them have to pass. */
function onElements(word: 'every' | 'some' | 'no', about: string): Operator {
  return {
    about,
    ...nestedOperator('elements'),
    takes: ['array'],
    judge(actual, _operand, judgement) {
      const trials = tryElements(actual as Json[], judgement)
      if (!Array.isArray(trials)) return trials
      const passing = trials.filter(({ passed }) => passed)
      const isUnjudged = trials.every(({ unjudged }) => unjudged)
      const { field } = judgement
      // An element without the field does not pass; but if no element has it, its name is probably wrong.
      if (word === 'no' && trials.length > 0 && isUnjudged)
        return explain(`The \`none\` check of \`${field}\` could not be made on any element:`, trials, true)
      const count = trials.length
      if (word === 'some' && passing.length > 0) return passWith(readDoubt(passing))
      if (word !== 'some' && passing.length === (word === 'every' ? count : 0)) {
        const warning = trials.find((trial) => trial.warning !== undefined)?.warning
        return warning === undefined ? passList(trials, judgement) : passWith(warning)
      }
      const head = `Expected ${word} element of \`${field}\` to pass`
      if (count === 0) return fail(`${head}, but the list is empty`)
      if (word === 'every')
        return explain(`${head}; ${count - passing.length} of ${count} did not:`, trials, isUnjudged)
      if (word === 'some') return explain(`${head}; none of ${count} did:`, trials, isUnjudged)
      const shown = passing.slice(0, MAX_SHOWN).map((trial) => `[${trials.indexOf(trial)}]`)
      const more = passing.length > MAX_SHOWN ? ' …' : ''
      return fail(`${head}; ${passing.length} of ${count} did: ${shown.join(', ')}${more}`)
    },
  }
}

/** The results of the nested checks on one value. `unjudged`: all that failed could not be judged. */
type Trial = {
  passed: boolean
  unjudged: boolean
  failures: FailedVerdict[]
  warning: string | undefined
}

/** The warning of several verdicts of which one is enough; undefined if one of them has none. */
function readDoubt(verdicts: readonly { warning?: string | undefined }[]): string | undefined {
  return verdicts.every(({ warning }) => warning !== undefined) ? verdicts[0]?.warning : undefined
}

function tryChecks(value: Json, { check, field, judgeNested }: Judgement, place = field): Verdict[] {
  return (check.checks ?? []).map((nested) => judgeNested(nested, value, place))
}

function summarise(verdicts: readonly Verdict[]): Trial {
  const failures = verdicts.filter((verdict) => !verdict.passed)
  return {
    passed: failures.length === 0,
    unjudged: failures.length > 0 && failures.every(({ unjudged }) => unjudged),
    failures,
    // A failure without one is a reason of its own.
    warning: failures.length > 0 ? readDoubt(failures) : verdicts.find(({ warning }) => warning)?.warning,
  }
}

/** Runs the checks on every element. A single failure if it takes too long or an operand is unusable. */
function tryElements(elements: Json[], judgement: Judgement): Trial[] | FailedVerdict {
  const { field, tools } = judgement
  const limit = tools.limits.each
  const deadline = performance.now() + limit
  const trials: Trial[] = []
  let failed = 0
  for (const [index, element] of elements.entries()) {
    if (index % CLOCK_EVERY === 0 && performance.now() > deadline) {
      const words = `took longer than ${limit} ms (option \`limits.each\`): only ${index} elements were checked. Check fewer elements, use cheaper checks, or raise the option`
      return blameCheck('operand', judgement, words)
    }
    const trial = summarise(tryChecks(element, judgement, `${field}[${index}]`))
    const broken = trial.failures.find(({ unjudged }) => unjudged === 'operand')
    if (broken) return broken
    if (!trial.passed) failed += 1
    // A list may have a million elements: only the first failures are kept.
    if (failed > MAX_SHOWN + 1) trial.failures = []
    trials.push(trial)
  }
  return trials
}

function explain(head: string, trials: readonly Trial[], isUnjudged: boolean): FailedVerdict {
  const failures = trials.flatMap((trial) => trial.failures)
  const lines = failures.slice(0, MAX_SHOWN).map(({ message }) => `  ${message.replaceAll('\n', '\n  ')}`)
  if (failures.length > MAX_SHOWN) lines.push('  …')
  const unjudged = isUnjudged ? failures.find((failure) => failure.unjudged)?.unjudged : undefined
  return { passed: false, message: `${head}\n${lines.join('\n')}`, at: failures[0]?.at, unjudged }
}
