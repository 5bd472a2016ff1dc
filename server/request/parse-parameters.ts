/** A header value with its parameters: `form-data; name="a"`. */
export interface ParameterisedValue {
  value: string
  /** By lower-case name; the last of repeated ones. */
  parameters: Map<string, string>
}

const PARAMETER = /;\s*([^\s;,=*]+)(\*)?\s*(?:=\s*("(?:[^"\\]|\\[^])*"|[^;]*))?/g

/** Parses `value; name=token; name="quoted"` (RFC 9110, 5.6.6), with the extended notation of RFC 8187. */
export function parseParameters(header: string): ParameterisedValue {
  const end = header.indexOf(';')
  const parameters = new Map<string, string>()
  if (end >= 0) {
    for (const [, name = '', extended, raw = ''] of header.slice(end).matchAll(PARAMETER)) {
      const value = unquote(raw.trim())
      parameters.set(name.toLowerCase(), extended ? decodeExtended(value) : value)
    }
  }
  return { value: (end < 0 ? header : header.slice(0, end)).trim(), parameters }
}

function unquote(raw: string): string {
  if (raw.length < 2 || !raw.startsWith('"') || !raw.endsWith('"')) return raw
  return raw.slice(1, -1).replace(/\\(["\\])/g, '$1')
}

function decodeExtended(value: string): string {
  const encoded = /^[^']*'[^']*'(.*)$/s.exec(value)?.[1]
  if (encoded === undefined) return value
  const bytes = encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
