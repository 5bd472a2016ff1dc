import { groupValues } from '../request/exchange.ts'
import type { Json, JsonObject } from '../json.ts'
import { readData } from '../safe-json.ts'

/** An outgoing request of the application. */
export type OutgoingCall = ReturnType<typeof describeCall>

/** Describes an intercepted request; its body is read only if a mock needs it. `learn` gets what messages may show. */
export function describeCall(request: Request, learn: (data: Json) => void = () => {}) {
  let body: ReturnType<typeof read> | undefined
  const url = new URL(request.url)
  const type = request.headers.get('content-type') ?? ''
  const read = async (): Promise<{ text: string; data: Json }> => {
    const text = await request.clone().text()
    const data = parseBody(text, type)
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
    /** The body as text and as data; read on first use. */
    readBody: () => (body ??= read()),
  }
}

/** The fields of a form; JSON if it parses and is a map, a list or declared as JSON; else the text. */
function parseBody(text: string, contentType: string): Json {
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType))
    return groupValues(new URLSearchParams(text))
  return /^\s*[[{]/.test(text) || /[/+]json\b/i.test(contentType) ? readData(text) : text
}

/** The locals of a mock's answer, such as `{{request.…}}`. */
export async function describeForAnswer(call: OutgoingCall, path: JsonObject): Promise<JsonObject> {
  const { method, url, params, headers } = call
  const { text, data } = await call.readBody()
  return { request: { method, url: url.href, params, headers, body: text === '' ? null : data, path } }
}
