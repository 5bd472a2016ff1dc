import { leadsTo, runAsOwnRequest } from '../../../src/mock/network.ts'
import type { Scope } from '../../../src/interpolation/variables/scope.ts'
import type { JsonObject } from '../../../src/json.ts'
import type {
  FilledPart,
  MockContext,
  MockPart,
  MockProblem,
  MockReport,
  MockServer,
  UnhandledPolicy,
} from '../../../src/mock/mock.ts'
import { interpolatePart } from '../../../src/run/attempt/interpolate-part.ts'
import { createScope, type SuiteRun } from '../../../src/run/suite-run.ts'
import type { Findings } from '../../../src/run/step-outcome.ts'
import { showPosition } from '../../../src/source.ts'
import { listSteps, type StepPlan } from '../../../src/suite/plan/plan.ts'
import { findHandlers } from '../typed/handlers.ts'

type Around<Value> = {
  loop: JsonObject | undefined
  findings: Findings
  run: () => Promise<Value>
}

/** The mocked upstream services of one run of a suite. */
export class SuiteMocks {
  readonly #run: SuiteRun
  readonly #server: MockServer

  private constructor(run: SuiteRun, server: MockServer) {
    this.#run = run
    this.#server = server
  }

  /** Starts answering outgoing requests, if the suite mocks any or the option asks to watch them. */
  static async open(
    run: SuiteRun,
    onUnhandled: UnhandledPolicy | undefined,
  ): Promise<SuiteMocks | undefined> {
    const { plan } = run
    const owners = [plan, ...listSteps(plan)]
    const hasMocks = owners.some((owner) => owner.mocks.length > 0 || findHandlers(owner).length > 0)
    if (!hasMocks && (onUnhandled === undefined || !('app_url' in run.given))) return undefined
    const { createMockServer } = await import('../../../src/mock/create-mock-server.ts')
    const own = Object.values(run.given).filter((url) => typeof url === 'string')
    const policy = onUnhandled ?? 'error'
    const server = await createMockServer({
      onUnhandled: policy,
      ...(policy === 'error' && { suite: plan.name }),
      isOwnRequest: (url) => own.some((address) => leadsTo(url, address)),
      context: describeMocks(run, plan.at),
      mocks: plan.mocks,
      handlers: findHandlers(plan),
    })
    return new SuiteMocks(run, server)
  }

  /** Runs a step with its mocks, and adds to the findings the calls they answered and what was wrong with them. */
  async around<Value>(step: StepPlan, { loop, findings, run }: Around<Value>): Promise<Value> {
    const scope = this.#server.use(step.mocks, describeMocks(this.#run, step.at, loop), findHandlers(step))
    try {
      const value = await runAsOwnRequest(run)
      await scope.settle()
      addReport(findings, scope.finish())
      return value
    } finally {
      scope.finish()
    }
  }

  /** Gives the network back; returns what was wrong with the suite's own mocks. They may have had fewer calls where not all steps ran. */
  close(isPartial: boolean): MockProblem[] {
    return this.#server.close(isPartial).problems
  }
}

function describeMocks(run: SuiteRun, at: MockContext['at'], loop?: JsonObject): MockContext {
  return {
    file: run.plan.file,
    at,
    fillIn: (part, locals) => fillPart(part, run, { ...createScope(run, loop), locals }),
  }
}

/** Throws what fails in a `{{…}}` of a mock, with its place; the application gets no answer then. */
function fillPart({ mock, pointer, value }: MockPart, run: SuiteRun, scope: Scope): FilledPart {
  const { at } = mock
  const isAnswer = pointer === '/respond'
  const filled = interpolatePart({
    run,
    scope,
    value,
    pointer: `${mock.pointer}${pointer}`,
    at,
    use: isAnswer ? 'sent' : 'compared',
  })
  const [failure] = filled.failures
  if (failure) throw new Error(`${failure.message} (${showPosition(run.plan.file, failure.at)})`)
  const warnings = filled.warnings.map(({ message, line = at[0], column = at[1] }) => ({
    message,
    at: [line, column] as const,
  }))
  return { value: filled.value ?? value, warnings }
}

function addReport(findings: Findings, { calls, problems, warnings }: MockReport): void {
  findings.calls = calls
  findings.mocks = problems.map(({ message, at }) => ({ message, at }))
  findings.warnings = warnings.map(({ message, at }) => ({ message, line: at[0], column: at[1] }))
}
