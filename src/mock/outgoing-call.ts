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
  /** The body, read when first asked for: its text, and what that is as data. */
  readBody(): Promise<{ text: string; data: Json }>
}

/** Describes an intercepted request; its body stays unread until a mock needs it. */
export function describeCall(request: Request): OutgoingCall {
  let body: Promise<{ text: string; data: Json }> | undefined
  const url = new URL(request.url)
  const type = request.headers.get('content-type') ?? ''
  const read = async (): Promise<{ text: string; data: Json }> => {
    const text = await request.clone().text()
    return { text, data: parseBody(text, type) }
  }
  return {
    method: request.method.toUpperCase(),
    url,
    request,
    params: groupValues(url.searchParams),
    headers: Object.assign(groupValues([['host', url.host]]), groupValues(request.headers)),
    readBody: () => (body ??= read()),
  }
}

/** JSON if it parses as a JSON map, list or announced value, the fields of a form, else the text. */
function parseBody(text: string, contentType: string): Json {
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType))
    return groupValues(new URLSearchParams(text))
  return /^\s*[[{]/.test(text) || /[/+]json\b/i.test(contentType) ? readData(text) : text
}

/** What `{{request.…}}` sees in a mock's answer. */
export async function describeForAnswer(call: OutgoingCall, path: JsonObject): Promise<JsonObject> {
  const { method, url, params, headers } = call
  const { text, data } = await call.readBody()
  return { request: { method, url: url.href, params, headers, body: text === '' ? null : data, path } }
}
