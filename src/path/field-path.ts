import type { ValuePath } from '../json.ts'

/** A field, an index (negative: from the end), or the elements that match a JMESPath filter (`''`: all). */
export type PathStep = string | number | { each: string }

/** One step of a flat path; `quoted` means `["name"]`, which is never an operator. */
export type Segment = { name: PathStep; quoted: boolean }

const MAX_LENGTH = 1000

const simple = /^[\p{L}\p{N}_$@-]+$/u
const bracket = /\[(?:(-?\d{1,15}|\*)|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\]/y
const plain = /(?!")[^.[\]|]+/y

/** Formats a step as it would be written as a key in a map. */
export function showPathStep(step: PathStep): string {
  return typeof step === 'object' ? formatFieldPath([step]) : String(step)
}

/** Parses a flat path such as `items[0].id` or `meta["a.b"].c`. Returns a string that says what is wrong. */
export function parseFieldPath(text: string): Segment[] | string {
  if (text.length > MAX_LENGTH) return `it is longer than ${MAX_LENGTH} characters`
  const segments: Segment[] = []
  let at = 0
  while (at < text.length) {
    const isBracket = text[at] === '['
    if (text.startsWith('[?', at)) {
      const end = findFilterEnd(text, at + 2)
      if (end === undefined) return `the \`[?\` at character ${at + 1} is never closed`
      segments.push({ name: { each: text.slice(at + 2, end).trim() }, quoted: false })
      at = end + 1
      continue
    }
    if (segments.length > 0 && !isBracket) {
      if (text[at] !== '.') return `unexpected \`${text[at]}\` at character ${at + 1}`
      at += 1
    }
    const pattern = isBracket ? bracket : plain
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match === null) return describeBadSegment(text, at)
    segments.push(readSegment(match, isBracket))
    at = pattern.lastIndex
  }
  return segments.length > 0 ? segments : 'it is empty'
}

function readSegment(match: RegExpExecArray, isBracket: boolean): Segment {
  if (!isBracket) return { name: match[0], quoted: false }
  if (match[1] === '*') return { name: { each: '' }, quoted: false }
  if (match[1] !== undefined) return { name: Number(match[1]), quoted: false }
  return { name: (match[2] ?? match[3] ?? '').replaceAll(/\\(.)/gs, '$1'), quoted: true }
}

// The index of the bracket that closes a filter; brackets inside quotes do not count.
function findFilterEnd(text: string, from: number): number | undefined {
  const token = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|[[\]]/gs
  token.lastIndex = from
  let open = 0
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (match[0] === '[') open += 1
    else if (match[0] === ']' && open === 0) return match.index
    else if (match[0] === ']') open -= 1
  }
  return undefined
}

function describeBadSegment(text: string, at: number): string {
  if (at >= text.length) return 'it ends with a dot'
  const [quoted] = /^"[^"]*"?/.exec(text.slice(at)) ?? []
  if (quoted !== undefined) return `a name in quotes needs brackets and no dot before it, \`[${quoted}]\``
  if (text[at] !== '[' || text[at - 1] === '.') return `a name is missing at character ${at + 1}`
  return `expected \`[0]\`, \`[*]\`, \`[?…]\` or \`["name"]\` at character ${at + 1}, got \`${text.slice(at, at + 20)}\``
}

/** Formats a path as authors write it: `items[0].id`, `meta["a.b"]`. */
export function formatFieldPath(path: readonly PathStep[], root = ''): string {
  return path.reduce<string>((text, name) => {
    if (typeof name === 'number') return `${text}[${name}]`
    if (typeof name === 'object') return `${text}[${name.each === '' ? '*' : `?${name.each}`}]`
    if (!simple.test(name)) return `${text}[${JSON.stringify(name)}]`
    return text === '' ? name : `${text}.${name}`
  }, root)
}

/** The keys of a JSON Pointer (RFC 6901). */
export function splitPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** A path as a JSON Pointer (RFC 6901), for lookups. */
export function toPointer(path: ValuePath): string {
  return path.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
