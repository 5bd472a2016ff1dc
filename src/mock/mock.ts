import type { PlacedMessage, ResultWarning } from '../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import type { Position } from '../source.ts'

/** A mock as written. */
export type Mock = {
  /** Default: any method. */
  method?: string | undefined
  /** Absolute; `*` and `:name` match as in MSW, a query is matched like `when.params`. */
  url: string
  when?: MockCondition | undefined
  /** `passthrough` lets the request go to the network. Without it, the mock only expects the request and does not answer it. */
  respond?: MockAnswer | 'passthrough' | undefined
  /** The exact number of calls; further calls go to the next matching mock of the same list. */
  times?: number | undefined
  at: Position
  /** JSON pointer to it in the suite, such as `/steps/0/mocks/1`. */
  pointer: string
}

/** What a request must have besides method and URL. A `{{…}}` in it sees the request as `request`. */
export type MockCondition = {
  params?: JsonObject | undefined
  headers?: JsonObject | undefined
  /** A map matches part of a JSON or form body; a text matches the whole body. */
  body?: Json | undefined
}

/** A mock's answer; every value may contain `{{…}}`, which see the outgoing request as `request`. */
export type MockAnswer = {
  /** Default 200. */
  status?: number | string | undefined
  headers?: JsonObject | undefined
  body?: Json | undefined
  /** A file whose bytes are the body, relative to the suite. */
  file?: string | undefined
  delay_ms?: number | undefined
  error?: 'network' | 'timeout' | undefined
}

/** What mocks need from their suite or step. */
export type MockContext = {
  /** Path of the suite file, as messages show it. */
  file: string
  /** Position for problems that belong to no mock: that of the step or suite. */
  at: Position
  /** Fills in the `{{…}}` of a part of a mock in one pass; `locals` override variables. Errors it throws are reported at the mock. */
  fillIn(part: MockPart, locals: JsonObject): FilledPart
  /** Reads the `file` of a response; `written` is its name as in the suite. Throws if it cannot be read. */
  readFile(name: string, written: string): Promise<Uint8Array>
}

/** A part of a mock as written; `pointer` is its place in the mock, such as `/when/body`. */
export type MockPart = { mock: Mock; pointer: string; value: Json }

export type FilledPart = { value: Json; warnings: readonly ResultWarning[] }

/** A request of the application that a mock answered, nothing answered, or that went to the network. */
export type MockCall = {
  method: string
  url: string
  /** Location of the mock, `file:line`. */
  mock?: string
  status_code?: number
  /** The body of the request. Like `answered` and `headers`, only there if a mock of the suite answered or broke the connection. */
  sent?: Json
  answered?: Json
  /** Those of the request, with lower-case names. */
  headers?: JsonObject
  outcome: 'mocked' | 'unhandled' | 'passed_through'
}

/** What happened to the application's outgoing requests while a scope was the innermost. */
export type MockReport = {
  calls: MockCall[]
  /** These fail the step or suite. */
  problems: PlacedMessage[]
  /** Each mock that was called as often as its `times` says, in words. */
  met: string[]
  warnings: ResultWarning[]
}

/** A request that no mock answers: `error` refuses and reports it, `warn` lets it through and reports it, `bypass` lets it through. */
export type UnhandledPolicy = 'error' | 'warn' | 'bypass'

/** How a mock server treats requests, and the mocks that apply until it is closed. */
export type MockServerOptions = {
  onUnhandled: UnhandledPolicy
  /** True for servers of the suite (application, echo server): requests to them are left alone. */
  isOwnRequest?: (origin: URL) => boolean
  /** Name of the suite; if given, calls the application makes for it after its end are refused. */
  suite?: string | undefined
  /** Gets what messages may show of calls and mocks, so that secrets in it are found. */
  learn?: (data: Json) => void
  context: MockContext
  mocks?: readonly Mock[]
}
