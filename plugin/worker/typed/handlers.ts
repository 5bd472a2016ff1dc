import type { RequestHandler } from 'msw'
import type { StepPlan, SuitePlan } from '../../../src/suite/plan/plan.ts'

const PREFIX = 'http://suitecase.invalid/handler/'

const kept = new WeakMap<SuitePlan | StepPlan, readonly object[]>()

/** True for an object of a class with MSW's `run`; which kinds of handlers are usable is judged when the suite is loaded. */
export function isHandler(value: unknown): value is object {
  return typeof value === 'object' && value !== null && typeof (value as { run?: unknown }).run === 'function'
}

/** The url of the mock that stands for a handler until the suite is loaded. */
export function nameHandler(index: number): string {
  return `${PREFIX}${index}`
}

/** Takes the mocks that stand for handlers out of the plan; the handlers are found by their suite or step from then on. */
export function keepHandlers(owner: SuitePlan | StepPlan, handlers: readonly object[]): void {
  const urls = owner.mocks.flatMap(({ url }) => (url.startsWith(PREFIX) ? [url] : []))
  owner.mocks = owner.mocks.filter(({ url }) => !url.startsWith(PREFIX))
  kept.set(
    owner,
    urls.map((url) => handlers[Number(url.slice(PREFIX.length))] as object),
  )
}

/** MSW handlers of a suite or step written in TypeScript; loading the suite has refused what is none. */
export function findHandlers(owner: SuitePlan | StepPlan): readonly RequestHandler[] {
  return (kept.get(owner) ?? []) as RequestHandler[]
}
