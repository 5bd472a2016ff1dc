import { stringifyJson, isJsonObject, type Json } from '../json.ts'
import { createProblem, readText } from '../request/request-problem.ts'
import { guessContentType } from '../request/build/build-body.ts'
import type { MockAnswer } from './mock.ts'

/** Statuses whose responses have no body (fetch standard, null body status). */
const bodiless = new Set([204, 205, 304])

/** Builds the response of a mock whose `{{…}}` are filled in; `content` is what its `file` contains. Throws if it cannot be sent. */
export function buildAnswer(answer: MockAnswer, content?: Uint8Array): Response {
  const { status = 200, headers = {}, file, body = content } = answer
  const code = readStatus(status)
  const lines = readHeaders(headers)
  if (body === undefined) {
    // Without a length, a client would go on waiting for the body of a 205 (RFC 9110, 15.3.6).
    if (!lines.has('content-length') && code !== 204 && code !== 304) lines.set('content-length', '0')
    return new Response(null, { status: code, headers: lines })
  }
  if (bodiless.has(code))
    throw new TypeError(
      `Expected \`respond\` to have no \`${file === undefined ? 'body' : 'file'}\`, because its status is ${code}; remove one of them`,
    )
  const bytes = content ?? new TextEncoder().encode(typeof body === 'string' ? body : stringifyJson(body))
  const usual = typeof body === 'string' ? 'text/plain;charset=utf-8' : 'application/json'
  if (!lines.has('content-type'))
    lines.set('content-type', file === undefined ? usual : guessContentType(file))
  // A known length keeps the connection open, as with most servers.
  if (!lines.has('content-length') && !lines.has('transfer-encoding'))
    lines.set('content-length', String(bytes.byteLength))
  return new Response(bytes as Uint8Array<ArrayBuffer>, { status: code, headers: lines })
}

function readStatus(status: Json): number {
  const code = typeof status === 'string' && /^\d+$/.test(status) ? Number(status) : status
  if (typeof code === 'number' && Number.isInteger(code) && code >= 200 && code <= 599) return code
  throw createProblem('respond.status', 'a whole number from 200 to 599', status)
}

function readHeaders(fields: Json): Headers {
  if (!isJsonObject(fields)) throw createProblem('respond.headers', 'a map', fields)
  const headers = new Headers()
  for (const [name, value] of Object.entries(fields))
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === null) continue
      const text = readText(item, `respond.headers.${name}`)
      try {
        headers.append(name, text)
      } catch {
        throw createProblem(`respond.headers.${name}`, 'a header a server can send', text)
      }
    }
  return headers
}
