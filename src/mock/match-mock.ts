import { findDifferences } from '../compare-json.ts'
import { isJsonObject, makeMap, readOwn, stringifyJson, type JsonObject, type Json } from '../json.ts'
import { defaultLimits } from '../limits.ts'
import { groupValues } from '../request/exchange.ts'
import type { matchRequestUrl } from 'msw'
import { formatFieldPath } from '../path/field-path.ts'
import { decodeContent, listEncodings } from '../request/receive/decode-content.ts'
import { createProblem, describeValue, readText } from '../request/request-problem.ts'
import { showValue } from '../text/show-value.ts'
import { readData } from '../safe-json.ts'
import type { Mock, MockCondition } from './mock.ts'
import { askForBody, type InterceptedRequest } from './network.ts'

export type OutgoingCall = ReturnType<typeof describeCall>

/** Describes an intercepted request. `learn` gets what messages may show, so that secrets in it are found. */
export function describeCall(event: InterceptedRequest, learn: (data: Json) => void = () => {}) {
  const { request } = event
  let body: ReturnType<typeof read> | undefined
  let isAsked = false
  const url = new URL(request.url)
  const type = request.headers.get('content-type') ?? ''
  const copy = (): Request => {
    if (!isAsked) askForBody(event)
    isAsked = true
    return request.clone()
  }
  const read = async (): Promise<{ text: string; data: Json }> => {
    const text = await decodeText(copy())
    const isForm = /^multipart\/form-data\b/i.test(type)
    const data = isForm ? await readParts(copy()).catch(() => text) : parseBody(text, type)
    learn(data)
    return { text, data }
  }
  return {
    method: request.method.toUpperCase(),
    url,
    request,
    params: groupValues(url.searchParams),
    headers: Object.assign(groupValues([['host', url.host]]), groupValues(request.headers)),
    learn,
    copy,
    readBody: () => (body ??= read()),
  }
}

/** The text of a body without its content encoding. One that is unknown, such as `aws-chunked`, stays. */
async function decodeText(request: Request): Promise<string> {
  const raw = new Uint8Array(await request.arrayBuffer())
  const encodings = listEncodings([...request.headers])
  const bytes = await decodeContent(raw, encodings, defaultLimits.body).catch(() => raw)
  return new TextDecoder().decode(bytes)
}

/** The parts of a multipart form as a map: fields as strings, files as maps. */
async function readParts(request: Request): Promise<JsonObject> {
  const form = await request.formData()
  const parts = Array.from(form, async ([name, value]): Promise<[string, string | JsonObject]> => {
    if (typeof value === 'string') return [name, value]
    return [name, { filename: value.name, type: value.type, value: await value.text() }]
  })
  return groupValues(await Promise.all(parts))
}

function parseBody(text: string, contentType: string): Json {
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType))
    return groupValues(new URLSearchParams(text))
  return /^\s*[[{]/.test(text) || /[/+]json\b/i.test(contentType) ? readData(text) : text
}

/** What the templates in the `when` and the answer of a mock see besides variables, such as `{{request.…}}`. */
export async function describeForTemplates(call: OutgoingCall, path: JsonObject): Promise<JsonObject> {
  const { method, url, params, headers } = call
  const { text, data } = await call.readBody()
  return { request: { method, url: url.href, params, headers, body: text === '' ? null : data, text, path } }
}

/** Fills in the `{{…}}` of a part of a mock, at `pointer` in it. Throws the errors of its templates. */
export type FillPart = (pointer: string, value: Json, locals?: JsonObject) => Json

/** Compares a request with a mock. Resolves to the path parameters of a match, to why a mock for its URL does not match, or to undefined. Throws if the mock is invalid. */
export async function matchMock(
  mock: Mock,
  call: OutgoingCall,
  { fill, matchUrl }: { fill: FillPart; matchUrl: typeof matchRequestUrl },
): Promise<{ path: JsonObject } | { reason: string } | undefined> {
  const { pattern, query } = parseUrlPattern(readText(fill('/url', mock.url), 'url'))
  const found = matchUrl(call.url, pattern)
  if (!found.matches) return undefined
  const method = mock.method && readText(fill('/method', mock.method), 'method').toUpperCase()
  if (method !== undefined && method !== call.method) return { reason: `its method is ${method}` }
  const given = Object.entries(found.params ?? {}).filter(([, value]) => value !== undefined)
  const path = makeMap(given as [string, Json][])
  // Reading the body has a price, so only a condition that may name the request sees it.
  const isAsked = /\brequest\b/.test(stringifyJson(mock.when ?? null))
  const locals = isAsked ? await describeForTemplates(call, path) : undefined
  const reason =
    findFieldDifference(groupValues(query), call.params, 'url') ??
    (mock.when &&
      (await findConditionDifference(mock.when, call, (pointer, value) => fill(pointer, value, locals))))
  return reason === undefined ? { path } : { reason }
}

/** True if a mock, such as that of `http://localhost:8080/*`, lets all requests to an origin through. None of HTTP/2 can be told from the others. */
export function isPassedThrough(
  { url, method, when, respond }: Mock,
  origin: URL,
  { fill, matchUrl }: { fill: FillPart; matchUrl: typeof matchRequestUrl },
): boolean {
  if (respond !== 'passthrough' || method !== undefined || when) return false
  return matchUrl(origin, parseUrlPattern(readText(fill('/url', url), 'url')).pattern).matches
}

/** Splits a mock's `url` into the pattern that MSW matches and the query, which is matched like `when.params`. */
function parseUrlPattern(url: string): { pattern: string; query: URLSearchParams } {
  if (!url.startsWith('*') && !/^[^/?#]+:\/\//.test(url))
    throw new TypeError(
      `Expected the mock’s \`url\` to be absolute, such as \`https://host/path\` or \`*/path\`, got \`${url}\``,
    )
  // A final `?` makes the last path parameter optional, as in MSW.
  const [, base = '', query = ''] = /^([^?#]*:\w+\?$|[^?#]*)(?:\?([^#]*))?/.exec(url) ?? []
  // A colon inside a segment begins no name: `/orders:publish`, `/:id:approve`.
  const escaped = base.replaceAll(/(?<=[\w*)]):(?=[a-z_])/gi, String.raw`\:`)
  // A WebSocket begins as a request over HTTP.
  const http = escaped.replace(/^ws(?=s?:\/\/)/i, 'http')
  // Default ports are optional.
  const pattern = http.replace(/^(http:\/\/[^/]+):80(?=\/|$)|^(https:\/\/[^/]+):443(?=\/|$)/i, '$1$2')
  return { pattern, query: new URLSearchParams(query) }
}

async function findConditionDifference(
  when: MockCondition,
  call: OutgoingCall,
  fill: FillPart,
): Promise<string | undefined> {
  for (const name of ['params', 'headers'] as const) {
    const filled = when[name] && fill(`/when/${name}`, when[name])
    if (filled === undefined) continue
    if (!isJsonObject(filled)) throw createProblem(`when.${name}`, 'a map', filled)
    const wanted = Object.entries(filled).map(([key, value]): [string, Json] => [
      name === 'params' ? key : key.toLowerCase(),
      value,
    ])
    const difference = findFieldDifference(Object.fromEntries(wanted), call[name], `when.${name}`)
    if (difference !== undefined) return difference
  }
  if (when.body === undefined) return undefined
  const wanted = fill('/when/body', when.body)
  const { text, data } = await call.readBody()
  if (wanted === text) return undefined
  // A map compares only its own keys, a list every element in order; types are strict, as in JSON.
  const [first] = findDifferences(wanted, data, { partial: true, keep: 1 }).kept
  return first && describeDifference(first.expected, first.actual, formatFieldPath(first.path, 'when.body'))
}

/** Describes the first difference in query parameters or headers. Their values are texts: `5` expects the text `5`, null that the name is absent. */
function findFieldDifference(expected: JsonObject, actual: JsonObject, path: string): string | undefined {
  for (const [name, value] of Object.entries(expected)) {
    const found = readOwn(actual, name)
    const same =
      value === null ? found === undefined : found !== undefined && listTexts(value) === listTexts(found)
    if (!same && Array.isArray(value) && Array.isArray(found))
      return `\`${path}.${name}\` is ${showValue(value)}, but the request has ${showValue(found)}`
    if (!same) return describeDifference(value, found, `${path}.${name}`)
  }
  return undefined
}

// A text equals a list of just that text: `?tag=a` matches `tag: [a]`. Undefined for maps, null and lists with any.
function listTexts(value: Json): string | undefined {
  const items = Array.isArray(value) ? value : [value]
  if (items.some((item) => typeof item === 'object')) return undefined
  return JSON.stringify(items.map(String))
}

function describeDifference(expected: Json | undefined, actual: Json | undefined, path: string): string {
  return `\`${path}\` is ${describeValue(expected)}, but the request has ${describeValue(actual)}`
}
