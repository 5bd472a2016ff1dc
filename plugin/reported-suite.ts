import { readFileSync } from 'node:fs'
import type { TaskMeta, TestContext } from 'vitest'
import { escapeControl, escapeControlInLines } from '../src/escape-control.ts'
import type { JsonObject } from '../src/json.ts'
import { defaultKeptBytes } from '../src/safe-json.ts'
import { shortestChecked } from '../src/secrets/find-leaks.ts'
import { prepareStep } from '../src/report/prepare-step.ts'
import type { Redactor } from '../src/secrets/redactor.ts'
import type { StepResult } from '../src/run/result.ts'
import type { StepOutcome } from '../src/run/step-outcome.ts'
import type { StepPlan, SuitePlan } from '../src/suite/plan.ts'
import { readTimestamp } from '../src/timestamp.ts'
import { Backlog } from './backlog.ts'
import { createFunctionEngine } from './define/function-engine.ts'
import type { LiftedFunction } from './define/lift-functions.ts'
import { createErrors } from './create-errors.ts'
import { compareSnapshot, reportFailures } from './failure.ts'
import { listSelected } from './prerequisites.ts'
import type { Links } from './links.ts'
import { seal } from './messages.ts'
import { fillSuiteName } from './name-tests.ts'
import type { StepMeta, SuiteMeta } from './meta.ts'
import type { WorkerOptions } from './worker-options.ts'
import { SuiteSession } from './session.ts'
import { getEnvironment } from './worker.ts'
import { createSuiteRedactor } from '../src/secrets/suite-redactor.ts'
import { showInOutcomes } from './define/show-in-outcomes.ts'

/** What a step uses of its test's context. */
export type StepTest = Pick<TestContext, 'task' | 'signal' | 'skip' | 'annotate'>

/** A suite to report, with the row of its `each` if it has one. */
export type ReportedInput = {
  plan: SuitePlan
  links: Links
  options: WorkerOptions
  row?: JsonObject
  index?: number
  /** Functions of a suite written in TypeScript. */
  functions?: readonly LiftedFunction[]
}

/** A suite between Vitest and the session: redacts results, reports failures. */
export class ReportedSuite {
  #input: ReportedInput
  #session: Promise<SuiteSession> | undefined
  #redactor: Redactor
  /** Results are prepared while the next step waits for its answer. */
  #backlog = new Backlog()

  constructor(input: ReportedInput) {
    this.#input = input
    this.#redactor = createSuiteRedactor(input.plan, input.options.redact)
  }

  #open(): Promise<SuiteSession> {
    const { plan, links, options, row, functions } = this.#input
    this.#session ??= getEnvironment(options).then(
      (environment) =>
        new SuiteSession(
          { plan, links },
          {
            environment: functions
              ? { ...environment, engine: createFunctionEngine(environment.engine, functions) }
              : environment,
            prerequisites: options.prerequisites,
            seed: options.seed,
            ...(options.onUnhandled && { onUnhandled: options.onUnhandled }),
            ...(row && { row }),
          },
        ),
    )
    return this.#session
  }

  /** Runs a step as a test. */
  async run(step: StepPlan, { context, loop }: { context: StepTest; loop?: JsonObject }): Promise<void> {
    const session = await this.#open()
    const outcomes = await session.runStep(step, {
      signal: context.signal,
      selected: listSelected(session.plan, context.task.suite?.tasks ?? []),
      ...(loop && { loops: [loop] }),
    })
    const report = { context, path: context.task.file.filepath, redactor: this.#redactor }
    // What a snapshot shows is redacted, by all that was learnt before.
    if (outcomes.some(({ snapshots }) => snapshots)) this.#backlog.finish()
    session.settleSnapshots(step, outcomes, (snapshot) => compareSnapshot(snapshot, report))
    const shown = showInOutcomes(outcomes, this.#input.functions)
    const prepared = this.#backlog.add(() => this.#prepare(shown, session))
    setMeta(context.task.meta, prepared)
    const failures = shown.flatMap((outcome) => outcome.failures)
    if (failures.length > 0) {
      const failed = prepared().find(({ status, request_details }) => status === 'failure' && request_details)
      if (failed?.request_details)
        await context.annotate(escapeControl(failed.request_details.curl_command), 'curl')
      reportFailures(failures, report)
    } else if (shown.length > 0 && shown.every(({ result }) => result.status === 'skipped'))
      context.skip(escapeControl(prepared()[0]?.skip_reason ?? ''))
  }

  #prepare(outcomes: readonly StepOutcome[], { run }: SuiteSession): StepResult[] {
    const { plan, options } = this.#input
    for (const name of plan.env) this.#redactor.addSecret(run?.environment.env[name] ?? '')
    if (run) this.#redactor.learn(run.variables)
    const maxBytes = options.limits?.reportBody
    const bounds = maxBytes === undefined ? {} : { maxBytes }
    return outcomes.map((outcome) =>
      prepareStep(placeFailures(outcome), { redactor: this.#redactor, ...bounds }),
    )
  }

  /** What the report knows of the suite by now; without a session, before anything ran. */
  describe(path?: string, session?: SuiteSession): SuiteMeta {
    const { plan, row, index, options } = this.#input
    const bounds = { maxBytes: options.limits?.reportBody ?? defaultKeptBytes }
    const redact = (values: JsonObject): JsonObject => this.#redactor.redactJson(values, bounds)
    return {
      kind: 'suite',
      node_id: plan.nodeId,
      suite_name: fillSuiteName(plan, { redactor: this.#redactor, row }),
      file_path: plan.file,
      priority: plan.priority,
      tags: plan.tags,
      start_time: session?.startTime ?? readTimestamp(),
      variables_captured: redact(session?.run?.captures ?? {}),
      available_variables: redact(session?.listVisible() ?? {}),
      ...(path !== undefined && {
        suite_yaml_content: this.#redactor.redactSource(readFileSync(path, 'utf8')),
      }),
      ...(plan.warnings.length > 0 && { warnings: plan.warnings }),
      ...(plan.usesFaker && { seed: options.seed }),
      ...(index !== undefined && { row: index }),
    }
  }

  /** What no report may contain, for the main process alone; without the plugin there is no key, and nobody to tell. */
  #sealSecrets(): Pick<SuiteMeta, 'secrets'> {
    const { key } = this.#input.options
    const secrets = this.#redactor.secrets().filter((secret) => secret.length >= shortestChecked)
    return secrets.length > 0 && key !== '' ? { secrets: seal(JSON.stringify(secrets), key) } : {}
  }

  /** Runs the teardown, hands exports on, and leaves what the report needs in the describe block's meta. */
  async finish(meta: { suitecase?: unknown }, path: string): Promise<void> {
    const session = await this.#session
    const problems = (await session?.finish()) ?? []
    this.#backlog.finish()
    const late = session?.listLateTeardown().flatMap((step) => session.records.outcomes(step)) ?? []
    const lateResults = session && late.length > 0 ? this.#prepare(late, session) : undefined
    meta.suitecase = {
      ...this.describe(path, session),
      ...(lateResults && { late_results: lateResults }),
      ...this.#sealSecrets(),
    }
    if (problems.length > 0)
      throw createErrors(
        problems.map(({ message, at }) => ({
          message: escapeControlInLines(this.#redactor.redactText(message)),
          at,
        })),
        path,
      )
  }
}

/** Leaves the results in a test's meta; they are prepared at the latest when Vitest reads it. */
function setMeta(meta: TaskMeta, prepared: () => StepResult[]): void {
  const get = (): StepMeta => ({ kind: 'step', results: prepared() })
  Object.defineProperty(meta, 'suitecase', { get, enumerable: true, configurable: true })
}

/** The result of a step with the lines that its failures point at. */
function placeFailures({ result, failures }: StepOutcome): StepResult {
  if (failures.length === 0) return result
  const lines = new Set(failures.map(({ at: [line] }) => line))
  return { ...result, failed_lines: [...lines].toSorted((a, b) => a - b) }
}
