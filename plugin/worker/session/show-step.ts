import { isDeepStrictEqual } from 'node:util'
import type { PlacedMessage } from '../../../src/errors.ts'
import { escapeControl, escapeControlInLines, escapeControlInValue } from '../../../src/escape-control.ts'
import { stringifyJson, toText, type Json, type JsonObject } from '../../../src/json.ts'
import { tellApart } from '../../../src/report/show-content.ts'
import { rerunCommand } from '../../../src/report/rerun-command.ts'
import { cutLines, showCommand, showExchange } from '../../../src/report/show-exchange.ts'
import type { StepFailure, StepOutcome } from '../../../src/run/step-outcome.ts'
import type { Redactor } from '../../../src/secrets/redactor.ts'
import type { StepPlan, SuitePlan } from '../../../src/suite/plan/plan.ts'
import { previewValue } from '../../../src/text/show-value.ts'
import type { WorkerOptions } from '../../contract/worker-options.ts'
import { isSkipped } from './step-records.ts'
import { placeError, toError, type DiffConfig, type TaskError } from './task-errors.ts'
import { showFunctions } from '../typed/functions/lift-functions.ts'

const mostDiff = 400

const PARTIAL =
  'Steps before this one were left out. If it needs them, write `prerequisites: all` in the suite.'

/** What a test reports about its step. `retries` is the number of attempts before the one that passed, if the step is flaky. */
export type StepReport = { errors: TaskError[]; skipped: string | undefined; retries: number }

/** The suite of a step, and how its output is shown. */
type Showing = {
  plan: SuitePlan
  /** The suite's name, with the row. */
  name: string
  path: string
  redactor: Redactor
  options: Pick<WorkerOptions, 'verbose'>
  config: DiffConfig
  /** Addresses of what was started for the suite. */
  given: JsonObject
  /** True if steps before it were left out. Asked only of a failed step. */
  isPartial: () => boolean
}

/** What the test of a step reports about its outcomes: an error for each failure, or why it was skipped. */
export function showStep(showing: Showing, step: StepPlan, outcomes: readonly StepOutcome[]): StepReport {
  const reason = outcomes.every(isSkipped) ? outcomes.at(-1)?.result.skip_reason : undefined
  const errors = outcomes.flatMap((outcome) => describeFailures(showing, step, outcome))
  let retries = 0
  for (const { result } of outcomes)
    if (result.flaky) retries += Math.max((result.attempts?.length ?? 0) - 1, 1)
  return { errors, skipped: reason && escapeControl(showText(showing.redactor, reason)), retries }
}

/** Requests and responses of a step whose author asked for them, otherwise nothing. */
export function showDebugged(
  { plan, redactor }: Pick<Showing, 'plan' | 'redactor'>,
  step: StepPlan,
  outcomes: readonly StepOutcome[],
): string[] {
  if (!step.debug && process.env['SUITECASE_DEBUG'] !== plan.nodeId) return []
  return outcomes.flatMap((each) => showExchange(each, redactor, { isWhole: true }) ?? [])
}

/** Returns a text without secrets, with the functions of a suite in TypeScript as they are written. */
export function showText(redactor: Redactor, text: string): string {
  return redactor.redactText(showFunctions(text))
}

/** Turns a step's failures into errors. The first also has the exchange, the last how to send it again. */
function describeFailures(showing: Showing, step: StepPlan, outcome: StepOutcome): TaskError[] {
  const { failures } = outcome
  const told = failures.length > 0 && outcome.exchange ? describeExchange(showing, step, outcome) : undefined
  // The failure may already say that no response came, without the query, whose secrets are only hidden here.
  const line = told?.exchange?.replace(/ → no response$/, ' failed')
  const start = line?.replace(/\?.+(?= failed$)/, '?…')
  const messages = failures.map(({ message }) => {
    const shown = tellApart(escapeControlInLines(showText(showing.redactor, message)))
    return start !== undefined && shown.startsWith(start) ? `${line}${shown.slice(start.length)}` : shown
  })
  const isTold = line !== undefined && messages.some((message) => message.startsWith(line))
  // Of a step with `call`, only the request of the first failure is known.
  const last = step.call ? 0 : failures.length - 1
  return failures.map((failure, index) =>
    createError(showing, failure, {
      message: messages[index] as string,
      exchange: index === 0 && !isTold ? told?.exchange : undefined,
      // Vitest prints equal errors once, below the names of their tests. A command would make them differ.
      command: index === last && failure.common === undefined ? told?.command : undefined,
    }),
  )
}

/** Turns a failure into Vitest's own assertion error, with its diff. The stack is only the line in the suite file. */
function createError(
  showing: Showing,
  { diff, at, common }: StepFailure,
  { message, exchange, command }: Record<'exchange' | 'command', string | undefined> & { message: string },
): TaskError {
  const { redactor, config, path } = showing
  const show = (value: Json | undefined): unknown => {
    if (value === undefined) return undefined
    const redacted = redactor.redactJson(value)
    // A multi-line text, such as a snapshot, is compared line by line.
    return typeof redacted === 'string' ? escapeControlInLines(redacted) : escapeControlInValue(redacted)
  }
  const name = 'AssertionError'
  const [expected, actual] = [show(diff?.expected), show(diff?.actual)]
  // If the values look the same, as when secrets are hidden, a diff would say that they are.
  const hasDiff = diff !== undefined && !isDeepStrictEqual(expected, actual)
  const error = toError({ name, message, ...(hasDiff && { expected, actual, showDiff: true }) }, config)
  const isNamed = [expected, actual].every((value) => isShownIn(message, value))
  const lines = hasDiff && !isNamed ? (error['diff'] as string | undefined)?.split('\n') : undefined
  // The message names the first differences of lists and maps, but none of a long text.
  const most = typeof expected === 'string' ? Infinity : mostDiff
  const shown = lines && cutLines(lines, most, 'more line').join('\n')
  const parts = [shown, command && `  ${command}`].filter((part) => part !== undefined)
  // The check comes first, since lists in CI show only one line.
  error.message = exchange === undefined ? message : `${message}\n\n${exchange}`
  Object.assign(error, placeError(`${name}: ${error.message}`, path, at))
  error['diff'] = parts.join('\n\n') || undefined
  // Vitest takes errors with the same stack for equal.
  if (common !== undefined) error.stack = `${name}: ${showText(showing.redactor, common)}`
  return error
}

/** True for a value that a message shows in full. Longer strings, and those of several lines, also get a diff. */
function isShownIn(message: string, value: unknown): boolean {
  if (typeof value === 'string' && (value.length > 60 || value.includes('\n'))) return false
  if (typeof value === 'object' && value !== null) return false
  return [String(value), stringifyJson(value) ?? ''].some((text) => message.includes(text))
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

function describeExchange(
  { plan, name, redactor, options, given, isPartial }: Showing,
  step: StepPlan,
  outcome: StepOutcome,
): { exchange: string | undefined; command: string | undefined } {
  const { url = '' } = outcome.exchange?.request ?? {}
  const isGone = Object.values(given).some((started) => readOrigin(started) === readOrigin(url))
  const exchange = showExchange(outcome, redactor, { hasBody: isGone, isLong: options.verbose })
  // Curl cannot hold a WebSocket dialogue, and cannot reach what ends with the run.
  const isCurl = !isGone && !url.startsWith('ws')
  const command = isCurl ? showCommand(outcome, redactor) : rerunCommand(plan.file, step.at[0], name)
  return { exchange, command: isPartial() ? `${command}\n  ${PARTIAL}` : command }
}

/** The origin of an address. That of a WebSocket is the one of its HTTP server. */
function readOrigin(address: Json): string | undefined {
  return URL.parse(toText(address).replace(/^ws/, 'http'))?.origin
}

/** Describes failures of a step that ran without a test of its own in this run, so that they are not lost. */
export function describeUnreported(
  { file }: SuitePlan,
  { name, at: [line], phase }: StepPlan,
  suite: { name: string | undefined; outcomes: readonly StepOutcome[] } & Pick<
    Showing,
    'redactor' | 'isPartial'
  >,
): PlacedMessage[] {
  const why = phase === 'teardown' ? 'as teardown' : 'because another needs it'
  return suite.outcomes.flatMap((outcome) => {
    const [first, ...others] = outcome.failures
    if (!first) return []
    const exchange = showExchange(outcome, suite.redactor)
    const message = [
      `The step “${name}” (line ${line}), which ran ${why}, failed: ${first.message}`,
      ...others.map(({ message, at }) => `  ${at.join(':')}: ${message}`),
      '',
      ...(exchange === undefined ? [] : [exchange, '']),
      `  ${rerunCommand(file, line, suite.name)}`,
      ...(suite.isPartial() ? [`  ${PARTIAL}`] : []),
    ].join('\n')
    return [{ message, at: first.at }]
  })
}
