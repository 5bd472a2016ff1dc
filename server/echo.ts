import { lineBreak } from './json/indent.ts'
import { compareCodePoints } from './json/code-points.ts'
import { quoteString } from './json/quote-string.ts'
import { JsonTooLarge, reprintJson } from './json/reprint-json.ts'
import { HttpProblem } from './http-problem.ts'
import { type Reply, replyText } from './reply.ts'
import type { EchoRequest } from './request/echo-request.ts'
import { type Fields, parseFields } from './request/fields.ts'
import { readHeaders } from './request/headers.ts'
import { type Content, parseContent } from './request/parse-content.ts'
import { buildRequestUrl } from './request/request-url.ts'
import { showBytes } from './request/show-bytes.ts'

/** The keys an echo may have. */
export type EchoKey = 'args' | 'data' | 'files' | 'form' | 'headers' | 'json' | 'method' | 'origin' | 'url'

const KEYS = new Set(['args', 'data', 'files', 'form', 'headers', 'json', 'method', 'origin', 'url'])

/** Answers with a description of the request. `keys` are in alphabetical order. */
export function replyEcho(request: EchoRequest, keys: readonly EchoKey[]): Reply {
  return replyText(`${printEcho(request, keys)}\n`)
}

/** Describes a request as JSON text of the given keys, with members of its own in between. */
export function printEcho(request: EchoRequest, keys: readonly EchoKey[], extras: EchoExtras = {}): string {
  const source = new EchoSource(request)
  const names = Object.keys(extras)
  const all = names.length === 0 ? keys : [...keys, ...names].toSorted(compareCodePoints)
  let printed = ''
  for (const name of all)
    printed += `${printed === '' ? '{' : ','}${OUTER}"${name}": ${isKey(name) ? source[name]() : extras[name]}`
  return `${printed}\n}`
}

function isKey(name: string): name is EchoKey {
  return KEYS.has(name)
}

/** Further members of an echo. */
export type EchoExtras = Readonly<Record<string, boolean | number>>

/** The parts of an echo as JSON text, each made when asked for. */
export class EchoSource {
  private readonly request: EchoRequest
  private readonly shownHeaders: Map<string, string>
  private parsed: Content | undefined
  private shownData: string | undefined

  constructor(request: EchoRequest) {
    this.request = request
    this.shownHeaders = readHeaders(request.message.rawHeaders)
  }

  args(): string {
    return this.request.query === '' ? '{}' : printFields(parseFields(this.request.query))
  }

  data(): string {
    return quoteString(this.text())
  }

  files(): string {
    return printTexts(this.content().files)
  }

  form(): string {
    return printFields(this.content().form)
  }

  headers(): string {
    return printTexts(this.shownHeaders)
  }

  json(): string {
    const text = this.text()
    if (text === '') return 'null'
    try {
      return reprintJson(text, 1, Math.min(8 * this.request.limits.maxBody, LARGEST_JSON)) ?? 'null'
    } catch (error) {
      if (error instanceof JsonTooLarge)
        throw new HttpProblem(413, 'the JSON body has too many values, or is too large when printed')
      throw error
    }
  }

  method(): string {
    return quoteString(this.request.method)
  }

  origin(): string {
    return quoteString(this.clientAddress())
  }

  url(): string {
    return quoteString(this.requestUrl())
  }

  clientAddress(): string {
    return this.shownHeaders.get('X-Forwarded-For') ?? this.request.message.socket.remoteAddress ?? ''
  }

  requestUrl(): string {
    const { path, query, message } = this.request
    const host = this.shownHeaders.get('Host') ?? `${message.socket.localAddress}:${message.socket.localPort}`
    return buildRequestUrl({ scheme: this.scheme(), host, path, query })
  }

  private scheme(): string {
    const headers = this.shownHeaders
    const forwarded = headers.get('X-Forwarded-Proto') || headers.get('X-Forwarded-Protocol')
    if (forwarded) return forwarded
    return headers.get('X-Forwarded-Ssl') === 'on' ? 'https' : 'http'
  }

  /** The body as text: a data URI when it is not UTF-8, which is no JSON either. */
  private text(): string {
    this.shownData ??= showBytes(this.content().data)
    return this.shownData
  }

  private content(): Content {
    const { body, limits } = this.request
    this.parsed ??= parseContent(body, this.shownHeaders.get('Content-Type') ?? '', limits.maxParts)
    return this.parsed
  }
}

/** With the escaped body beside it, still a string that the engine can hold. */
const LARGEST_JSON = 2 ** 28

const INNER = lineBreak(2)
const OUTER = lineBreak(1)

function printTexts(texts: ReadonlyMap<string, string>): string {
  return printSorted(texts, quoteString)
}

function printFields(fields: Fields): string {
  return printSorted(fields, printValues)
}

function printValues(values: readonly string[]): string {
  const [only = ''] = values
  if (values.length === 1) return quoteString(only)
  const line = lineBreak(3)
  return `[${line}${values.map(quoteString).join(`,${line}`)}${INNER}]`
}

function printSorted<Value>(values: ReadonlyMap<string, Value>, print: (value: Value) => string): string {
  if (values.size === 0) return '{}'
  const entries = [...values]
  if (entries.length > 1) entries.sort(([a], [b]) => compareCodePoints(a, b))
  let printed = ''
  for (const [name, value] of entries)
    printed += `${printed === '' ? '{' : ','}${INNER}${quoteString(name)}: ${print(value)}`
  return `${printed}${OUTER}}`
}
