import type { RequestHandler } from 'msw'
import type { StepPlan, SuitePlan } from '../../../src/suite/plan/plan.ts'

const PREFIX = 'http://suitecase.invalid/handler/'

const kept = new WeakMap<SuitePlan | StepPlan, readonly object[]>()

/** The URL of the mock that stands in for a handler until the suite is loaded. */
export function nameHandler(index: number): string {
  return `${PREFIX}${index}`
}

/** Removes the stand-ins for handlers from the plan. From then on `findHandlers` finds the handlers by their suite or step. */
export function keepHandlers(owner: SuitePlan | StepPlan, handlers: readonly object[]): void {
  const standIns = owner.mocks.filter(({ url }) => url.startsWith(PREFIX))
  owner.mocks = owner.mocks.filter((mock) => !standIns.includes(mock))
  kept.set(
    owner,
    standIns.map(({ url }) => handlers[Number(url.slice(PREFIX.length))] as object),
  )
}

/** The MSW handlers of a suite or step written in TypeScript. Anything else was refused when the suite was loaded. */
export function findHandlers(owner: SuitePlan | StepPlan): readonly RequestHandler[] {
  return (kept.get(owner) ?? []) as RequestHandler[]
}
