import { isDeepStrictEqual } from 'node:util'
import type { RequestHandler } from 'msw'
import type { Position } from '../source.ts'
import { countOf } from '../text/units.ts'
import { findHandler } from './handlers.ts'
import { warnAt } from '../errors.ts'
import type { Mock, MockCall, MockContext, MockReport } from './mock.ts'

/** Most calls, and most different problems, in a report. */
const [MOST_CALLS, MOST_PROBLEMS] = [1000, 20]

/** The mocks of one scope, and what happens while it is the innermost scope. */
export class MockLayer {
  readonly mocks: { mock: Mock; calls: number }[]
  /** MSW's own handlers, which are asked after the mocks. */
  readonly handlers: readonly RequestHandler[]
  readonly context: MockContext
  /** Aborted when the scope ends, which cuts off calls still waiting for their answer. */
  readonly ended = new AbortController()
  readonly #report: MockReport = { calls: [], problems: [], met: [], warnings: [] }

  constructor(mocks: readonly Mock[], context: MockContext) {
    this.mocks = mocks.filter((mock) => !findHandler(mock)).map((mock) => ({ mock, calls: 0 }))
    this.handlers = mocks.flatMap((mock) => findHandler(mock) ?? [])
    // A handler with `once` may have been used in an earlier run.
    for (const handler of this.handlers) handler.isUsed = false
    this.context = context
  }

  /** True while a mock expects further calls, or forbids calls and has had none so far. */
  get isWaiting(): boolean {
    return this.mocks.some(({ mock: { times }, calls }) => times !== undefined && calls < Math.max(times, 1))
  }

  /** True while a mock expects further calls. */
  get isUnmet(): boolean {
    return this.mocks.some(({ mock: { times = 0 }, calls }) => calls < times)
  }

  get calls(): readonly MockCall[] {
    return this.#report.calls
  }

  addCall(call: MockCall): void {
    if (this.#report.calls.length < MOST_CALLS) this.#report.calls.push(call)
    else this.addWarning(`Only the first ${MOST_CALLS} outgoing requests are listed.`)
  }

  /** Records a problem that fails the step or suite, by default at the position of that step or suite. */
  addProblem(message: string, at: Position = this.context.at): void {
    add(this.#report.problems, { message, at })
  }

  addWarning(message: string, at: Position = this.context.at): void {
    add(this.#report.warnings, warnAt(at, message))
  }

  /** Ends the scope, checks `times` and returns the report. `isPartial`: not everything ran, so too few calls are no problem. */
  end(isPartial = false): MockReport {
    if (this.ended.signal.aborted) return this.#report
    for (const { mock, calls } of isPartial ? [] : this.mocks) {
      if (mock.times === undefined) continue
      const wanted = `called ${countOf(mock.times, 'time')}`
      if (calls < mock.times)
        this.addProblem(
          `Expected the mock of ${nameMock(mock)} to be ${wanted}, got ${countOf(calls, 'time')}`,
          mock.at,
        )
      else if (this.#report.problems.every(({ at }) => at !== mock.at))
        this.#report.met.push(`${nameMock(mock)} ${wanted}`)
    }
    this.ended.abort()
    return this.#report
  }
}

/** Adds a problem or warning unless it is already listed; beyond the limit, adds one line that says there are more. */
function add<Entry extends { message: string }>(listed: Entry[], entry: Entry): void {
  if (listed.length > MOST_PROBLEMS || listed.some((known) => isDeepStrictEqual(known, entry))) return
  const message = '… and further problems with outgoing requests'
  listed.push(listed.length === MOST_PROBLEMS ? { ...entry, message } : entry)
}

export function nameMock({ method, url }: Mock): string {
  return `\`${method === undefined ? '' : `${method} `}${url}\``
}
