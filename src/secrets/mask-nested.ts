import { ofItems, type Secrecy } from '../safe-json.ts'
import {
  mask,
  harmlessOperand,
  isHidden,
  outsideCheck,
  isReference,
  isSecret,
  type NameJudge,
} from './secret-names.ts'

/** A part of a text with what is shown in its place, and the values that are hidden by that. */
export type Hidden = { from: number; to: number; shown: string; values: string[] }

/** The name that values are under: its start, and how secret it is. */
type Holder = { start: number; secret: Secrecy; judge: NameJudge }

/** Hides all values in a map or list that starts behind a secret name, in JSON and in either style of YAML; keys stay. Undefined when none starts there. */
export function maskNested(text: string, start: number, holder: Holder): Hidden | undefined {
  if (nested.test(text.slice(start, start + 2))) return maskFlow(text, start, holder)
  const lineEnd = text.indexOf('\n', start)
  if (lineEnd === -1 || !/^(?:[&!]\S*\s*)*(?:#.*)?$/.test(text.slice(start, lineEnd).trim())) return undefined
  return maskBlock(text, lineEnd + 1, holder)
}

/** A bracket, but not of a template. */
const nested = /^(?:\[|\{(?!\{))/

const plainScalar = /[^\s,[\]{}:"'](?:[^,[\]{}:\n]|:(?![\s,[\]{}]|$))*/y

/** From an opening bracket to its end; in a text that was cut, to the end of the text. */
function maskFlow(text: string, from: number, { judge, secret }: Holder): Hidden {
  const values: string[] = []
  const inside = text[from] === '[' ? ofItems(secret) : true
  let shown = ''
  let done = from
  let depth = 0
  let isOpen = false
  let at = from
  do {
    if (text.startsWith(mask, at)) {
      at += mask.length
      continue
    }
    const opening = /^\\*["']/.exec(text.slice(at, at + 16))?.[0]
    plainScalar.lastIndex = at
    const start = at + (opening?.length ?? 0)
    const end = opening
      ? findClosing(text, start, opening)
      : start + (plainScalar.exec(text)?.[0].length ?? 0)
    if (!opening && end === at) {
      if (text[at] === '[' || text[at] === '{') depth += 1
      else if (text[at] === ']' || text[at] === '}') depth -= 1
      else if (text[at] === ',') isOpen = false
      at += 1
      continue
    }
    at = Math.min(end + (opening?.length ?? 0), text.length)
    const value = text.slice(start, end).trimEnd()
    if (/^\s*:/.test(text.slice(at, at + 16)))
      isOpen = !isSecret(judge(value, secret)) || outsideCheck.test(value)
    else if (!isOpen && isValue(value, inside)) {
      values.push(value)
      shown += text.slice(done, start) + mask
      done = start + value.length
    }
  } while (depth > 0 && at < text.length)
  return { from, to: at, shown: shown + text.slice(done, at), values }
}

/** All lines that are further indented than the name, or items of a list below it. */
function maskBlock(text: string, from: number, holder: Holder): Hidden | undefined {
  const before = text.slice(text.lastIndexOf('\n', holder.start) + 1, holder.start)
  const column = before.replace(/["']$/, '').length
  const block = new RegExp(`(?:[ ]{${column}}(?:[ ]+[^ \\t\\r\\n]|- )[^\\n]*(?:\\n|$)|[ \\t\\r]*\\n)*`, 'y')
  block.lastIndex = from
  const lines = block.exec(text)?.[0] ?? ''
  const values: string[] = []
  // Lines of a text that starts behind `|` or `>` have no keys, though they may look so.
  let textIndent = Infinity
  const shown = lines.split('\n').map((line) => {
    const indent = line.search(/[^ ]/)
    if (indent > textIndent) {
      if (!isValue(line.trim(), true)) return line
      values.push(line.trim())
      return line.slice(0, indent) + mask
    }
    if (indent !== -1) textIndent = /[|>][+-]?\d?[ \t\r]*$/.test(line) ? indent : Infinity
    return maskLine(line, holder, values)
  })
  return values.length === 0 ? undefined : { from, to: from + lines.length, shown: shown.join('\n'), values }
}

/** In front of a value: blanks, dashes of a list, a key. */
const beforeValue = /^[ ]*(?:-[ ]+)*(?:("[^"]*"|'[^']*'|[^\s"'[{#][^:#]*?)[ ]*:(?=[ \t]|\r?$)[ \t]*)?/

function maskLine(line: string, holder: Holder, values: string[]): string {
  const [start = '', key] = beforeValue.exec(line) ?? []
  const name = key?.replaceAll(/^["']|["']$/g, '')
  if (name !== undefined && (!isSecret(holder.judge(name, holder.secret)) || outsideCheck.test(name)))
    return line
  if (!nested.test(line.slice(start.length)))
    return maskValue(line, { start, values, secret: key === undefined ? ofItems(holder.secret) : true })
  const flow = maskFlow(line, start.length, holder)
  values.push(...flow.values)
  return start + flow.shown + line.slice(flow.to)
}

function maskValue(
  line: string,
  { start, values, secret }: { start: string; values: string[]; secret: Secrecy },
): string {
  const value = line.slice(start.length).trimEnd()
  const end = line.slice(start.length + value.length)
  const quote = /^(["']).+\1$/.exec(value)?.[1] ?? ''
  const plain = quote ? value.slice(1, -1) : value
  // A comment, an anchor, or the sign of a text on the lines below.
  if (!isValue(plain, secret) || (!quote && /^(?:#.*|[&!]\S*|[|>][+-]?\d?)$/.test(plain))) return line
  values.push(plain)
  return start + quote + mask + quote + end
}

function isValue(value: string, secret: Secrecy): boolean {
  return value !== '' && !isReference(value) && !harmlessOperand.test(value) && isHidden(value, secret)
}

/** Finds the same quote at the same level of escaping (`''` inside single quotes is YAML's escape); an unclosed one ends with the text. */
export function findClosing(text: string, from: number, opening: string): number {
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
