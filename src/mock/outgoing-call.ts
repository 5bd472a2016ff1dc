import { groupValues } from '../request/exchange.ts'
import type { Json, JsonObject } from '../json.ts'
import { readData } from '../safe-json.ts'

/** A request of the application on its way out. */
export type OutgoingCall = {
  method: string
  url: URL
  request: Request
  params: JsonObject
  headers: JsonObject
  contentType: string
  /** The body as text, read when first asked for. */
  readText(): Promise<string>
}

/** Describes an intercepted request; its body stays unread until a mock needs it. */
export function describeCall(request: Request): OutgoingCall {
  let text: Promise<string> | undefined
  const url = new URL(request.url)
  return {
    method: request.method.toUpperCase(),
    url,
    request,
    params: groupValues(url.searchParams),
    headers: collectHeaders(request.headers, url),
    contentType: request.headers.get('content-type') ?? '',
    readText: () => (text ??= request.clone().text()),
  }
}

/** The body as data: JSON if it parses as a JSON map, list or announced value, the fields of a form, else the text. */
export function parseBody(text: string, contentType: string): Json {
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType))
    return groupValues(new URLSearchParams(text))
  return /^\s*[[{]/.test(text) || /[/+]json\b/i.test(contentType) ? readData(text) : text
}

/** What `{{request.…}}` sees in a mock's answer. */
export async function describeForAnswer(call: OutgoingCall, path: JsonObject): Promise<JsonObject> {
  const { method, url, params, headers } = call
  const text = await call.readText()
  const body = text === '' ? null : parseBody(text, call.contentType)
  return { request: { method, url: url.href, params, headers, body, path } }
}

/** Copies path parameters as found by the URL pattern. */
export function copyPath(found: object): JsonObject {
  const path: JsonObject = Object.create(null)
  for (const [name, value] of Object.entries(found)) if (value !== undefined) path[name] = value as Json
  return path
}

function collectHeaders(headers: Headers, url: URL): JsonObject {
  const collected: JsonObject = Object.create(null)
  collected['host'] = url.host
  headers.forEach((value, name) => {
    collected[name.toLowerCase()] = value
  })
  return collected
}
