import { HttpProblem } from './http-problem.ts'

/** Deeper documents count as invalid JSON, since Python's parser gives up at about this depth. */
const MAX_DEPTH = 1000

/** The most keys and values in a document. Reading more would keep other clients waiting. */
const MAX_VALUES = 100_000

/** The most keys and values, times the depth: each may be indented as far as the deepest. */
const MAX_INDENTED = 10_000_000

/** ECMA-262's source text access, which the engine has but TypeScript does not know yet. */
const json = JSON as unknown as {
  parse: (
    text: string,
    revive: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown
  rawJSON: (text: string) => object
  isRawJSON: (value: unknown) => value is { rawJSON: string }
}

/** Finds numbers that JavaScript would print differently, since reading every number with its text takes many times as long. */
const UNUSUAL_NUMBER =
  /\d(?:(?<=(?:^|[[:,\s])-?.)\d{15}|[.eE](?<=(?:^|[[:,\s])-?\d{1,15}.)(?:[\d.eE+-]{41}|[\d.eE+-]{1,40}(?=[\s,\]}]|$)))|-0(?=[\s,\]}]|$)/

/**
 * Reads JSON (RFC 8259), keeping the source text of unusual numbers. Undefined if the text is not JSON.
 * @throws HttpProblem 413 when it has too many values
 */
export function parseJsonBody(text: string): unknown {
  // Short texts cannot be nested too deeply.
  const { depth, separators } = text.length > MAX_DEPTH ? measure(text) : { depth: 0, separators: 0 }
  if (depth > MAX_DEPTH) return undefined
  const isTooLarge = separators > MAX_VALUES || separators * depth > MAX_INDENTED
  try {
    const value = !isTooLarge && UNUSUAL_NUMBER.test(text) ? json.parse(text, keepNumber) : JSON.parse(text)
    if (!isTooLarge) return value
  } catch {
    return undefined
  }
  throw new HttpProblem(
    413,
    `the JSON has more keys and values than ${MAX_VALUES}, or than ${MAX_INDENTED} divided by its depth`,
  )
}

function keepNumber(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === 'number' && source !== undefined ? json.rawJSON(source) : value
}

/** How deeply brackets are nested outside strings, and how many commas and colons there are. */
function measure(text: string): { depth: number; separators: number } {
  let [level, depth, separators, isString] = [0, 0, 0, false]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 34) isString = !isString
    else if (isString) index += Number(code === 92)
    else if (code === 44 || code === 58) separators++
    else if (code === 91 || code === 123) depth = Math.max(depth, ++level)
    else if (code === 93 || code === 125) level--
  }
  return { depth, separators }
}

/**
 * Prints a value as httpbin does: indent 2, keys sorted by code point, ASCII only, empty `{}` and `[]` inline. A `Map`
 * is an object with names chosen by a client. `line` is the line break, with the indentation of the value.
 */
export function printJson(value: unknown, line = '\n'): string {
  if (typeof value === 'string') return quoteString(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const inner = `${line}  `
  let printed = ''
  if (Array.isArray(value)) {
    for (const item of value) printed += `${printed && ','}${inner}${printJson(item, inner)}`
    return (printed && `[${printed}${line}]`) || '[]'
  }
  const isMap = value instanceof Map
  if (!isMap && json.isRawJSON(value)) return value.rawJSON
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return printJson(JSON.parse(JSON.stringify(value) ?? 'null'), line)
  const keys: string[] = isMap ? [...(value.keys() as Iterable<string>)] : Object.keys(value)
  sortByCodePoint(keys)
  for (const key of keys) {
    const member: unknown = isMap ? value.get(key) : (value as Record<string, unknown>)[key]
    if (member !== undefined)
      printed += `${printed && ','}${inner}${quoteString(key)}: ${printJson(member, inner)}`
  }
  return printed === '' ? '{}' : `{${printed}${line}}`
}

const NEEDS_ESCAPE = /[^ !#-[\]-~]/

/** A text as a JSON string in ASCII: lower-case `\uxxxx` for everything outside 0x20–0x7e (RFC 8259, 7). */
function quoteString(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return `"${text}"`
  const quoted = JSON.stringify(text)
  return /[^\0-~]/.test(quoted) ? escapeWide(quoted, '\\u', 4) : quoted
}

const HEX = '0123456789abcdef'

/** Escapes everything outside ASCII. It writes bytes: joining strings takes up to twenty times as long. */
export function escapeWide(text: string, prefix: string, digits: number): string {
  const bytes = Buffer.allocUnsafe(text.length * (prefix.length + digits))
  let end = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x7f) bytes[end++] = unit
    else {
      for (let each = 0; each < prefix.length; each++) bytes[end++] = prefix.charCodeAt(each)
      for (let shift = 4 * (digits - 1); shift >= 0; shift -= 4)
        bytes[end++] = HEX.charCodeAt((unit >> shift) & 15)
    }
  }
  return bytes.toString('latin1', 0, end)
}

/** Sorts as Python does, in the order of UTF-8 bytes. JavaScript itself sorts by UTF-16 units. */
function sortByCodePoint(keys: string[]): void {
  if (keys.some((key) => /[\ud800-\udfff]/.test(key)))
    keys.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  else keys.sort()
}
