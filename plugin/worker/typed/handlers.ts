import type { RequestHandler } from 'msw'
import type { StepPlan, SuitePlan } from '../../../src/suite/plan/plan.ts'

const PREFIX = 'http://suitecase.invalid/handler/'

const kept = new WeakMap<SuitePlan | StepPlan, readonly object[]>()

/** The url of the mock that stands for a handler until the suite is loaded. */
export function nameHandler(index: number): string {
  return `${PREFIX}${index}`
}

/** Takes the mocks that stand for handlers out of the plan; the handlers are found by their suite or step from then on. */
export function keepHandlers(owner: SuitePlan | StepPlan, handlers: readonly object[]): void {
  const standIns = owner.mocks.filter(({ url }) => url.startsWith(PREFIX))
  owner.mocks = owner.mocks.filter((mock) => !standIns.includes(mock))
  kept.set(
    owner,
    standIns.map(({ url }) => handlers[Number(url.slice(PREFIX.length))] as object),
  )
}

/** MSW handlers of a suite or step written in TypeScript; loading the suite has refused what is none. */
export function findHandlers(owner: SuitePlan | StepPlan): readonly RequestHandler[] {
  return (kept.get(owner) ?? []) as RequestHandler[]
}
