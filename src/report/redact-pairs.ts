import { mask } from './mask.ts'

// A name, perhaps the quote that ends it (escaped when JSON is inside JSON), and `:` or `=`.
const pair = /(?<![\w.$-])([\w.$-]{1,128})(\\*["'])?([ \t]*[:=](?![=>:~])[ \t]*)/g

/**
 * Hides the values of secret names in text that has no parsed form: HTTP heads, form bodies, query strings, JSON text, curl
 * commands, YAML. What only refers to a value (`{{token}}`, `body.json.token`) stays readable.
 */
export function redactPairs(text: string, isSecretName: (name: string) => boolean): string {
  let result = ''
  let done = 0
  for (const match of text.matchAll(pair)) {
    const [whole, name, quote, separator] = match as unknown as [string, string, string | undefined, string]
    const start = match.index + whole.length
    if (match.index < done || !isSecretName(name)) continue
    const opened = text[match.index - 1]
    const [from, to] = findValue(text, start, { quote, separator: separator.trim(), opened })
    if (from >= to || isReference(text.slice(from, to))) continue
    result += text.slice(done, from) + mask
    done = to
  }
  return done === 0 ? text : result + text.slice(done)
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
    /^(?:body|headers|status_code|request|response|variables)(?:[.[][\w.[\]*@"'-]*)?$/.test(text) ||
    /^[{[]/.test(text)
  )
}

/** True for text that consists of `{{…}}` only (perhaps behind a scheme such as `Bearer`), is empty or is redacted already. */
export function isTemplate(value: string): boolean {
  const text = value.trim().replace(/^(?:bearer|basic|digest|token)\s+/i, '')
  return text === '' || text === mask || /^(?:\{\{(?:(?!\}\}).)*\}\}[\s:;,]*)+$/.test(text)
}
