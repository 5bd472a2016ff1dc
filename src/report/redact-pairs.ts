import { mask } from './mask.ts'

/**
 * Hides the values of secret names in text that has no parsed form: HTTP heads, form bodies, query strings, JSON text, curl
 * commands, YAML. What only refers to a value (`{{token}}`, `body.json.token`) stays readable.
 */
export function redactPairs(text: string, isSecretName: (name: string) => boolean): string {
  let result = ''
  let done = 0
  // From separator to separator: names are many, and most of them are told by a look into a map.
  for (let at = nextSeparator(text, 0); at !== -1; at = nextSeparator(text, at + 1)) {
    const name = readName(text, at)
    if (!name || name.start < done || !isSecretName(name.text)) continue
    const start = skipBlanks(text, at + 1)
    const opened = text[name.start - 1]
    const [from, to] = findValue(text, start, { quote: name.quote, separator: text[at] as string, opened })
    if (from >= to || isReference(text.slice(from, to))) continue
    result += text.slice(done, from) + mask
    done = to
  }
  return done === 0 ? text : result + text.slice(done)
}

/** Place of the next `:` or `=` that can stand between a name and its value: not one of `::`, `==`, `=>`, `:=`, `=~`; -1 at the end. */
function nextSeparator(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if ((unit === colon || unit === equals) && !isDoubled(text.charCodeAt(at + 1))) return at
  }
  return -1
}

const colon = 58
const equals = 61

function isDoubled(unit: number): boolean {
  return unit === equals || unit === colon || unit === 62 || unit === 126
}

const longestName = 128

/** The name in front of a separator, perhaps with blanks and the quote that ends it (escaped when JSON is inside JSON) between them. */
function readName(
  text: string,
  separator: number,
): { text: string; start: number; quote: string | undefined } | undefined {
  let end = separator
  while (isBlank(text.charCodeAt(end - 1))) end -= 1
  const quote = text[end - 1] === '"' || text[end - 1] === "'" ? text[end - 1] : undefined
  if (quote !== undefined) end -= 1
  if (quote !== undefined) while (text[end - 1] === '\\') end -= 1
  let start = end
  while (isNameUnit(text.charCodeAt(start - 1))) start -= 1
  if (start === end || end - start > longestName) return undefined
  return { text: text.slice(start, end), start, quote }
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
    unit === 36
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

type PairContext = { quote: string | undefined; separator: string; opened: string | undefined }

function findValue(text: string, start: number, { quote, separator, opened }: PairContext): [number, number] {
  const opening = /^\\*["']/.exec(text.slice(start, start + 8))?.[0]
  if (opening) return [start + opening.length, findClosing(text, start + opening.length, opening)]
  if (quote) return [start, endAt(text, start, /[,}\]\s]/g)]
  if (separator === '=') return [start, endAt(text, start, /[&\s"'`;,<>\\]/g)]
  if (opened === '"' || opened === "'")
    return [start, endAt(text, start, opened === '"' ? /["\r\n]/g : /['\r\n]/g)]
  const end = endAt(text, start, /[\r\n]/g)
  return /^[|>][+-]?\d?[ \t]*$/.test(text.slice(start, end)) ? findBlock(text, start, end) : [start, end]
}

/** Finds the same quote at the same level of escaping (`''` inside single quotes is YAML's escape); an unclosed one ends with the text. */
function findClosing(text: string, from: number, opening: string): number {
  for (let at = text.indexOf(opening, from); at !== -1; at = text.indexOf(opening, at + 1)) {
    if (opening === "'" && text[at + 1] === "'") at += 1
    else if (opening === "'" || text[at - 1] !== '\\' || text[at - 2] === '\\') return at
  }
  return text.length
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

/** True for values that name or compute the secret instead of being it, or that start a nested value. */
export function isReference(value: string): boolean {
  const text = value.trim().replace(/^(?:bearer|basic|digest|token)\s+/i, '')
  return (
    isTemplate(text) ||
    /^(?:true|false|null|~)$/.test(text) ||
    // A path ends with its text, or with its part of a YAML flow map.
    /^(?:body|headers|status_code|request|response|variables)(?:$|[.[][\w.[\]*@"'-]*(?:$|\s*[,}]))/.test(
      text,
    ) ||
    /^[{[]/.test(text)
  )
}

/** True for text that consists of `{{…}}` only (perhaps behind a scheme such as `Bearer`), is empty or is redacted already. */
export function isTemplate(value: string): boolean {
  const text = value.trim().replace(/^(?:bearer|basic|digest|token)\s+/i, '')
  return text === '' || text === mask || /^(?:\{\{(?:(?!\}\}).)*\}\}[\s:;,]*)+$/.test(text)
}
