import { parseJson, type Json, type JsonObject } from '../json.ts'
import type { StepResult } from '../run/result.ts'

/** Gathers the named values of a step from which a redactor can learn secrets: headers, bodies (also JSON and forms kept as text), query parameters and variables. */
export function listLearnable({
  request_details: request,
  response_details: response,
  ...step
}: StepResult): Json {
  const values: Json[] = [step.captured_variables, step.available_variables, step.iteration ?? null]
  if (request) {
    values.push(request.headers, request.params ?? null, parseUrl(request.full_url))
    if (request.body !== undefined) values.push(parseText(request.body))
  }
  if (response) values.push(response.headers, parseText(response.body))
  for (const { url } of [...(step.redirects ?? []), ...(step.mock_calls ?? [])]) values.push(parseUrl(url))
  return values
}

/** Query parameters, and the password of credentials: nothing else in a URL has a name. */
function parseUrl(text: string): JsonObject {
  const [, query] = /^[^?#]*\?([^#]*)/.exec(text) ?? []
  const values = query === undefined ? {} : Object.fromEntries(new URLSearchParams(query))
  const password = text.includes('@') ? URL.parse(text)?.password : undefined
  return password ? { ...values, password: decodeLoosely(password) } : values
}

function decodeLoosely(text: string): string {
  return new URLSearchParams(`a=${text.replaceAll('+', '%2B').replaceAll('&', '%26')}`).get('a') ?? ''
}

function parseText(body: Json): Json {
  if (typeof body !== 'string') return body
  if (/^\s*[{[]/.test(body)) return readJson(body)
  return /^[\w.[\]%+-]+=/.test(body) ? Object.fromEntries(new URLSearchParams(body)) : body
}

function readJson(text: string): Json {
  try {
    return parseJson(text)
  } catch {
    // Text that only looks like JSON names nothing; `redactSource` still hides its pairs.
    return text
  }
}
