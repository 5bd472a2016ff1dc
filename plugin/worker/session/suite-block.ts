// Taken here, so that a suite's virtual `clock` does not hold it back.
import { setImmediate } from 'node:timers'
import type { ResultWarning } from '../../../src/errors.ts'
import { escapeControl, escapeControlInLines, escapeControlInValue } from '../../../src/escape-control.ts'
import { parseJson, type Json, type JsonObject } from '../../../src/json.ts'
import { readTextIfThere } from '../../../src/read-file.ts'
import { defaultKeptBytes, stringifySafely } from '../../../src/safe-json.ts'
import type { BodyHold } from '../../../src/request/transport/body-budget.ts'
import { shortestChecked } from '../../../src/secrets/find-leaks.ts'
import { learnStep } from '../../../src/report/learn-step.ts'
import { StepReporter } from '../../../src/report/report-step.ts'
import { recordStep, serialiseStep, type StepRecord } from '../../../src/report/step-record.ts'
import { rerunCommand } from '../../../src/report/rerun-command.ts'
import { showCommand, showExchange } from '../../../src/report/show-exchange.ts'
import type { Redactor } from '../../../src/secrets/redactor.ts'
import type { StepResult } from '../../../src/run/result.ts'
import type { StepFailure, StepOutcome } from '../../../src/run/step-outcome.ts'
import { listVisible } from '../../../src/run/suite-run.ts'
import type { StepPlan } from '../../../src/suite/plan/plan.ts'
import { previewValue } from '../../../src/text/show-value.ts'
import { readTimestamp } from '../../../src/timestamp.ts'
import type { SuiteMeta } from '../../contract/meta.ts'
import { fillSuiteName } from '../../contract/name-tests.ts'
import { seal } from '../../contract/seal.ts'
import { createSuiteRedactor } from '../../../src/secrets/suite-redactor.ts'
import type { WorkerOptions } from '../../contract/worker-options.ts'
import { showFunctions, type LiftedFunction } from '../typed/functions/lift-functions.ts'
import type { LinkedPlan, ObtainExports, SessionContext } from './session-interface.ts'
import { hideInError, known } from './hide-secrets.ts'
import { shareEnvironment } from './run-environment.ts'
import { describeLeftOut, SuiteSession } from './session.ts'
import type { SuiteProblem } from '../../contract/suite-exports.ts'

/** A suite to report, with the row of its `each` if it has one. */
export type BlockInput = LinkedPlan & {
  options: WorkerOptions
  obtain: ObtainExports
  listWanted?: () => Promise<readonly string[] | undefined>
  row?: JsonObject
  index?: number
  /** Functions of a suite written in TypeScript. */
  functions?: readonly LiftedFunction[]
}

/** How a test runs its step, or one iteration of it where each has a test of its own. */
export type StepCall = SessionContext & {
  /** Place of the test in its block. */
  test: number
}

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

/** Bytes of an answer that is let go of at once. */
const LARGE = 65_536

/** How many of them the main process has been told of. */
let told = 0

/** Two values of which redaction leaves the same. */
const alike = /to equal (.*\[redacted\].*), got \1$/m

/** The block of a suite, or of one row of it, between Vitest and the session: redacts results and failures. */
export class SuiteBlock {
  readonly redactor: Redactor
  #input: BlockInput
  #session: Promise<SuiteSession> | undefined
  #reporter: StepReporter
  #hold: BodyHold | undefined
  /** Results by test. */
  #steps: StepRecord[][] = []
  /** Records the results of the last step, if they still wait for it. */
  #recordLast: (() => void) | undefined

  constructor(input: BlockInput) {
    this.#input = input
    this.redactor = createSuiteRedactor(input.plan, input.options.redact, known)
    this.#reporter = new StepReporter(this.redactor, input.options.limits.reportBody)
  }

  async #open(): Promise<SuiteSession> {
    const { options, row, functions, obtain, listWanted } = this.#input
    const { environment, hold } = await shareEnvironment(options, functions)
    this.#hold = hold
    return new SuiteSession(this.#input, {
      environment,
      redactorOf: (plan) =>
        plan === this.#input.plan ? this.redactor : createSuiteRedactor(plan, options.redact, known),
      prerequisites: options.prerequisites,
      seed: options.seed,
      onUnhandled: options.onUnhandled,
      obtain,
      listWanted,
      row,
    })
  }

  /** Runs the step of a test. */
  async run(step: StepPlan, call: StepCall): Promise<StepReport> {
    this.#session ??= this.#open()
    const session = await this.#session
    try {
      const outcomes = await session.runStep(step, call)
      const report = this.#report(step, { test: call.test, session, outcomes })
      // A teardown is told once more when the run was stopped.
      if (step.phase !== 'teardown') session.records.release(step)
      return report
    } catch (error) {
      throw hideInError(error, this.redactor)
    } finally {
      this.#hold?.release()
    }
  }

  #report(
    step: StepPlan,
    { test, session, outcomes }: { test: number; session: SuiteSession; outcomes: readonly StepOutcome[] },
  ): StepReport {
    this.#record(test, outcomes)
    const isOne = outcomes.length === 1
    const failures = outcomes.flatMap((outcome) => this.#showFailures(step, outcome, { session, isOne }))
    const isSkipped = outcomes.length > 0 && outcomes.every(({ result }) => result.status === 'skipped')
    const skipped = isSkipped
      ? escapeControl(this.#showText(outcomes.at(-1)?.result.skip_reason ?? ''))
      : undefined
    const isWanted = step.debug || process.env['SUITECASE_DEBUG'] === this.#input.plan.nodeId
    const exchanges = outcomes.map((each) => isWanted && showExchange(each, this.redactor, { isWhole: true }))
    const debug = exchanges.filter((text) => text).join('\n\n')
    return { failures, skipped, debug }
  }

  /** The failures of a step, or of one of several iterations: the first tells the exchange, the last how to send it again. */
  #showFailures(
    step: StepPlan,
    outcome: StepOutcome,
    { session, isOne }: { session: SuiteSession; isOne: boolean },
  ): ShownFailure[] {
    const failures = outcome.failures.map((failure) => this.#show(failure))
    const [first, last] = [failures[0], failures.at(-1)]
    if (!first || !last) return failures
    const { iteration } = outcome.result
    if (iteration && !isOne) {
      const { index, ...values } = this.redactor.redactJson(iteration)
      const shown = Object.entries(values).map(([name, value]) => `${name} = ${previewValue(value)}`)
      for (const failure of failures)
        failure.message = `${escapeControl(`Iteration ${Number(index) + 1} (${shown.join(', ')})`)}: ${failure.message}`
    }
    if (!outcome.exchange) return failures
    const { plan, options } = this.#input
    const isGone = Object.values(session.given).some((url) => hasOrigin(outcome.exchange?.request.url, url))
    const isLong = options.verbose === true
    const exchange = showExchange(outcome, this.redactor, { hasBody: isGone, isLong })
    // That no answer came is told by the failure.
    const told = exchange?.replace(/ → no answer$/, ' failed')
    if (told === undefined || !failures.some(({ message }) => message.startsWith(told)))
      first.exchange = exchange
    // Curl cannot hold a dialogue, and what the run started is gone with it.
    last.command =
      isGone || step.websocket ? rerunCommand(plan.file, step.at[0]) : showCommand(outcome, this.redactor)
    const leftOut = session.countLeftOut(step)
    if (leftOut > 0)
      last.command = [last.command, describeLeftOut(leftOut)].filter((line) => line).join('\n  ')
    return failures
  }

  /** Learns the secrets of a step at once, and records its results while the server works on the next request. */
  #record(test: number, outcomes: readonly StepOutcome[]): void {
    this.#flush()
    for (const { result } of outcomes) learnStep(this.redactor, result)
    this.#recordLast = () => {
      this.#steps[test] = outcomes.map((outcome) => {
        const result = this.#reporter.report(outcome)
        const text = serialiseStep(result)
        const shown = this.#showInJson(text)
        return recordStep(shown === text ? result : (parseJson(shown) as unknown as StepResult), shown)
      })
    }
    const isLarge = outcomes.some(({ exchange }) => (exchange?.response?.body.byteLength ?? 0) > LARGE)
    // The first turn of the event loop is the one in which that request is written.
    if (isLarge) this.#flush()
    else setImmediate(() => setImmediate(() => this.#flush()))
  }

  #flush(): void {
    const record = this.#recordLast
    this.#recordLast = undefined
    record?.()
  }

  #show({ message, at, diff }: StepFailure): ShownFailure {
    const shown = escapeControlInLines(this.#showText(message)).replace(alike, '$&, and the two differ')
    const show = (value: Json | undefined): unknown =>
      value === undefined ? undefined : escapeDiffed(this.redactor.redactJson(value))
    return {
      message: shown,
      at,
      ...(diff && { diff: { expected: show(diff.expected), actual: show(diff.actual) } }),
    }
  }

  #showText(text: string): string {
    return this.redactor.redactText(showFunctions(text, this.#input.functions))
  }

  /** Names in JSON text the functions of a suite in TypeScript. */
  #showInJson(json: string): string {
    const write = (shown: string): string => JSON.stringify(this.redactor.redactText(shown)).slice(1, -1)
    return showFunctions(json, this.#input.functions, write)
  }

  /** What the report knows of the suite by now; without a session, before anything ran. */
  describe(path?: string, session?: SuiteSession): SuiteMeta {
    this.#flush()
    const { plan, row, index, options } = this.#input
    const bounds = { maxBytes: options.limits.reportBody ?? defaultKeptBytes }
    const write = (values: JsonObject): string =>
      this.#showInJson(stringifySafely(this.redactor.redactJson(values, bounds)))
    const captured = write(session?.run?.captures ?? {})
    const available = write(session?.run ? listVisible(session.run) : {})
    // It may be gone: what its steps gave counts all the same.
    const text = path === undefined ? undefined : readTextIfThere(path)
    const warnings = session ? [...plan.warnings, ...this.#listMissed()] : plan.warnings
    return {
      kind: 'suite',
      node_id: plan.nodeId,
      suite_name: fillSuiteName(plan, { redactor: this.redactor, row }),
      file_path: plan.file,
      priority: plan.priority,
      tags: plan.tags,
      start_time: session?.startTime ?? readTimestamp(),
      variables: `{"variables_captured":${captured},"available_variables":${available}}`,
      ...(text !== undefined && { suite_yaml_content: this.redactor.redactSource(text) }),
      ...(this.#steps.length > 0 && { steps: Array.from(this.#steps, (records) => records ?? []) }),
      ...(warnings.length > 0 && {
        warnings: warnings.map(({ message, line, column }) => ({
          message: this.#showText(message),
          line,
          column,
        })),
      }),
      ...(plan.usesFaker && { seed: options.seed }),
      ...(index !== undefined && { row: index }),
    }
  }

  /** Names of `redact` that a field which is shown was probably meant by. */
  #listMissed(): Required<ResultWarning>[] {
    return this.redactor.takeMissed().map(([name, shown]) => {
      const [line, column] = this.#input.plan.at
      const message = `\`redact\` has \`${name}\`, which nothing is called by now; \`${shown}\` is shown. If that is meant, correct the name.`
      return { message, line, column }
    })
  }

  /** What no report may contain, for the main process alone. */
  #sealSecrets(): Pick<SuiteMeta, 'secrets'> {
    const { key } = this.#input.options
    // All suites of this worker share what they know: each tells what is new.
    const all = this.redactor.secrets()
    const secrets = all.slice(told).filter((secret) => secret.length >= shortestChecked)
    told = all.length
    return secrets.length > 0 ? { secrets: seal(JSON.stringify(secrets), key) } : {}
  }

  /** Runs what must run whatever happened; gives what the report needs of the suite, and what failed without being reported as a test. */
  async finish(
    path: string,
    tests: readonly { step: StepPlan; loop: JsonObject | undefined }[],
  ): Promise<{ meta: SuiteMeta; problems: SuiteProblem[]; session: SuiteSession | undefined }> {
    const session = await this.#session?.catch(() => undefined)
    const problems = (await session?.finish()) ?? []
    this.#hold?.release()
    // Their tests were skipped because the run was stopped; they ran all the same.
    for (const [test, { step, loop }] of tests.entries())
      if (session?.listLateTeardown().includes(step)) this.#record(test, session.records.outcomes(step, loop))
    const meta = { ...this.describe(path, session), ...this.#sealSecrets() }
    for (const problem of problems) problem.message = escapeControlInLines(this.#showText(problem.message))
    return { meta, problems, session }
  }
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
