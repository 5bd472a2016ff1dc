import { ofItems, type Secrecy } from '../safe-json.ts'
import {
  authMembers,
  harmlessOperand,
  isHidden,
  isReference,
  isSecret,
  mask,
  outsideCheck,
  type NameJudge,
} from './secret-names.ts'

/** Receives each hidden value and the name it was found under. */
export type OnHidden = (value: string, name: string) => void

const ignore: OnHidden = () => {}

/** An `@` in a password should be written as `%40`, but parsers accept it. */
const userInfo = /(:\/\/[^\s/?#:'"]*:)([^\s/?#@'"]+(?:@[^\s/?#@'"<>,;]+)*)(?=@)/g

/** Hides passwords in the user information of URLs (RFC 3986, 3.2.1). */
export function redactPasswords(text: string, onHidden: OnHidden = ignore): string {
  if (!text.includes('@')) return text
  return text.replaceAll(userInfo, (whole, start: string, password: string) => {
    if (isReference(password)) return whole
    onHidden(password, 'password')
    return start + mask
  })
}

/** An element that holds text only: its start tag, its name, and the text. */
const element = /(<((?:[\w-]+:)?[\w.-]+)(?:\s[^<>]{0,1000})?>)([^<]+)(?=<\/\2\s*>)/g

/** Hides the text of XML or HTML elements with secret names: `<password>…</password>`. */
export function redactElements(text: string, judge: NameJudge, onHidden: OnHidden = ignore): string {
  if (!text.includes('</')) return text
  return text.replaceAll(element, (whole, ...[start = '', tag = '', content = '']: string[]) => {
    // The namespace prefix is not part of the name.
    const name = tag.slice(tag.indexOf(':') + 1)
    const secret = judge(name)
    const value = content.trim()
    if (!isSecret(secret) || isReference(value) || !isHidden(value, secret)) return whole
    onHidden(value, name)
    return start + mask
  })
}

/**
 * Hides the values after secret names and `:` or `=`: in HTTP heads, form bodies, query strings, JSON, curl
 * commands and YAML. A map or list is hidden as a whole, unless it only describes the value. References to a
 * value (`{{token}}`, `body.json.token`) stay readable.
 */
export function redactPairs(text: string, judge: NameJudge, onHidden: OnHidden = ignore): string {
  let result = ''
  let done = 0
  let next = 0
  let colon = text.indexOf(':')
  let equals = text.indexOf('=')
  while (colon !== -1 || equals !== -1) {
    const separator = equals === -1 || (colon !== -1 && colon < equals) ? colon : equals
    if (separator === colon) colon = text.indexOf(':', separator + 1)
    else equals = text.indexOf('=', separator + 1)
    const name = readName(text, separator, judge)
    if (!name || name.at < next) continue
    const start = skip(text, separator + 1, /[ \t]*/y)
    const nested = findNested(text, start, { ...name, judge })
    const { from, to, values } = nested ?? findValue(text, start, name)
    // All names inside the brackets have been looked at.
    if (nested?.isFlow) next = to
    if (values.length === 0) continue
    result += text.slice(done, from) + mask
    done = to
    next = to
    for (const value of values) onHidden(value, name.word)
  }
  return done === 0 ? text : result + text.slice(done)
}

/** A secret name, its offset and what surrounds it. */
type Name = {
  at: number
  word: string
  secret: Secrecy
  /** True if a quote follows the name. */
  isQuoted: boolean
  separator: string | undefined
}

const longestName = 128

/** For each ASCII code, whether the character can be part of a name. */
const inNames = Array.from({ length: 128 }, (_, code) => /[\w.$-]/.test(String.fromCharCode(code)))

/** The secret name before a separator, with blanks or a quote between; none before `::`, `:=`, `==` and the like. */
function readName(text: string, separator: number, judge: NameJudge): Name | undefined {
  const next = text[separator + 1]
  if (next === ':' || next === '=' || next === '>' || next === '~') return undefined
  let end = separator
  while (text[end - 1] === ' ' || text[end - 1] === '\t') end -= 1
  const isQuoted = text[end - 1] === '"' || text[end - 1] === "'"
  if (isQuoted) end -= 1
  if (isQuoted) while (text[end - 1] === '\\') end -= 1
  let at = end
  while (text.charCodeAt(at - 1) > 127 || inNames[text.charCodeAt(at - 1)]) at -= 1
  if (at === end || end - at > longestName) return undefined
  const word = text.slice(at, end)
  const start = text.slice(separator + 1, separator + 99)
  const isMember = authMembers.includes(word) || (authSchemes.has(word) && !authMap.test(start))
  const isText = word === 'auth' && authText.test(start)
  const secret =
    judgePath(word, judge) || (isMember && isUnderAuth(text, at) && 'members') || (isText && 'value')
  if (!isSecret(secret)) return undefined
  return { at, word, secret, isQuoted, separator: text[separator] }
}

/** Credentials that a suite has by mistake as a text: `auth: Bearer abc`, `auth: ann:abc`. */
const authText = /^[ \t]*["']?(?:(?:bearer|basic|digest|token)[ \t]|[\w.@+-]+:[^\s/])/i

/** Schemes whose settings have names that tell what is secret. Written as a text by mistake, they are secret as a whole. */
const authSchemes = new Set(['digest', 'oauth2', 'aws', 'api_key'])

const authMap = /^[ \t]*(?:[{&#\r\n]|$)/

/** Judges a name, or a path by the name at its end or before an operator: `body.pin`, `body.pin.equals`. */
function judgePath(path: string, judge: NameJudge): Secrecy {
  const dot = path.lastIndexOf('.')
  if (dot <= 0) return judge(path)
  const end = path.slice(dot + 1)
  return judge(path) || judge(end) || (!outsideCheck.test(end) && judgePath(path.slice(0, dot), judge))
}

function isUnderAuth(text: string, at: number): boolean {
  return /\bauth["']?\s*:[\s{"'>|\d]*$/.test(text.slice(Math.max(0, at - 64), at))
}

/** A part of a text, and the values in it that must be hidden. */
type Part = { from: number; to: number; values: string[]; isFlow?: boolean }

/** The single value after a name. */
function findValue(text: string, start: number, name: Name): Part {
  const quote = /^\\*["']/.exec(text.slice(start, start + 8))?.[0] ?? ''
  const from = start + quote.length
  const to = quote ? findClosing(text, from, quote) : findEnd(text, from, name)
  const written = text.slice(from, to)
  const lines = /^(?:[&!]\S* +)*[|>][^\n]*\n(.*)/s.exec(written)?.[1]
  const value = quote || lines === undefined ? written : lines.replaceAll(/^[ \t]+/gm, '')
  const isCount = !quote && name.secret === 'several' && /^\d+$/.test(value)
  return { from, to, values: isCount || isReference(value) || !isHidden(value, name.secret) ? [] : [value] }
}

/** The end of an unquoted value, which depends on its name, the separator and the surroundings. */
function findEnd(text: string, start: number, { at, isQuoted, separator }: Name): number {
  const end = skip(text, start, /[^\r\n]*/y)
  const before = text[at - 1]
  if (separator === ':' && blockText.test(text.slice(start, end))) return findBlockEnd(text, at, end)
  if (isQuoted) return skip(text, start, /[^,}\]\s]*/y)
  if (separator === '=') return skip(text, start, /[^&\s"'`;,<>\\]*/y)
  if (before === '"') return skip(text, start, /[^"\r\n]*/y)
  if (before === "'") return skip(text, start, /[^'\r\n]*/y)
  const line = text.slice(Math.max(0, at - 300), at).replace(/^.*\n/s, '')
  const isInBraces = line.split('{').length > line.split('}').length
  // Templates have braces of their own.
  if (isInBraces)
    return start + text.slice(start, skip(text, start, /(?:\{\{[^\r\n]*?\}\}|[^,}\r\n])*/y)).trimEnd().length
  return end
}

function skip(text: string, from: number, part: RegExp): number {
  part.lastIndex = from
  return part.test(text) ? part.lastIndex : from
}

/** The indicator of a YAML block scalar, whose text is on the lines below. */
const blockText = /(?:^|\s)[|>](?:[+-]?\d?|\d[+-])(?:[ \t]+#[^\n]*)?[ \t\r]*$/m

/** Where a block ends: its lines are empty, indented more than its name, or items of a list below it. */
function findBlockEnd(text: string, at: number, lineEnd: number): number {
  const column = text.slice(text.lastIndexOf('\n', at) + 1, at).replace(/["']$/, '').length
  const more = new RegExp(
    `(?:\\r?\\n(?:[ ]{${column}}(?:[ ]+[^ \\t\\r\\n]|- )[^\\n]*|[ \\t\\r]*(?=\\n|$)))*`,
    'y',
  )
  return lineEnd + text.slice(lineEnd, skip(text, lineEnd, more)).trimEnd().length
}

/** The map or list that starts after a secret name, in JSON or either style of YAML, if one does. */
function findNested(text: string, start: number, name: Name & { judge: NameJudge }): Part | undefined {
  if (name.separator !== ':') return undefined
  // A bracket that does not start a template.
  const isFlow = /^(?:\[|\{(?!\{))/.test(text.slice(start, start + 2))
  const lineEnd = skip(text, start, /(?:[&!]\S*[ \t]*)*(?:#[^\n]*)?/y)
  if (!isFlow && !/^\r?\n/.test(text.slice(lineEnd, lineEnd + 2))) return undefined
  const to = isFlow ? findFlowEnd(text, start) : findBlockEnd(text, name.at, lineEnd)
  const from = isFlow ? start : skip(text, lineEnd, /\s*/y)
  const inside = text.slice(from, to).replaceAll(mask, '')
  const values = (isFlow ? listFlow(inside) : listBlock(inside))
    .filter((scalar) => isHiddenIn(scalar, name))
    .map(({ value }) => value)
  return { from, to, values, isFlow }
}

type Scalar = { key?: string | undefined; value: string }

function isHiddenIn(
  { key, value }: Scalar,
  { judge, secret }: { judge: NameJudge; secret: Secrecy },
): boolean {
  if (isReference(value) || harmlessOperand.test(value)) return false
  if (key === undefined) return isHidden(value, ofItems(secret))
  return isSecret(judge(key, secret)) && !outsideCheck.test(key)
}

/** The end of a map or list in brackets, or the end of the text if that was cut. */
function findFlowEnd(text: string, start: number): number {
  // A plain value may contain quotes.
  const part = /\\*["']|[[\]{}]|[^\s"'[\]{}\\,:][^[\]{},:\n]*/g
  part.lastIndex = start
  let depth = 0
  for (let match; (match = part.exec(text));) {
    const [found] = match
    if (/^\\*["']$/.test(found)) part.lastIndex = findClosing(text, part.lastIndex, found) + found.length
    else if (found === '[' || found === '{') depth += 1
    else if (found === ']' || found === '}') depth -= 1
    if (depth === 0) return part.lastIndex
  }
  return text.length
}

const scalar = /"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|[^\s,[\]{}"':](?:[^,[\]{}:\n]|:(?![ \t\r\n,[\]{}]|$))*/g

/** The values in a map or list in brackets, or in a line; `first` is the key of the first one. */
function listFlow(text: string, first?: string): Scalar[] {
  const found: Scalar[] = []
  let key = first
  for (const match of text.matchAll(scalar)) {
    const [whole, inDouble, inSingle] = match
    const value = (inDouble ?? inSingle ?? whole).trimEnd()
    const end = match.index + whole.length
    const isKey = /^\s*:/.test(text.slice(end, end + 16))
    if (!isKey) found.push({ key, value })
    key = isKey ? value : undefined
  }
  return found
}

/** A line of a YAML block: dashes of a list, a key, anchors and tags, a value. */
const blockLine =
  /^\s*(?:- +)*(?:("[^"]*" *|'[^']*' *|[^\s"'[{#][^:#]*):(?=[ \t\r]|$))?\s*(?:[&!]\S*\s*)*(.*)$/s

function listBlock(lines: string): Scalar[] {
  const hasText = blockText.test(lines)
  return lines.split('\n').flatMap((line) => {
    const [, quotedKey, rest = ''] = blockLine.exec(line) ?? []
    const key = quotedKey?.trimEnd().replaceAll(/^["']|["']$/g, '')
    const value = rest.replace(/(?:^|\s)#.*/s, '').trim()
    const values: Scalar[] = /^["'[{]/.test(value) ? listFlow(rest, key) : [{ key, value }]
    // Lines of a block scalar have no keys, though they may look as if they did.
    return hasText ? values.concat({ value: line.trim() }) : values
  })
}

/** The end of a quoted value: the same quote at the same level of escaping, or the end of the text. */
function findClosing(text: string, from: number, opening: string): number {
  const quote = opening.slice(-1)
  const escapes = opening.length - 1
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 1)) {
    if (opening === "'") {
      if (text[at + 1] !== "'") return at
      at += 1
      continue
    }
    let before = 0
    while (at - before > from && text[at - before - 1] === '\\') before += 1
    // Each level doubles the backslashes of the one inside.
    if (before >= escapes && (before - escapes) % (2 * (escapes + 1)) === 0) return at - escapes
  }
  return text.length
}
