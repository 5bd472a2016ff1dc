import type { Json } from '../json.ts'
import { findHeader, type HeaderLines } from '../request/exchange.ts'
import { cutText } from '../safe-json.ts'
import { mask } from '../secrets/secret-names.ts'
import type { Redactor } from '../secrets/redactor.ts'
import { formatBytes } from '../text/units.ts'

/** Redacted before it is cut off, so that a secret across the cut is seen whole. */
export const slack = 1024

/** Headers and body as reports show them. */
export type Content = {
  lines: HeaderLines
  /** The body as JSON, text, data URI or a note on its size; absent when there is none. */
  shown?: Json
  /** The same in raw texts. */
  raw: string
  /** What a curl command sends of the body. */
  bytes?: Buffer | undefined
  /** Bytes of the whole body, where `bytes` are only its start. */
  whole?: number | undefined
}

/** A body with what is known of it; `longest` is how much of it is looked at, at least `limit`, what is shown. */
export type Body = {
  bytes: Uint8Array | undefined
  text: string | undefined
  json?: Json | undefined
  limit: number
  longest: number
}

/** Shows headers and a body, with secrets hidden, and cut. */
export function showContent(
  headers: HeaderLines,
  { bytes, text, json, limit, longest }: Body,
  redactor: Redactor,
): Content {
  const lines = showLines(headers, redactor)
  if (bytes === undefined || text === undefined) return { lines, raw: '' }
  const size = bytes.byteLength
  if (json === undefined && isBinary(text)) {
    const isWhole = size <= longest
    return {
      lines,
      shown: isWhole ? toDataUri(bytes, lines) : `[binary body of ${formatBytes(size)}]`,
      raw: `[binary body of ${size} bytes]`,
      bytes: Buffer.from(bytes.subarray(0, longest)),
      ...(!isWhole && { whole: size }),
    }
  }
  const isCut = text.length > longest + slack
  const safe = redactor.redactSource(isCut ? text.slice(0, longest + slack) : text)
  const raw = cut(safe, limit, size)
  const isSame = safe === text
  return {
    lines,
    shown:
      json === undefined
        ? raw
        : isSame && text.length <= limit
          ? json
          : redactor.redactJson(json, { maxBytes: limit }),
    raw,
    bytes: isSame && bytes instanceof Buffer ? bytes : Buffer.from(safe, 'utf8'),
    ...(isCut && { whole: size }),
  }
}

/** Header lines, each redacted by its name. */
function showLines(lines: HeaderLines, redactor: Redactor): HeaderLines {
  return lines.map(([name, value]) => {
    if (!redactor.isSecretName(name)) return [name, redactor.redactText(value)]
    return [name, redactor.redactJson({ [name]: value })[name] ?? mask]
  })
}

/** Text has no zero bytes and few broken characters. */
function isBinary(text: string): boolean {
  const start = text.length > 4096 ? text.slice(0, 4096) : text
  if (start.includes('\0')) return true
  const broken = start.split('\ufffd').length - 1
  return broken > 3 && broken > start.length / 50
}

function toDataUri(bytes: Uint8Array, lines: HeaderLines): string {
  const type = findHeader(lines, 'content-type') ?? 'application/octet-stream'
  return `data:${type.replaceAll(' ', '')};base64,${Buffer.from(bytes).toString('base64')}`
}

/** A text with no more than so many characters; `size` are the bytes of the whole, where it is cut already. */
export function cut(text: string, limit: number, size?: number): string {
  const shown = text.toWellFormed()
  return shown.length > limit ? cutText(shown, limit, size) : shown
}
