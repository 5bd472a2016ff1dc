import { HttpProblem } from '../http-problem.ts'

/** Names with their values in the order sent. A Map, so that `__proto__` is a name like any other. */
export type Fields = Map<string, string[]>

/** Adds one value. */
export function addField(fields: Fields, name: string, value: string): void {
  const values = fields.get(name)
  if (values) values.push(value)
  else fields.set(name, [value])
}

/**
 * Parses a query or a form body (latin-1 text as received): pairs between `&`, empty ones skipped, `+` a space,
 * a name without `=` has an empty value.
 * @throws HttpProblem 413 when there are more than `maxFields`
 */
export function parseFields(text: string, maxFields = Number.POSITIVE_INFINITY): Fields {
  const fields: Fields = new Map()
  let count = 0
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    const ampersand = text.indexOf('&', start)
    end = ampersand < 0 ? text.length : ampersand
    if (end === start) continue
    if (++count > maxFields) throw new HttpProblem(413, `the form has more than ${maxFields} fields`)
    const pair = text.slice(start, end)
    const equals = pair.indexOf('=')
    if (equals < 0) addField(fields, decodeFormPart(pair), '')
    else addField(fields, decodeFormPart(pair.slice(0, equals)), decodeFormPart(pair.slice(equals + 1)))
  }
  return fields
}

/** What is shown of fields: one value as it is, several as a list. */
export function showFields(fields: Fields): Map<string, string | string[]> {
  const shown = new Map<string, string | string[]>()
  for (const [name, values] of fields) shown.set(name, values.length === 1 ? (values[0] ?? '') : values)
  return shown
}

function decodeFormPart(text: string): string {
  return decodePercent(text.replaceAll('+', ' '))
}

/** Decodes percent escapes to bytes and the bytes as UTF-8; bad escapes stay literal, invalid UTF-8 becomes U+FFFD. */
export function decodePercent(text: string): string {
  return /[%\x80-\xff]/.test(text) ? decodeEscapes(text).toString('utf8') : text
}

/** Replaces `%XX` by its byte, unless it is to be kept; the other characters are taken as latin-1 bytes, as they came from the wire. */
export function decodeEscapes(text: string, isKept?: (byte: number) => boolean): Buffer {
  const bytes = Buffer.from(text, 'latin1')
  let length = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    const decoded = byte === 0x25 ? readHex(bytes[index + 1]) * 16 + readHex(bytes[index + 2]) : Number.NaN
    const isDecoded = decoded >= 0 && !isKept?.(decoded)
    bytes[length++] = isDecoded ? decoded : byte
    if (isDecoded) index += 2
  }
  return bytes.subarray(0, length)
}

function readHex(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN
}
