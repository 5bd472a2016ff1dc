import type { RequestHandler } from 'msw'
import type { Mock, MockContext, MockReport, MockCall, MockProblem } from './mock.ts'
import type { Position } from '../source.ts'
import type { Json, JsonObject } from '../json.ts'
import { readMessage } from '../errors.ts'

/** A mock in use, with how often it was called. */
export type ActiveMock = { mock: Mock; calls: number }

/** The mocks of one scope. */
export type MockLayer = {
  mocks: ActiveMock[]
  handlers: RequestHandler[]
  context: MockContext
  report: ScopeReport
  /** Aborted when the scope ends: calls that still wait for their answer are cut off. */
  ended: AbortController
  /** Set when the scope has ended. */
  result?: MockReport
}

/** Opens a layer with nothing called yet. */
export function createLayer(
  mocks: readonly Mock[],
  handlers: readonly RequestHandler[],
  context: MockContext,
): MockLayer {
  return {
    mocks: mocks.map((mock) => ({ mock, calls: 0 })),
    handlers: [...handlers],
    context,
    report: new ScopeReport(),
    ended: new AbortController(),
  }
}

/** True when every mock has been called as often as its `times` says. */
export function isComplete(layer: MockLayer): boolean {
  return layer.mocks.every(({ mock, calls }) => calls >= (mock.times ?? 0))
}

/** True when a mock forbids what has not come by now, but may come after the answer. */
export function isForbidding(layer: MockLayer): boolean {
  return layer.mocks.some(({ mock, calls }) => mock.times === 0 && calls === 0)
}

/** Ends a layer and closes its report; checks `times`. Where not all ran that is part of it, too few calls are as expected. */
export function endLayer(layer: MockLayer, isPartial = false): MockReport {
  if (layer.result) return layer.result
  verifyMocks(layer, isPartial)
  layer.ended.abort()
  layer.result = layer.report.list(layer.context.at)
  return layer.result
}

function verifyMocks(layer: MockLayer, isPartial: boolean): void {
  for (const { mock, calls } of layer.mocks)
    if (!isPartial && mock.times !== undefined && calls < mock.times)
      layer.report.addProblem(
        `Expected the mock of ${nameMock(mock)} to be called ${countCalls(mock.times)}, got ${countCalls(calls)}`,
        mock.at,
      )
}

/** Says what is wrong with a mock that cannot be compared with a request. */
export function describeBroken(mock: Mock, error: unknown): string {
  return `The mock of ${nameMock(mock)} cannot be used: ${readMessage(error)}`
}

/** A mock as messages name it. */
export function nameMock({ method, url }: Mock): string {
  return `\`${method === undefined ? '' : `${method} `}${url}\``
}

/** Where a mock is written. */
export function placeMock({ mock, file }: { mock: Mock; file: string }): string {
  return `${file}:${mock.at[0]}`
}

function countCalls(count: number): string {
  return count === 1 ? '1 time' : `${count} times`
}

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

/** Fills in the `{{…}}` of a part of one mock, given by its place in the mock; throws what fails in them. */
export type FillPart = (pointer: string, value: Json, locals?: JsonObject) => Json

/** Fills in parts of a mock, and notes each `{{…}}` that has no value and stays as written. */
export function prepareFill(mock: Mock, context: MockContext, report: ScopeReport): FillPart {
  return (pointer, value, locals = Object.create(null) as JsonObject) => {
    const filled = context.fillIn({ mock, pointer, value }, locals)
    for (const { message, at } of filled.warnings) report.addWarning(message, at)
    return filled.value
  }
}

/** A mock's `url`, taken apart: what MSW matches, and the query that is matched like `when.params`. */
type UrlPattern = { pattern: string; query: URLSearchParams }

/** Takes a mock's `url` apart; throws a `TypeError` for one that no request could match. */
export function parseUrlPattern(url: string): UrlPattern {
  if (!url.startsWith('*') && !/^[^/?#]+:\/\//.test(url))
    throw new TypeError(
      `Expected the mock’s \`url\` to be absolute, such as \`https://host/path\` or \`*/path\`, got \`${url}\``,
    )
  // A final `?` makes the last path parameter optional, as in MSW.
  const [, base = '', query = ''] = /^([^?#]*:\w+\?$|[^?#]*)(?:\?([^#]*))?/.exec(url) ?? []
  // Default ports need not be written.
  const pattern = base.replace(/^(http:\/\/[^/]+):80(?=\/|$)|^(https:\/\/[^/]+):443(?=\/|$)/i, '$1$2')
  return { pattern, query: new URLSearchParams(query) }
}
