import { isDeepStrictEqual } from 'node:util'
import type { PlacedMessage } from '../../../src/errors.ts'
import { escapeControl, escapeControlInLines, escapeControlInValue } from '../../../src/escape-control.ts'
import { toText, type Json, type JsonObject } from '../../../src/json.ts'
import { tellApart } from '../../../src/report/show-content.ts'
import { rerunCommand } from '../../../src/report/rerun-command.ts'
import { showCommand, showExchange } from '../../../src/report/show-exchange.ts'
import type { StepFailure, StepOutcome } from '../../../src/run/step-outcome.ts'
import type { Redactor } from '../../../src/secrets/redactor.ts'
import type { StepPlan, SuitePlan } from '../../../src/suite/plan/plan.ts'
import { previewValue } from '../../../src/text/show-value.ts'
import type { WorkerOptions } from '../../contract/worker-options.ts'
import { isSkipped } from './step-records.ts'
import { showFunctions, type LiftedFunction } from '../typed/functions/lift-functions.ts'

/** A failure as it is shown: redacted, with control characters escaped. */
export type ShownFailure = Pick<StepFailure, 'message' | 'at'> & {
  diff?: { expected: unknown; actual: unknown }
  /** The request and answer. Set on the first failure of a step. */
  exchange?: string | undefined
  /** A command that sends the request again. Set on the last failure of a step, and on the first of a call. */
  command?: string | undefined
}

/** What a test reports about its step. */
export type StepReport = ReturnType<typeof showStep>

/** The suite of a step, and how its output is shown. */
type Showing = {
  plan: SuitePlan
  redactor: Redactor
  options: Pick<WorkerOptions, 'verbose'>
  functions?: readonly LiftedFunction[] | undefined
  /** Addresses of what was started for the suite. */
  given: JsonObject
  countLeftOut: (step: StepPlan) => number
}

/** What the test of a step reports about its outcomes. */
export function showStep(showing: Showing, step: StepPlan, outcomes: readonly StepOutcome[]) {
  const failures = outcomes.flatMap((outcome) => {
    const shown = outcome.failures.map((failure) => showFailure(showing, failure))
    if (shown.length > 0 && outcome.exchange) addExchange(showing, step, { shown, outcome })
    return shown
  })
  const reason = outcomes.every(isSkipped) ? outcomes.at(-1)?.result.skip_reason : undefined
  return {
    failures,
    /** Why the step was skipped. */
    skipped: reason && escapeControl(showText(showing, reason)),
  }
}

/** Requests and answers of a step whose author asked for them, otherwise nothing. */
export function showDebugged(
  { plan, redactor }: Pick<Showing, 'plan' | 'redactor'>,
  step: StepPlan,
  outcomes: readonly StepOutcome[],
): string[] {
  if (!step.debug && process.env['SUITECASE_DEBUG'] !== plan.nodeId) return []
  return outcomes.flatMap((each) => showExchange(each, redactor, { isWhole: true }) ?? [])
}

/** Returns a text without secrets, with the functions of a suite in TypeScript as they are written. */
export function showText(
  { redactor, functions }: Pick<Showing, 'redactor' | 'functions'>,
  text: string,
): string {
  return redactor.redactText(showFunctions(text, functions))
}

function showFailure(showing: Showing, { message, at, diff }: StepFailure): ShownFailure {
  const { redactor } = showing
  const text = escapeControlInLines(showText(showing, message))
  const show = (value: Json | undefined): unknown => {
    if (value === undefined) return undefined
    const redacted = redactor.redactJson(value)
    // A multi-line text, such as a snapshot, is compared line by line.
    return typeof redacted === 'string' ? escapeControlInLines(redacted) : escapeControlInValue(redacted)
  }
  const shown = diff && { expected: show(diff.expected), actual: show(diff.actual) }
  // A diff of values that look the same would say that they are.
  const isTold = !shown || isDeepStrictEqual(shown.expected, shown.actual)
  return { message: tellApart(text), at, ...(!isTold && { diff: shown }) }
}

/** Says in the failures of a step in which of its iterations they occurred. */
export function nameIterations(outcomes: readonly StepOutcome[], redactor: Redactor): void {
  for (const { result, failures } of outcomes) {
    if (failures.length === 0) continue
    const { index, ...values } = redactor.redactJson(result.iteration ?? {})
    const shown = Object.entries(values).map(([name, value]) => `${name} = ${previewValue(value)}`)
    const which = escapeControl(`Iteration ${Number(index) + 1} (${shown.join(', ')})`)
    for (const failure of failures) failure.message = `${which}: ${failure.message}`
  }
}

/** Adds the request and answer to the first failure, and how to send it again to the last one about it. */
function addExchange(
  { plan, redactor, options, given, countLeftOut }: Showing,
  step: StepPlan,
  { shown, outcome }: { shown: ShownFailure[]; outcome: StepOutcome },
): void {
  const first = shown[0] as ShownFailure
  // Of a call, only the request of the first failure is known.
  const last = step.call ? first : (shown.at(-1) as ShownFailure)
  const { url = '' } = outcome.exchange?.request ?? {}
  const isGone = Object.values(given).some((started) => readOrigin(started) === readOrigin(url))
  const exchange = showExchange(outcome, redactor, { hasBody: isGone, isLong: options.verbose })
  // The failure already says that no answer came.
  const told = exchange?.replace(/ → no answer$/, ' failed')
  if (told === undefined || !shown.some(({ message }) => message.startsWith(told))) first.exchange = exchange
  // Curl cannot hold a WebSocket dialogue, and cannot reach what ends with the run.
  const isCurl = !isGone && !url.startsWith('ws')
  const command = isCurl ? showCommand(outcome, redactor) : rerunCommand(plan.file, step.at[0])
  const leftOut = countLeftOut(step)
  const hint = leftOut > 0 ? describeLeftOut(leftOut) : undefined
  last.command = [command, hint].filter((part) => part !== undefined).join('\n  ') || undefined
}

/** The origin of an address, also of that of a WebSocket. */
function readOrigin(address: Json): string | undefined {
  return URL.parse(toText(address).replace(/^ws/, 'http'))?.origin
}

/** A hint at a possible cause of a failure if a filter chose the steps. */
function describeLeftOut(count: number): string {
  return `Steps that were left out before it: ${count}. If it depends on one, \`prerequisites: 'all'\` runs them.`
}

/** Reports the failures of a step that ran without being a test of this run, as one problem, so that they do not go unnoticed. */
export function describeUnreported(
  { file }: SuitePlan,
  { name, at: [line], phase }: StepPlan,
  { outcomes, leftOut, redactor }: { outcomes: readonly StepOutcome[]; leftOut: number; redactor: Redactor },
): PlacedMessage[] {
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
