import type { MockServer } from '../../../src/mock/create-mock-server.ts'
import { leadsTo } from '../../../src/mock/network.ts'
import type { Scope } from '../../../src/interpolation/variables/scope.ts'
import type { FilledPart, MockContext, MockPart, UnhandledPolicy } from '../../../src/mock/mock.ts'
import type { RunningStep, StepWatch } from '../../../src/run/attempt/attempt.ts'
import { fillPart, type Filling } from '../../../src/run/attempt/fill-part.ts'
import { createScope, readSentFile, type SuiteRun } from '../../../src/run/suite-run.ts'
import type { Redactor } from '../../../src/secrets/redactor.ts'
import { showPosition } from '../../../src/source.ts'
import { hasMocks } from '../../../src/suite/plan/plan.ts'
import { watchLateErrors } from '../app/late-errors.ts'

/** Opens a run's mock server, if it has mocks, or if `onUnhandled` is set and nobody watches requests yet. */
export async function openMocks(
  run: SuiteRun,
  { onUnhandled, isWatched }: { onUnhandled: UnhandledPolicy | undefined; isWatched: boolean },
  { learn }: Redactor,
): Promise<MockServer | undefined> {
  const { plan } = run
  if (!hasMocks(plan) && (onUnhandled === undefined || isWatched || !('app_url' in run.given)))
    return undefined
  const { createMockServer } = await import('../../../src/mock/create-mock-server.ts')
  const own = Object.values(run.given).filter((url) => typeof url === 'string')
  const policy = onUnhandled ?? 'error'
  return createMockServer({
    onUnhandled: policy,
    ...(policy === 'error' && { suite: plan.name }),
    isOwnRequest: (url) => own.some((address) => leadsTo(url, address)),
    context: describeMocks(run, plan.at, () => createScope(run)),
    mocks: plan.mocks,
    learn: (data) => learn([data]),
  })
}

function describeMocks(run: SuiteRun, at: MockContext['at'], readScope: () => Scope): MockContext {
  return {
    file: run.plan.file,
    at,
    readFile: (name, written) => readSentFile(run, name, written),
    fillIn: (part, locals) =>
      fillMock(part, { run, scope: { ...readScope(), locals }, failures: [], warnings: [] }),
  }
}

/** Watches the application during a step: answers its requests by the step's mocks, collects late errors. */
export function watchStep({ run, step, scope }: RunningStep, mocks: MockServer | undefined): StepWatch {
  const errors = 'app_url' in run.given ? watchLateErrors() : undefined
  const context = describeMocks(run, step.at, () => scope)
  const own = mocks?.use(step.mocks, context)
  return {
    signal: errors?.signal,
    listCalls: own?.listCalls,
    async end() {
      await own?.settle()
      const report = own?.finish() ?? { calls: [], problems: [], met: [], warnings: [] }
      const late = (await errors?.end()) ?? []
      return { ...report, late: late.map((message) => ({ message, at: step.at })) }
    },
    close() {
      own?.finish()
      errors?.close()
    },
  }
}

/** Fills in a part of a mock. If a `{{…}}` fails, throws with its place; the application gets no response. */
function fillMock({ mock, pointer, value }: MockPart, filling: Filling): FilledPart {
  const { at } = mock
  const filled = fillPart(filling, value, { pointer: `${mock.pointer}${pointer}`, at })
  const [failure] = filling.failures
  if (failure) throw new Error(`${failure.message} (${showPosition(filling.run.plan.file, failure.at)})`)
  return { value: filled, warnings: filling.warnings }
}
