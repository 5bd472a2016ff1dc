import type { Json } from '../json.ts'
import { findHeader, type HeaderLines } from '../request/exchange.ts'
import { cutText } from '../safe-json.ts'
import { mask } from '../secrets/secret-names.ts'
import type { Redactor } from '../secrets/redactor.ts'
import { formatBytes } from '../text/units.ts'

/** Extra characters that are redacted before the cut, so that a secret across the cut is recognised. */
export const slack = 1024

/** A body and its decoded forms. `limit` is how much of it to show. */
export type Body = {
  bytes: Uint8Array | undefined
  text: string | undefined
  json?: Json | undefined
  limit: number
}

/**
 * Prepares headers (`lines`) and a body for reports: hides secrets and cuts the body. `shown` is JSON, text, a data URI or a note on
 * the size; `raw` is for raw requests and responses; `bytes` are what a curl command sends: if only the start, `whole` is the size.
 */
export function showContent(headers: HeaderLines, body: Body, redactor: Redactor) {
  const { bytes, text, json, limit } = body
  const lines = showLines(headers, redactor)
  if (bytes === undefined || text === undefined)
    return { lines, shown: undefined, raw: '', bytes: undefined, whole: undefined }
  const size = bytes.byteLength
  if (json === undefined && isBinary(text)) {
    const isWhole = size <= limit
    const type = (findHeader(lines, 'content-type') ?? 'application/octet-stream').replaceAll(' ', '')
    return {
      lines,
      shown: isWhole
        ? `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
        : `[binary body of ${formatBytes(size)}]`,
      raw: `[binary body of ${size} bytes]`,
      bytes: Buffer.from(bytes.subarray(0, limit)),
      whole: isWhole ? undefined : size,
    }
  }
  const isCut = text.length > limit + slack
  const safe = redactor.redactSource(text.slice(0, limit + slack))
  const raw = cutContent(safe, limit, size)
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
    whole: isCut ? size : undefined,
  }
}

/** Hides the secrets in header lines. */
export function showLines(lines: HeaderLines, redactor: Redactor): HeaderLines {
  return lines.map(([name, value]) => {
    if (!redactor.isSecretName(name)) return [name, redactor.redactText(value)]
    return [name, redactor.redactJson({ [name]: value })[name] ?? mask]
  })
}

/** Adds that two values in a message differ, if redaction made them look the same. */
export function tellApart(message: string): string {
  return message.replaceAll(/(`[^\n]{0,150}\[redacted\][^\n]{0,150}), got \1$/gm, '$&; the two differ')
}

/** True if a text has zero bytes or many broken characters, and so is binary data. */
function isBinary(text: string): boolean {
  const start = text.slice(0, 4096)
  if (start.includes('\0')) return true
  const broken = start.split('\ufffd').length - 1
  return broken > 3 && broken > start.length / 50
}

/** Cuts a text to `limit` characters; `size` is the size of the whole in bytes, if the text has been cut before. */
export function cutContent(text: string, limit: number, size?: number): string {
  const shown = text.toWellFormed()
  return shown.length > limit ? cutText(shown, limit, size) : shown
}
