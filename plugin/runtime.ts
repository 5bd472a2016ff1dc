import { afterAll, describe, inject, test, type TestContext } from 'vitest'
import { escapeControl } from '../src/escape-control.ts'
import { hasTemplate } from '../src/interpolation/template.ts'
import type { JsonObject } from '../src/json.ts'
import { prepareStep } from '../src/report/prepare-step.ts'
import { createRedactor, type Redactor } from '../src/report/redact.ts'
import { listStaticLoops } from '../src/run/loops.ts'
import { listSteps, type StepPlan, type SuitePlan } from '../src/suite/plan.ts'
import { compareSnapshot, createErrors, reportFailures } from './failure.ts'
import type { Links } from './links.ts'
import { sendMessage } from './messages.ts'
import type { SuiteMeta } from './meta.ts'
import { listSelected } from './prerequisites.ts'
import type { WorkerOptions } from './project.ts'
import { SuiteSession } from './session.ts'
import { getEnvironment } from './worker.ts'

/** Called by a generated module once per step: `body` runs the step, from a line that maps to the step in the suite. */
export type DeclareStep = (index: number, body: (run: () => Promise<void>) => Promise<void>) => void

/** Registers a loaded suite: a describe block per row of `each`, one test per step (or known iteration). Called by generated modules. */
export function describeSuite(plan: SuitePlan, links: Links, declare: (step: DeclareStep) => void): void {
  const options = inject('suitecase')
  for (const [index, row] of (plan.each ?? [undefined]).entries()) {
    const name = row ? `${plan.name} ${describeRow(row, index)}` : plan.name
    describe(escapeControl(name), { concurrent: false, shuffle: false, tags: plan.tags }, () => {
      const suite = new ReportedSuite({ plan, links, options, ...(row && { row, index }) })
      declare((stepIndex, body) => suite.register(listSteps(plan)[stepIndex] as StepPlan, body))
      // oxlint-disable-next-line no-empty-pattern -- Vitest reads the fixtures a hook uses from this pattern
      afterAll(({}, { meta, file }) => suite.finish(meta, file.filepath), 0)
    })
  }
}

type SuiteInput = { plan: SuitePlan; links: Links; options: WorkerOptions; row?: JsonObject; index?: number }

/** A suite between Vitest and the session: registers tests, redacts results, reports failures. */
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
          { environment, prerequisites: options.prerequisites, seed: options.seed, ...(row && { row }) },
        ),
    )
    return this.#session
  }

  /** One test for the step, or one per iteration that is known by now. */
  register(step: StepPlan, body: (run: () => Promise<void>) => Promise<void>): void {
    const { plan, row } = this.#input
    const loops = listStaticLoops(plan, step)
    const known = { ...plan.variables, ...row }
    const options = { concurrent: false, timeout: 0, ...(step.only && { only: true }) }
    for (const loop of loops ?? [undefined]) {
      const name =
        nameTest(step, { ...known, ...loop }) +
        (loop && !hasTemplate(step.name) ? ` [${showLoop(loop)}]` : '')
      test(escapeControl(name), options, (context) =>
        body(() => this.#run(step, { context, ...(loop && { loop }) })),
      )
    }
  }

  async #run(step: StepPlan, { context, loop }: { context: TestContext; loop?: JsonObject }): Promise<void> {
    const session = await this.#open()
    const outcomes = await session.runStep(step, {
      signal: context.signal,
      selected: listSelected(session.plan, context.task.suite?.tasks ?? []),
      ...(loop && { loops: [loop] }),
    })
    const report = { context, path: context.task.file.filepath, redactor: this.#redactor }
    session.settleSnapshots(step, outcomes, (snapshot) => compareSnapshot(snapshot, report))
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
      reportFailures(failures, report)
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
      start_time: session?.startTime ?? new Date().toISOString(),
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

/** A step's name with the `{{name}}` that are known before the run filled in. */
function nameTest({ name }: StepPlan, known: JsonObject): string {
  return name.replaceAll(/\{\{\s*([\w-]+)\s*\}\}/g, (written, variable: string) => {
    const value = Object.hasOwn(known, variable) ? known[variable] : undefined
    return value === undefined || hasTemplate(String(value)) ? written : showValue(value)
  })
}

function describeRow(row: JsonObject, index: number): string {
  const cells = Object.entries(row).slice(0, 4)
  return `[${index + 1}: ${cells.map(([name, value]) => `${name}=${showValue(value)}`).join(', ')}]`
}

function showLoop(loop: JsonObject): string {
  return Object.entries(loop)
    .filter(([name]) => name !== 'index')
    .map(([name, value]) => `${name}=${showValue(value)}`)
    .join(', ')
}

function showValue(value: unknown): string {
  const text = typeof value === 'string' ? value : String(JSON.stringify(value))
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}
