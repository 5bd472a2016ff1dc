import { unescape } from 'node:querystring'
import { HttpProblem } from '../http-problem.ts'
import { escapeWide } from '../json.ts'

/**
 * Parses a query or a form body as a URL's query, as httpbin does.
 * @throws HttpProblem 413 when there are more than `maxFields`
 */
export function parseFields(text: string, maxFields = 65_536): URLSearchParams {
  if (text.length >= maxFields && text.split('&', maxFields + 1).length > maxFields)
    throw new HttpProblem(413, `the form has more than ${maxFields} fields`)
  // Node 24 misreads characters outside ASCII beside bad escapes. The `&` keeps a leading `?`.
  const escaped = /^[ -~]*$/.test(text) ? text : escapeWide(Buffer.from(text).toString('latin1'), '%', 2)
  return new URLSearchParams(`&${escaped}`)
}

/** Fields as they are shown: a single value as it is, several as a list. In a Map `__proto__` is a name like any other. */
export function showFields(fields: URLSearchParams): Map<string, string | string[]> {
  const shown = new Map<string, string | string[]>()
  for (const [name, value] of fields) {
    const before = shown.get(name)
    if (before === undefined) shown.set(name, value)
    else if (typeof before === 'string') shown.set(name, [before, value])
    else before.push(value)
  }
  return shown
}

const PARAMETER = /;\s*([^\s;,=*]+)(\*)?\s*(?:=\s*("(?:[^"\\]|\\[^])*"|[^;]*))?/g

/** The parameters of a header `value; name=token; name="quoted"` (RFC 9110, 5.6.6; RFC 8187) by lower-case name. The last of a name counts, and no header needs more than 16. */
export function parseParameters(header: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const [, name = '', extended, raw = ''] of header.matchAll(PARAMETER).take(16)) {
    const text = raw.trim().replace(/^"(.*)"$/s, (_, quoted: string) => quoted.replace(/\\(["\\])/g, '$1'))
    const encoded = extended ? /^[^']*'[^']*'(.*)$/s.exec(text)?.[1] : undefined
    parameters.set(name.toLowerCase(), encoded === undefined ? text : unescape(encoded))
  }
  return parameters
}
