import type { RequestHandler } from 'msw'
import type { Json, JsonObject } from '../json.ts'
import type { Position } from '../source.ts'

/** A mocked upstream request as its author writes it, with its place in the suite file. */
export type Mock = {
  /** Default: any method. */
  method?: string | undefined
  /** Absolute; `*` and `:name` match as in MSW, a query is matched like `when.params`. */
  url: string
  when?: MockCondition | undefined
  /** Without it the mock only expects the request: nothing answers it. */
  respond?: MockAnswer | undefined
  /** How often the mock is called, exactly; further calls go to the next mock of the same list that matches. */
  times?: number | undefined
  at: Position
  /** Where it is in the suite, such as `/steps/0/mocks/1`. */
  pointer: string
}

/** What a request must have beside method and url for the mock to match. */
export type MockCondition = {
  params?: JsonObject | undefined
  headers?: JsonObject | undefined
  /** A map matches part of a JSON or form body, a text the whole body. */
  body?: Json | undefined
}

/** What a mock answers; every value may hold `{{…}}`, with the outgoing request as `request`. */
export type MockAnswer = {
  /** Default 200. */
  status?: number | string | undefined
  headers?: JsonObject | undefined
  body?: Json | undefined
  delay_ms?: number | undefined
  error?: 'network' | 'timeout' | undefined
}

/** What mocks need of the suite or step they belong to. */
export type MockContext = {
  /** Path of the suite file, as messages show it. */
  file: string
  /** Where problems are shown that belong to no mock: the step, or the suite. */
  at: Position
  /** Fills in the `{{…}}` of a part of a mock in one pass; `locals` win over variables. What it throws is reported at the mock. */
  fillIn(part: MockPart, locals: JsonObject): FilledPart
}

/** A part of a mock as its author wrote it; `pointer` is its place in the mock, such as `/when/body`. */
export type MockPart = { mock: Mock; pointer: string; value: Json }

/** A part of a mock with its `{{…}}` filled in; `warnings` are about those that have no value and stay as written. */
export type FilledPart = { value: Json; warnings: readonly MockProblem[] }

/** A request of the application that a mock answered, that nothing answered, or that went to the network. */
export type MockCall = {
  method: string
  url: string
  /** Where the mock is written, `file:line`. */
  mock?: string
  status_code?: number
  /** Bodies, when a mock of the suite answered. */
  sent?: Json
  answered?: Json
  outcome: 'mocked' | 'unhandled' | 'passed_through'
}

/** Something about outgoing requests that the author should know, with its place in the suite file. */
export type MockProblem = { message: string; at: Position }

/** What happened to the application's outgoing requests while a scope was the innermost one. */
export type MockReport = {
  calls: MockCall[]
  /** Fail the step or suite. */
  problems: MockProblem[]
  /** Do not: requests that passed through under `warn`, calls left out of a long list. */
  warnings: MockProblem[]
}

/** Mocks that hold until `finish`; the scope opened last is asked first and notes all calls. */
export type MockScope = {
  /** Waits until every call so far is answered or refused and every `times` is met, a `times: 0` to the end, at most `limit` ms (default 100). */
  settle(limit?: number): Promise<void>
  /** Takes the mocks away, ends calls that still wait for their answer, checks `times` and reports; a second call gives the same report. */
  finish(): MockReport
}

/** What to do with a request that no mock answers. */
export type UnhandledPolicy = 'error' | 'warn' | 'bypass'

/** How a mock server treats requests, and the mocks that hold until it is closed. */
export type MockServerOptions = {
  /** `error` refuses the request and reports it, `warn` lets it through and reports it, `bypass` lets it through. */
  onUnhandled: UnhandledPolicy
  /** True for addresses that are the suite's own (the application under test, the echo server): requests to them are left alone. The URL has only an origin. */
  isOwnRequest?: (origin: URL) => boolean
  /** Name of the suite, if calls that the application makes for it after its end are to be refused. */
  suite?: string | undefined
  context: MockContext
  mocks?: readonly Mock[]
  handlers?: readonly RequestHandler[]
}

/** Answers the outgoing HTTP requests of this thread. */
export type MockServer = {
  /** Opens a scope. MSW's own request handlers (`http.get(…)`, `graphql.query(…)`) are asked after its mocks. */
  use(mocks: readonly Mock[], context: MockContext, handlers?: readonly RequestHandler[]): MockScope
  /** Gives the network back, ends open scopes and reports what happened while no scope was open. Where not all steps ran, too few calls are no problem. */
  close(isPartial?: boolean): MockReport
}
