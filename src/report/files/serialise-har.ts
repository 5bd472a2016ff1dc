import { readSuiteFile, type Hide } from './suite-file.ts'
import { stringifySafely } from '../../safe-json.ts'
import { toText } from '../../json.ts'
import { findHeader, type HeaderLines } from '../../request/exchange.ts'
import type { RequestDetails, ResponseDetails, StepResult } from '../../run/result.ts'

/** Serialises a run as HAR 1.2, step by step: a page per suite, an entry per step that sent a request (its last attempt; for a burst, the response shown in the report). `suiteFiles` are paths of result files. */
export function* serialiseHar(suiteFiles: readonly string[], hide: Hide): Generator<string> {
  const pages: object[] = []
  yield '{"log":{"version":"1.2","creator":{"name":"suitecase","version":"1"},"entries":['
  let separator = '\n'
  for (const [number, path] of suiteFiles.entries()) {
    const { start_time: startedDateTime, suite_name: title, steps_results } = readSuiteFile(path)
    const id = `suite-${number + 1}`
    pages.push({ startedDateTime, id, title, pageTimings: {} })
    for (const step of steps_results) {
      const entry = makeHarEntry(step, id)
      if (!entry) continue
      yield separator + stringifySafely(hide(entry))
      separator = ',\n'
    }
  }
  yield `\n],"pages":${stringifySafely(pages)}}}\n`
}

/** The HAR entry for a step's last request (http://www.softwareishard.com/blog/har-12-spec/; -1 means unknown); undefined if none was sent. */
export function makeHarEntry(step: StepResult, pageref: string) {
  const { request_details: request, response_details: response } = step
  if (!request || step.start_time === undefined) return undefined
  const { dns = 0, connect = 0, tls = 0, ttfb = 0, download = 0, total = 0 } = step.timings ?? {}
  const known = dns + connect + tls + ttfb + download
  return {
    pageref,
    startedDateTime: step.attempts?.at(-1)?.start_time ?? step.start_time,
    time: Math.max(total, known),
    request: toRequest(request),
    response: toResponse(response, step.error_message),
    cache: {},
    // HAR's `connect` includes TLS, ours does not; `send` is not measured separately.
    timings: {
      blocked: Math.max(0, total - known),
      dns,
      connect: connect + tls,
      ssl: tls,
      send: 0,
      wait: ttfb,
      receive: download,
    },
    comment: step.qualified_step_id,
  }
}

function toRequest(request: RequestDetails) {
  const headers = listLines(request.headers)
  const { body } = request
  const query = URL.parse(request.full_url)?.searchParams ?? []
  return {
    method: request.method,
    url: request.full_url,
    httpVersion: / (HTTP\/[\d.]+)\r/.exec(request.raw_request ?? '')?.[1] ?? '',
    cookies: [],
    headers: toPairs(headers),
    queryString: toPairs(query),
    ...(body !== undefined && {
      postData: { mimeType: findHeader(headers, 'content-type') ?? '', text: toText(body) },
    }),
    headersSize: -1,
    bodySize: -1,
  }
}

function toResponse(response: ResponseDetails | undefined, error: string | undefined) {
  const headers = listLines(response?.headers ?? {})
  const [, httpVersion = '', statusText = ''] =
    /^(HTTP\/[\d.]+) \d+ ?([^\r\n]*)/.exec(response?.raw_response ?? '') ?? []
  return {
    status: response?.status_code ?? 0,
    statusText,
    httpVersion,
    cookies: [],
    headers: toPairs(headers),
    content: {
      size: response?.size_bytes ?? 0,
      mimeType: findHeader(headers, 'content-type') ?? '',
      ...(response && toContent(toText(response.body))),
    },
    redirectURL: findHeader(headers, 'location') ?? '',
    headersSize: -1,
    bodySize: response?.transfer_bytes ?? -1,
    ...(response || error === undefined ? {} : { comment: error }),
  }
}

/** Binary data is base64 in a HAR, unless a secret was removed from it. */
function toContent(shown: string): { text: string; encoding?: 'base64' } {
  const text = /^data:[^,]*;base64,([A-Za-z0-9+/]+=*)$/.exec(shown)?.[1]
  return text === undefined ? { text: shown } : { text, encoding: 'base64' }
}

function listLines(headers: Record<string, string | string[]>): HeaderLines {
  return Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as const),
  )
}

function toPairs(pairs: Iterable<readonly [name: string, value: string]>): object[] {
  return Array.from(pairs, ([name, value]) => ({ name, value }))
}
