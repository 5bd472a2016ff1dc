import type { Position } from '../source.ts'
import type { MockCall, MockProblem, MockReport } from './mock.ts'

/** How many calls a report lists; the rest is counted. */
const MOST_CALLS = 1000

/** How many different problems a report lists. */
const MOST_PROBLEMS = 20

/** Collects what happens in a scope; equal problems are one problem with a count. */
export class ScopeReport {
  readonly #calls: MockCall[] = []
  #omitted = 0
  readonly #problems = new Map<string, MockProblem & { count: number }>()
  readonly #warnings = new Map<string, MockProblem & { count: number }>()

  addCall(call: MockCall): void {
    if (this.#calls.length < MOST_CALLS) this.#calls.push(call)
    else this.#omitted++
  }

  addProblem(message: string, at: Position): void {
    count(this.#problems, { message, at })
  }

  addWarning(message: string, at: Position): void {
    count(this.#warnings, { message, at })
  }

  /** The report so far; `at` is where a warning about left out calls is shown. */
  list(at: Position): MockReport {
    if (this.#omitted > 0)
      this.addWarning(
        `${this.#omitted} further outgoing requests are not listed; the first ${MOST_CALLS} are.`,
        at,
      )
    return { calls: this.#calls, problems: show(this.#problems), warnings: show(this.#warnings) }
  }
}

function count(list: Map<string, MockProblem & { count: number }>, problem: MockProblem): void {
  const key = `${problem.at.join(':')} ${problem.message}`
  const known = list.get(key)
  if (known) known.count++
  else list.set(key, { ...problem, count: 1 })
}

function show(list: Map<string, MockProblem & { count: number }>): MockProblem[] {
  const all = [...list.values()]
  const shown = all.slice(0, MOST_PROBLEMS).map(({ message, at, count }) => ({
    message: count === 1 ? message : `${message} (${count} times)`,
    at,
  }))
  const [first] = all.slice(MOST_PROBLEMS)
  if (first)
    shown.push({
      message: `… and ${all.length - MOST_PROBLEMS} further problems with outgoing requests`,
      at: first.at,
    })
  return shown
}
