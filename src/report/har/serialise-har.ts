import { stringifyJson, type Json } from '../../json.ts'
import type { Timings } from '../../request/exchange.ts'
import type { RequestDetails, ResponseDetails, StepResult } from '../../run/result.ts'
import { stringifySafely } from '../../safe-json.ts'
import { readSuite } from '../files/serialise-suite.ts'
import type { SuiteFigures } from '../performance/performance-report.ts'

export type HarSource = {
  suites: readonly SuiteFigures[]
  /** Paths of their result files, in the same order. */ suiteFiles: readonly string[]
}

/** Serialises a run as HAR 1.2, step by step: a page per suite, an entry per step that sent a request (its last attempt). */
export async function* serialiseHar({ suites, suiteFiles }: HarSource): AsyncGenerator<string> {
  const pages = suites.map((suite, number) => ({
    startedDateTime: new Date(suite.start).toISOString(),
    id: `suite-${number + 1}`,
    title: suite.suite_name,
    pageTimings: {},
  }))
  yield `{"log":{"version":"1.2","creator":{"name":"suitecase","version":"1"},"pages":${stringifySafely(pages)},"entries":[`
  let separator = '\n'
  for (const [number, path] of suiteFiles.entries()) {
    const { steps_results } = await readSuite(path)
    for (const step of steps_results) {
      const entry = makeHarEntry(step, `suite-${number + 1}`)
      if (!entry) continue
      yield separator + stringifySafely(entry)
      separator = ',\n'
    }
  }
  yield '\n]}}\n'
}

type Pair = { name: string; value: string }

/** The entry of a step's last request in a HAR 1.2 log (http://www.softwareishard.com/blog/har-12-spec/), -1 for what is not known; undefined when none was sent. */
export function makeHarEntry(step: StepResult, pageref: string): Record<string, unknown> | undefined {
  const { request_details: request, response_details: response } = step
  if (!request || step.start_time === undefined) return undefined
  const timings = toTimings(step.timings)
  const { ssl: _inConnect, ...counted } = timings
  return {
    pageref,
    startedDateTime: step.start_time,
    time: Object.values(counted).reduce((sum, one) => sum + Math.max(0, one), 0),
    request: toRequest(request),
    response: toResponse(response, step.error_message),
    cache: {},
    timings,
    comment: step.qualified_step_id,
    ...(response?.messages && { _resourceType: 'websocket', _webSocketMessages: toMessages(step, response) }),
  }
}

/** Messages as browsers write them into a HAR: seconds since 1970, opcode 2 for binary ones. */
function toMessages({ start_time }: StepResult, { messages = [] }: ResponseDetails): unknown[] {
  return messages.map((message) =>
    typeof message === 'string'
      ? { comment: message }
      : {
          type: message.direction === 'sent' ? 'send' : 'receive',
          time: (Date.parse(start_time ?? '') + message.at_ms) / 1000,
          opcode: message.type === 'text' ? 1 : 2,
          data: toText(message.data),
        },
  )
}

/** HAR's `connect` includes TLS, ours does not; `send` is not measured apart. */
function toTimings(
  { dns = -1, connect = -1, tls = -1, ttfb, download, total }: Timings = { total: 0 },
): Record<string, number> {
  const known = Math.max(0, dns) + Math.max(0, connect) + Math.max(0, tls) + (ttfb ?? 0) + (download ?? 0)
  return {
    blocked: Math.max(0, total - known),
    dns,
    connect: connect === -1 ? -1 : connect + Math.max(0, tls),
    ssl: tls,
    send: 0,
    wait: ttfb ?? 0,
    receive: download ?? 0,
  }
}

function toRequest(request: RequestDetails): Record<string, unknown> {
  const headers = toPairs(request.headers)
  const body = request.body === undefined || request.body === null ? undefined : toText(request.body)
  const query = URL.parse(request.full_url)?.searchParams ?? []
  return {
    method: request.method,
    url: request.full_url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers,
    queryString: [...query].map(([name, value]) => ({ name, value })),
    ...(body === undefined
      ? {}
      : { postData: { mimeType: findHeader(headers, 'content-type') ?? '', text: body } }),
    headersSize: -1,
    bodySize: body === undefined ? 0 : Buffer.byteLength(body),
  }
}

function toResponse(
  response: ResponseDetails | undefined,
  error: string | undefined,
): Record<string, unknown> {
  const headers = toPairs(response?.headers ?? {})
  const [, httpVersion = '', statusText = ''] =
    /^(HTTP\/[\d.]+) \d+ ?([^\r\n]*)/.exec(response?.raw_response ?? '') ?? []
  return {
    status: response?.status_code ?? 0,
    statusText,
    httpVersion,
    cookies: [],
    headers,
    content: {
      size: response?.size_bytes ?? 0,
      mimeType: findHeader(headers, 'content-type') ?? '',
      ...(response ? { text: toText(response.body) } : {}),
    },
    redirectURL: findHeader(headers, 'location') ?? '',
    headersSize: -1,
    bodySize: response?.transfer_bytes ?? -1,
    ...(response || error === undefined ? {} : { comment: error }),
  }
}

function toText(body: Json): string {
  return typeof body === 'string' ? body : body === null ? '' : stringifyJson(body)
}

function toPairs(headers: Record<string, string | string[]>): Pair[] {
  return Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => ({ name, value })),
  )
}

function findHeader(headers: readonly Pair[], wanted: string): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === wanted)?.value
}
