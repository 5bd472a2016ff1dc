import { escapeControl, escapeControlInLines, escapeControlInValue } from '../../../src/escape-control.ts'
import type { Json, JsonObject } from '../../../src/json.ts'
import { rerunCommand } from '../../../src/report/rerun-command.ts'
import { showCommand, showExchange } from '../../../src/report/show-exchange.ts'
import type { StepFailure, StepOutcome } from '../../../src/run/step-outcome.ts'
import type { Redactor } from '../../../src/secrets/redactor.ts'
import type { StepPlan, SuitePlan } from '../../../src/suite/plan/plan.ts'
import { previewValue } from '../../../src/text/show-value.ts'
import type { WorkerOptions } from '../../contract/worker-options.ts'
import { showFunctions, type LiftedFunction } from '../typed/functions/lift-functions.ts'
import type { SuiteProblem } from './export-types.ts'

/** A failure as it is shown: redacted, control characters escaped. */
export type ShownFailure = Pick<StepFailure, 'message' | 'at'> & {
  diff?: { expected: unknown; actual: unknown }
  /** What was sent and answered: of the first failure of a step. */
  exchange?: string | undefined
  /** What sends the request once more: of the last failure of a step. */
  command?: string | undefined
}

/** What a test tells of its step. */
export type StepReport = {
  failures: ShownFailure[]
  /** Why the step was skipped. */
  skipped: string | undefined
  /** Request and answer, where the author asked to see them; else empty. */
  debug: string
}

/** The suite of a step, and how what it says is shown. */
type Showing = {
  plan: SuitePlan
  redactor: Redactor
  options: Pick<WorkerOptions, 'verbose'>
  functions?: readonly LiftedFunction[] | undefined
  /** Addresses of what was started for the suite. */
  given: JsonObject
  countLeftOut: (step: StepPlan) => number
}

/** Two values of which redaction leaves the same. */
const alike = /to equal (.*\[redacted\].*), got \1$/m

/** What the test of a step tells of its outcomes. */
export function showStep(showing: Showing, step: StepPlan, outcomes: readonly StepOutcome[]): StepReport {
  const { plan, redactor } = showing
  const failures = outcomes.flatMap((outcome) => {
    const shown = outcome.failures.map((failure) => showFailure(showing, failure))
    if (shown.length > 0 && outcomes.length > 1) nameIteration(shown, outcome, redactor)
    if (shown.length > 0 && outcome.exchange) addExchange(showing, step, { shown, outcome })
    return shown
  })
  const isSkipped = outcomes.length > 0 && outcomes.every(({ result }) => result.status === 'skipped')
  const reason = isSkipped ? (outcomes.at(-1)?.result.skip_reason ?? '') : undefined
  const isDebugged = step.debug || process.env['SUITECASE_DEBUG'] === plan.nodeId
  const exchanges = isDebugged ? outcomes.map((each) => showExchange(each, redactor, { isWhole: true })) : []
  return {
    failures,
    skipped: reason && escapeControl(showText(showing, reason)),
    debug: exchanges.filter((text) => text !== undefined).join('\n\n'),
  }
}

/** A text with the functions of a suite in TypeScript as they are written, and without secrets. */
export function showText(
  { redactor, functions }: Pick<Showing, 'redactor' | 'functions'>,
  text: string,
): string {
  return redactor.redactText(showFunctions(text, functions))
}

function showFailure(showing: Showing, { message, at, diff }: StepFailure): ShownFailure {
  const { redactor } = showing
  const text = escapeControlInLines(showText(showing, message))
  const show = (value: Json | undefined): unknown =>
    value === undefined ? undefined : escapeDiffed(redactor.redactJson(value))
  return {
    message: text.replace(alike, '$&, and the two differ'),
    at,
    ...(diff && { diff: { expected: show(diff.expected), actual: show(diff.actual) } }),
  }
}

function nameIteration(failures: ShownFailure[], { result }: StepOutcome, redactor: Redactor): void {
  if (!result.iteration) return
  const { index, ...values } = redactor.redactJson(result.iteration)
  const shown = Object.entries(values).map(([name, value]) => `${name} = ${previewValue(value)}`)
  const which = escapeControl(`Iteration ${Number(index) + 1} (${shown.join(', ')})`)
  for (const failure of failures) failure.message = `${which}: ${failure.message}`
}

/** The first failure tells what was sent and answered, the last one how to send it again. */
function addExchange(
  { plan, redactor, options, given, countLeftOut }: Showing,
  step: StepPlan,
  { shown, outcome }: { shown: ShownFailure[]; outcome: StepOutcome },
): void {
  const [first, last] = [shown[0], shown.at(-1)] as [ShownFailure, ShownFailure]
  const isGone = Object.values(given).some((url) => hasOrigin(outcome.exchange?.request.url, url))
  const exchange = showExchange(outcome, redactor, { hasBody: isGone, isLong: options.verbose })
  // That no answer came is told by the failure.
  const told = exchange?.replace(/ → no answer$/, ' failed')
  if (told === undefined || !shown.some(({ message }) => message.startsWith(told))) first.exchange = exchange
  // Curl cannot hold a dialogue, and what the run started is gone with it.
  const isCurl = !isGone && !step.websocket
  const command = isCurl ? showCommand(outcome, redactor) : rerunCommand(plan.file, step.at[0])
  const leftOut = countLeftOut(step)
  const hint = leftOut > 0 ? describeLeftOut(leftOut) : undefined
  last.command = [command, hint].filter((part) => part !== undefined).join('\n  ') || undefined
}

/** True for a request to what was started for the suite, which is gone when the run has ended. */
function hasOrigin(url: string | undefined, started: Json): boolean {
  return (
    url !== undefined &&
    typeof started === 'string' &&
    URL.parse(url.replace(/^ws/, 'http'))?.origin === URL.parse(started)?.origin
  )
}

/** A text of several lines, such as a snapshot, is compared line by line. */
function escapeDiffed(value: Json): Json {
  return typeof value === 'string' ? escapeControlInLines(value) : escapeControlInValue(value)
}

/** What may be the cause of a failure where a filter chose the steps. */
function describeLeftOut(count: number): string {
  return `Steps that were left out before it: ${count}. If it depends on one, \`prerequisites: 'all'\` runs them.`
}

/** Failures of a step that ran without being a test of this run, told as one: they must not go unnoticed. */
export function describeUnreported(
  { file }: SuitePlan,
  { name, at: [line], phase }: StepPlan,
  { outcomes, leftOut, redactor }: { outcomes: readonly StepOutcome[]; leftOut: number; redactor: Redactor },
): SuiteProblem[] {
  const [which, why] =
    phase === 'teardown'
      ? ['The teardown step', 'which ran after the others']
      : ['The step', 'which ran because another needs it']
  return outcomes.flatMap((outcome) => {
    const [first, ...others] = outcome.failures
    if (!first) return []
    const exchange = showExchange(outcome, redactor)
    const message = [
      `${which} “${name}” (line ${line}), ${why}, failed: ${first.message}`,
      ...others.map(({ message, at }) => `  ${at.join(':')}: ${message}`),
      '',
      ...(exchange === undefined ? [] : [exchange, '']),
      `  ${rerunCommand(file, line)}`,
      ...(leftOut > 0 ? [`  ${describeLeftOut(leftOut)}`] : []),
    ].join('\n')
    return [{ message, at: first.at }]
  })
}
