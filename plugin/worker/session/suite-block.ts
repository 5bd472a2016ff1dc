// Imported, since an application in this thread may replace the global one.
import { setImmediate } from 'node:timers/promises'
import { escapeControlInLines } from '../../../src/escape-control.ts'
import { parseJson, type JsonObject } from '../../../src/json.ts'
import { readTextIfThere } from '../../../src/read-file.ts'
import { stringifySafely } from '../../../src/safe-json.ts'
import type { BodyHold } from '../../../src/request/transport/body-budget.ts'
import { StepReporter } from '../../../src/report/report-step.ts'
import { recordStep, serialiseStep, type StepRecord } from '../../../src/report/step-record.ts'
import type { Redactor } from '../../../src/secrets/redactor.ts'
import type { StepResult } from '../../../src/run/result.ts'
import type { StepOutcome } from '../../../src/run/step-outcome.ts'
import { listVisible } from '../../../src/run/suite-run.ts'
import type { StepPlan } from '../../../src/suite/plan/plan.ts'
import { readTimestamp } from '../../../src/timestamp.ts'
import type { SuiteMeta } from '../../contract/meta.ts'
import { seal } from '../../contract/seal.ts'
import type { WorkerOptions } from '../../contract/worker-options.ts'
import { keepLines } from '../../../src/secrets/star-out.ts'
import { createSuiteRedactor } from '../../../src/secrets/suite-redactor.ts'
import { showFunctions } from '../typed/functions/lift-functions.ts'
import type { StepTask } from '../engine/collect-tests.ts'
import { runCall } from './call-suite.ts'
import { hideInError, workerSecrets } from './hide-secrets.ts'
import type { LinkedPlan } from './links.ts'
import { showStep, showText, type StepReport } from './show-step.ts'
import { shareEnvironment } from './run-environment.ts'
import type { DiffConfig } from './task-errors.ts'
import {
  SuiteSession,
  type ObtainExports,
  type SessionContext,
  type SessionOptions,
  type SessionTools,
} from './session.ts'

/** A suite to report, with its row of `each`, if any. */
export type BlockInput = LinkedPlan &
  Required<Pick<SessionOptions, 'tests'>> &
  Pick<SessionOptions, 'row' | 'wanted'> & {
    options: WorkerOptions
    config: DiffConfig
    obtain: ObtainExports
    print: SessionTools['print']
    name: string
    index?: number
  }

/** How a test runs its step, or one iteration if each has its own test. `test` is its index in the block. */
export type StepCall = SessionContext & { test: number }

/** A response with more bytes than this is recorded and released at once. */
const LARGE = 65_536

/** The block of a suite or of one of its rows: connects Vitest with the session, and redacts the results. */
export class SuiteBlock {
  readonly redactor: Redactor
  #input: BlockInput
  /** Undefined until the first step runs. */
  #session: SuiteSession | undefined
  #reporter: StepReporter
  #hold: BodyHold | undefined
  #steps: StepRecord[][] = []
  /** Resolves when the results of all steps so far are there. */
  #recorded: Promise<void> = Promise.resolve()

  constructor(input: BlockInput) {
    this.#input = input
    this.redactor = createSuiteRedactor(input.plan, input.options.redact, workerSecrets)
    this.#reporter = new StepReporter(this.redactor, input.options.limits.reportBody)
  }

  #open(): SuiteSession {
    const { plan, name, options, row, tests, wanted, obtain, print } = this.#input
    const { prerequisites, onUnhandled, seed, redact } = options
    const environment = shareEnvironment(options)
    this.#hold = environment.hold
    const redactorOf = (other: typeof plan): Redactor =>
      other === plan ? this.redactor : createSuiteRedactor(other, redact, workerSecrets)
    const tools = { environment, redactorOf, seed, onUnhandled, obtain, print, runCall }
    return new SuiteSession(this.#input, tools, { prerequisites, name, row, tests, wanted })
  }

  async run(step: StepPlan, call: StepCall): Promise<StepReport> {
    const session = (this.#session ??= this.#open())
    try {
      const outcomes = await session.runStep(step, call)
      this.#record(call.test, outcomes)
      const { given, records } = session
      const isPartial = (): boolean => records.leftOut(step)
      const report = showStep({ ...this.#input, redactor: this.redactor, given, isPartial }, step, outcomes)
      // When the run was stopped, a teardown is reported once more.
      if (step.phase !== 'teardown') records.release(step)
      return report
    } catch (error) {
      throw hideInError(error, this.redactor)
    } finally {
      this.#hold?.release()
    }
  }

  #record(test: number, outcomes: readonly StepOutcome[]): void {
    this.#recorded = this.#recordAfter(this.#recorded, test, outcomes)
    // `finish` waits for this promise, and gets the error.
    this.#recorded.catch(() => undefined)
  }

  /** Records a step's results two turns later, when the next request is sent and the server works on it. */
  async #recordAfter(before: Promise<void>, test: number, outcomes: readonly StepOutcome[]): Promise<void> {
    await before
    const isLarge = outcomes.some(({ exchange }) => (exchange?.response?.body.byteLength ?? 0) > LARGE)
    if (!isLarge) await setImmediate().then(() => setImmediate())
    this.#steps[test] = outcomes.map((outcome) => {
      const result = this.#reporter.report(outcome)
      const text = serialiseStep(result)
      const shown = this.#showInJson(text)
      return recordStep(shown === text ? result : (parseJson(shown) as unknown as StepResult), shown)
    })
  }

  #showInJson(json: string): string {
    const write = (shown: string): string => JSON.stringify(this.redactor.redactText(shown)).slice(1, -1)
    return showFunctions(json, write)
  }

  /** What the report is told about the suite so far. */
  describe(path?: string): SuiteMeta {
    const { plan, name, index, options } = this.#input
    const session = this.#session
    const run = session?.run
    const bounds = { maxBytes: options.limits.reportBody }
    const write = (values: JsonObject): string =>
      this.#showInJson(stringifySafely(this.redactor.redactJson(values, bounds)))
    const captured = write(run?.captures ?? {})
    const available = write(run ? listVisible({ run }) : {})
    // The file may be gone, but the results of its steps still count.
    const text = path === undefined ? undefined : readTextIfThere(path)
    const warnings = [...plan.warnings, ...(session?.warnings ?? [])].map(({ message, line, column }) => ({
      message: showText(this.redactor, message),
      line,
      column,
    }))
    return {
      kind: 'suite',
      node_id: plan.nodeId,
      suite_name: this.redactor.redactText(name),
      file_path: plan.file,
      priority: plan.priority,
      tags: plan.tags,
      start_time: session?.startTime ?? readTimestamp(),
      variables: `{"variables_captured":${captured},"available_variables":${available}}`,
      ...(text !== undefined && { suite_yaml_content: keepLines(text, this.redactor.redactSource(text)) }),
      ...(this.#steps.length > 0 && { steps: Array.from(this.#steps, (records) => records ?? []) }),
      ...(warnings.length > 0 && { warnings }),
      ...(plan.usesFaker && { seed: options.seed }),
      ...(index !== undefined && { row: index }),
    }
  }

  /** Seals new secrets for the main process. The suites of a worker share them, and each sends new ones. */
  #sealSecrets(): Pick<SuiteMeta, 'secrets'> {
    const secrets = this.redactor.takeNew()
    return secrets.length > 0 ? { secrets: seal(JSON.stringify(secrets), this.#input.options.key) } : {}
  }

  /** For how many ms a teardown step ran, if the run was stopped before its test, and it passed. */
  timeLate({ step, loop }: StepTask): number | undefined {
    if (!this.#session?.ranLate(step)) return undefined
    const results = this.#session.records.outcomes(step, loop).map(({ result }) => result)
    const hasPassed = results.every(({ status }) => status === 'success')
    return hasPassed ? results.reduce((sum, { duration_ms }) => sum + duration_ms, 0) : undefined
  }

  /** Ends the session. Resolves to the suite's meta, the failures that no test reports, and the session. */
  async finish(path: string) {
    const session = this.#session
    const problems = (await session?.finish()) ?? []
    this.#hold?.release()
    // These steps ran, although the run was stopped before their tests.
    for (const [test, { step, loop }] of this.#input.tests.entries())
      if (session?.ranLate(step)) this.#record(test, session.records.outcomes(step, loop))
    await this.#recorded
    const meta = { ...this.describe(path), ...this.#sealSecrets() }
    for (const problem of problems)
      problem.message = escapeControlInLines(showText(this.redactor, problem.message))
    return { meta, problems, session }
  }
}
