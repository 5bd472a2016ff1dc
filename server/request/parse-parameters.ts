import { decodePercent } from './fields.ts'

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
  for (const [, name = '', extended, raw = ''] of end < 0 ? [] : header.slice(end).matchAll(PARAMETER)) {
    const value = unquote(raw.trim())
    const encoded = extended ? /^[^']*'[^']*'(.*)$/s.exec(value)?.[1] : undefined
    parameters.set(name.toLowerCase(), encoded === undefined ? value : decodePercent(encoded))
  }
  return { value: (end < 0 ? header : header.slice(0, end)).trim(), parameters }
}

function unquote(raw: string): string {
  if (raw.length < 2 || !raw.startsWith('"') || !raw.endsWith('"')) return raw
  return raw.slice(1, -1).replace(/\\(["\\])/g, '$1')
}
