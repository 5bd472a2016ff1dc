import { readTimestamp } from '../src/timestamp.ts'
import { afterAll, describe, inject, test, type TestAPI, type TestContext } from 'vitest'
import { escapeControl } from '../src/escape-control.ts'
import type { JsonObject } from '../src/json.ts'
import { prepareStep } from '../src/report/prepare-step.ts'
import { createRedactor, type Redactor } from '../src/report/redact.ts'
import { listStaticLoops } from '../src/run/loops.ts'
import { listSteps, type StepPlan, type SuitePlan } from '../src/suite/plan.ts'
import { createErrors, reportFailures } from './failure.ts'
import type { Links } from './links.ts'
import { sendMessage } from './messages.ts'
import type { SuiteMeta } from './meta.ts'
import type { WorkerOptions } from './project.ts'
import { closeServices, needsServices } from './services.ts'
import { SuiteSession } from './session.ts'
import { getEnvironment } from './worker.ts'

/** What a generated module says of a test: the step's index among all steps, and of a known iteration its index. */
export type TestFlags = { step: number; iteration?: number; only?: boolean }

/** Declares one test; `body` runs the step, from a line that maps to the step in the suite file. */
export type DeclareTest = (
  name: string,
  flags: TestFlags,
  body: (run: () => Promise<void>) => Promise<void>,
) => void

/** Declares the block of a suite, or of one row of its `each`. */
export type DeclareSuite = (
  name: string,
  flags: { row: number; tags: string[] },
  body: (test: DeclareTest) => void,
) => void

/** Opens a loaded suite for declaration. Called by generated modules. */
export function openSuite(plan: SuitePlan, links: Links): DeclareSuite {
  const options = inject('suitecase')
  const steps = listSteps(plan)
  const declareTest: TestAPI = needsServices(plan, links) ? (testWithServices as TestAPI) : test
  return (name, { row: index, tags }, body) => {
    const row = plan.each?.[index]
    describe(name, { concurrent: false, shuffle: false, tags }, () => {
      const suite = new ReportedSuite({ plan, links, options, ...(row && { row, index }) })
      body((testName, { step: number, iteration, only }, runBody) => {
        const step = steps[number] as StepPlan
        const loop = iteration === undefined ? undefined : listStaticLoops(plan, step)?.[iteration]
        const flags = { concurrent: false, timeout: 0, ...(only && { only }) }
        declareTest(testName, flags, ({ task, signal, skip, annotate }) =>
          runBody(() =>
            suite.run(step, { context: { task, signal, skip, annotate }, ...(loop && { loop }) }),
          ),
        )
      })
      // oxlint-disable-next-line no-empty-pattern -- Vitest reads the fixtures a hook uses from this pattern
      afterAll(({}, { meta, file }) => suite.finish(meta, file.filepath), 0)
    })
  }
}

/** Closes what suites started when the worker ends; only for suites that start something. */
const testWithServices = test.extend<{ services: undefined }>({
  services: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the fixtures a fixture uses from this pattern
    async ({}, use) => {
      await use(undefined)
      await closeServices()
    },
    { scope: 'worker', auto: true },
  ],
})

/** What a step uses of its test's context. */
export type StepTest = Pick<TestContext, 'task' | 'signal' | 'skip' | 'annotate'>

type SuiteInput = { plan: SuitePlan; links: Links; options: WorkerOptions; row?: JsonObject; index?: number }

/** A suite between Vitest and the session: redacts results, reports failures. */
class ReportedSuite {
  #input: SuiteInput
  #session: Promise<SuiteSession> | undefined
  #redactor: Redactor

  constructor(input: SuiteInput) {
    this.#input = input
    const { redact } = input.options
    const names = (redact || []).map((name) =>
      typeof name === 'string' ? name : new RegExp(name.source, name.flags),
    )
    this.#redactor = createRedactor({ names: [...names, ...input.plan.redact], enabled: redact !== false })
  }

  #open(): Promise<SuiteSession> {
    const { plan, links, options, row } = this.#input
    this.#session ??= getEnvironment(options).then(
      (environment) =>
        new SuiteSession(
          { plan, links },
          {
            environment,
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
    const outcomes = await session.runStep(step, { signal: context.signal, ...(loop && { loops: [loop] }) })
    const { run } = session
    for (const name of this.#input.plan.env) this.#redactor.addSecret(run?.environment.env[name] ?? '')
    if (run) this.#redactor.learn(run.variables)
    const { limits } = this.#input.options
    const bounds = limits?.reportBody === undefined ? {} : { maxBytes: limits.reportBody }
    const results = outcomes.map(({ result }) => prepareStep(result, { redactor: this.#redactor, ...bounds }))
    context.task.meta.suitecase = { kind: 'step', results }
    const failures = outcomes.flatMap((outcome) => outcome.failures)
    if (failures.length > 0) {
      const failed = results.find(({ status, request_details }) => status === 'failure' && request_details)
      if (failed?.request_details)
        await context.annotate(escapeControl(failed.request_details.curl_command), 'curl')
      reportFailures(failures, { context, path: context.task.file.filepath, redactor: this.#redactor })
    } else if (results.length > 0 && results.every(({ status }) => status === 'skipped'))
      context.skip(escapeControl(results[0]?.skip_reason ?? ''))
  }

  /** Runs the teardown, hands exports on, and leaves what the report needs in the describe block's meta. */
  async finish(meta: { suitecase?: unknown }, path: string): Promise<void> {
    const { plan, links, index } = this.#input
    const session = await this.#session
    const problems = (await session?.finish()) ?? []
    const run = session?.run
    const redact = (values: JsonObject): JsonObject => this.#redactor.redactJson(values)
    meta.suitecase = {
      kind: 'suite',
      node_id: plan.nodeId,
      suite_name: plan.name,
      file_path: plan.file,
      priority: plan.priority,
      tags: plan.tags,
      start_time: session?.startTime ?? readTimestamp(),
      variables_captured: redact(run?.captures ?? {}),
      available_variables: redact(session?.listVisible() ?? {}),
      ...(plan.warnings.length > 0 && { warnings: plan.warnings }),
      ...(index !== undefined && { row: index }),
    } satisfies SuiteMeta
    const secrets = [...this.#redactor.secrets()].filter((secret) => secret.length >= 6)
    if (secrets.length > 0) await sendMessage(links.import, { kind: 'secrets', values: secrets })
    if (problems.length > 0) throw createErrors(problems, { path, redactor: this.#redactor })
  }
}
