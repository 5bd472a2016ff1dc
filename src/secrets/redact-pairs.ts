import type { Secrecy } from '../safe-json.ts'
import { findClosing, maskNested, type Hidden } from './mask-nested.ts'
import { authMembers, isHidden, isReference, isSecret, mask, type NameJudge } from './secret-names.ts'

/**
 * Hides the values of secret names in text that has no parsed form: HTTP heads, form bodies, query strings, JSON text, curl
 * commands, YAML; and the passwords in URLs. What only refers to a value (`{{token}}`, `body.json.token`) stays readable. `onHidden` is
 * told what was hidden.
 */
export function redactPairs(
  text: string,
  judge: NameJudge,
  onHidden?: (value: string, name: string) => void,
): string {
  let result = ''
  let done = 0
  let colon = text.indexOf(':')
  let equals = text.indexOf('=')
  while (colon !== -1 || equals !== -1) {
    const at = equals === -1 || (colon !== -1 && colon < equals) ? colon : equals
    if (at === colon) colon = text.indexOf(':', at + 1)
    else equals = text.indexOf('=', at + 1)
    const password = at < done ? undefined : findPassword(text, at)
    if (password) {
      result += text.slice(done, password.from) + mask
      done = password.to
      onHidden?.(password.value, 'password')
    }
    const name = isDoubled(text.charCodeAt(at + 1)) ? undefined : readName(text, at, judge)
    if (!name || name.start < done) continue
    const start = skipBlanks(text, at + 1)
    const hidden = hideValue(text, start, { ...name, judge })
    if (!hidden) continue
    result += text.slice(done, hidden.from) + hidden.shown
    done = hidden.to
    if (onHidden) for (const value of hidden.values) onHidden(value, name.text)
  }
  return done === 0 ? text : result + text.slice(done)
}

/** The password in the user information of a URL (RFC 3986, 3.2.1) whose scheme ends here. */
export function findPassword(
  text: string,
  colon: number,
): { from: number; to: number; value: string } | undefined {
  if (!text.startsWith('://', colon)) return undefined
  const userInfo = /:\/\/[^\s/?#@:'"]*:([^\s/?#@'"]+)@/y
  userInfo.lastIndex = colon
  const value = userInfo.exec(text)?.[1]
  if (value === undefined || value === mask || isReference(value)) return undefined
  const to = userInfo.lastIndex - 1
  return { from: to - value.length, to, value }
}

/** A separator can be between a name and its value: not one of `::`, `==`, `=>`, `:=`, `=~`. */
function isDoubled(unit: number): boolean {
  return unit === 61 || unit === 58 || unit === 62 || unit === 126
}

const longestName = 128

type PairName = {
  text: string
  secret: Secrecy
  start: number
  quote: string | undefined
  separator: string
  opened: string | undefined
}

/** The secret name in front of a separator, perhaps with blanks and the quote that ends it (escaped when JSON is inside JSON) between them. */
function readName(text: string, separator: number, judge: NameJudge): PairName | undefined {
  let end = separator
  while (isBlank(text.charCodeAt(end - 1))) end -= 1
  const quote = text[end - 1] === '"' || text[end - 1] === "'" ? text[end - 1] : undefined
  if (quote !== undefined) end -= 1
  if (quote !== undefined) while (text[end - 1] === '\\') end -= 1
  let start = end
  while (isNameUnit(text.charCodeAt(start - 1))) start -= 1
  if (start === end || end - start > longestName) return undefined
  const name = text.slice(start, end)
  const secret = judge(name) || (authMembers.includes(name) && isUnderAuth(text, start) && 'members')
  if (!isSecret(secret)) return undefined
  return { text: name, secret, start, quote, separator: text[separator] as string, opened: text[start - 1] }
}

function isUnderAuth(text: string, start: number): boolean {
  return /\bauth["']?\s*:[\s{"'>|\d]*$/.test(text.slice(Math.max(0, start - 64), start))
}

/** Letters, digits and `_`, `.`, `$`, `-`. */
function isNameUnit(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) ||
    (unit >= 65 && unit <= 90) ||
    (unit >= 48 && unit <= 57) ||
    unit === 45 ||
    unit === 46 ||
    unit === 95 ||
    unit === 36 ||
    unit > 127
  )
}

function isBlank(unit: number): boolean {
  return unit === 32 || unit === 9
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (isBlank(text.charCodeAt(at))) at += 1
  return at
}

function hideValue(text: string, start: number, name: PairName & { judge: NameJudge }): Hidden | undefined {
  if (text.startsWith(mask, start)) return undefined
  const nested = name.separator === ':' ? maskNested(text, start, name) : undefined
  if (nested) return nested
  const [from, to] = findValue(text, start, name)
  const value = text.slice(from, to)
  const isShown = from >= to || isReference(value) || !isHidden(value, name.secret)
  return isShown ? undefined : { from, to, shown: mask, values: [value] }
}

function findValue(
  text: string,
  start: number,
  { start: nameStart, quote, separator, opened }: PairName,
): [number, number] {
  const opening = /^\\*["']/.exec(text.slice(start, start + 8))?.[0]
  if (opening) return [start + opening.length, findClosing(text, start + opening.length, opening)]
  if (quote) return [start, endAt(text, start, /[,}\]\s]/g)]
  if (separator === '=') return [start, endAt(text, start, /[&\s"'`;,<>\\]/g)]
  if (opened === '"' || opened === "'")
    return [start, endAt(text, start, opened === '"' ? /["\r\n]/g : /['\r\n]/g)]
  if (isInFlow(text, nameStart)) return [start, endOfFlow(text, start)]
  const end = endAt(text, start, /[\r\n]/g)
  return /^[|>][+-]?\d?[ \t]*$/.test(text.slice(start, end)) ? findBlock(text, start, end) : [start, end]
}

/** True for a name in braces that were opened on its line (looked for in the 300 characters before it): `{a: 1, name: …}`. */
function isInFlow(text: string, nameStart: number): boolean {
  const line =
    text
      .slice(Math.max(0, nameStart - 300), nameStart)
      .split('\n')
      .at(-1) ?? ''
  return line.split('{').length > line.split('}').length
}

/** A plain value in braces ends with them, or before the next name; templates have braces of their own. */
function endOfFlow(text: string, start: number): number {
  const value = /(?:\{\{[^\r\n]*?\}\}|[^,}\r\n])*/y
  value.lastIndex = start
  return start + (value.exec(text)?.[0].trimEnd().length ?? 0)
}

/** A YAML block scalar reaches over all lines that are empty or further indented than its key. */
function findBlock(text: string, start: number, lineEnd: number): [number, number] {
  const lineStart = text.lastIndexOf('\n', start) + 1
  const indent = /^[ ]*/.exec(text.slice(lineStart, start))?.[0].length ?? 0
  const more = new RegExp(`(?:\\r?\\n(?:[ ]{${indent + 1},}[^\\n]*|[ \\t]*(?=\\r?\\n|$)))*`, 'y')
  more.lastIndex = lineEnd
  return [start, lineEnd + (more.exec(text)?.[0].length ?? 0)]
}

function endAt(text: string, from: number, stop: RegExp): number {
  stop.lastIndex = from
  return stop.exec(text)?.index ?? text.length
}
