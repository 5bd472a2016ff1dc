import type { Secrecy } from '../safe-json.ts'
import { mask, type NameJudge } from './secret-names.ts'
import { isHarmless, isReference } from './secret-values.ts'

/** A part of a text with what is shown in its place, and the values that are hidden by that. */
export type Hidden = { from: number; to: number; shown: string; values: string[] }

/** The name that values stand under: its start, and how secret it is. */
type Holder = { start: number; secret: Secrecy } & Pick<NameJudge, 'judge'>

/** Hides all values in a map or list that starts behind a secret name, in JSON and in either style of YAML; keys stay. Undefined when none starts there. */
export function maskNested(text: string, start: number, holder: Holder): Hidden | undefined {
  if (/^[[{](?!\{)/.test(text.slice(start, start + 2))) return maskFlow(text, start, holder)
  const lineEnd = text.indexOf('\n', start)
  if (lineEnd === -1 || !/^(?:[&!]\S*\s*)*(?:#.*)?$/.test(text.slice(start, lineEnd).trim())) return undefined
  return maskBlock(text, lineEnd + 1, holder)
}

const plainScalar = /[^\s,[\]{}:"'](?:[^,[\]{}:\n]|:(?![\s,[\]{}]|$))*/y

/** From an opening bracket to its end; in a text that was cut, to the end of the text. */
function maskFlow(text: string, from: number, { judge, secret }: Holder): Hidden {
  const values: string[] = []
  let shown = ''
  let done = from
  let depth = 0
  let isOpen = false
  let at = from
  do {
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
    if (/^\s*:/.test(text.slice(at, at + 16))) isOpen = judge(value, secret) === false
    else if (!isOpen && isValue(value)) {
      values.push(value)
      shown += text.slice(done, start) + mask
      done = start + value.length
    }
  } while (depth > 0 && at < text.length)
  return { from, to: at, shown: shown + text.slice(done, at), values }
}

/** All lines that are further indented than the name, or items of a list below it. */
function maskBlock(text: string, from: number, { start, ...holder }: Holder): Hidden | undefined {
  const before = text.slice(text.lastIndexOf('\n', start) + 1, start)
  const column = before.replace(/["']$/, '').length
  const block = new RegExp(`(?:[ ]{${column}}(?:[ ]+\\S|- )[^\\n]*(?:\\n|$)|[ \\t\\r]*\\n)*`, 'y')
  block.lastIndex = from
  const lines = block.exec(text)?.[0] ?? ''
  const values: string[] = []
  const shown = lines.replaceAll(
    /^([ ]*(?:-[ ]+)*)((?:"[^"\n]*"|'[^'\n]*'|[^\s"'[{#][^:#\n]*?)[ ]*:(?=\s|$))?([ ]*)(\S.*?)?(?=[ \t\r]*$)/gm,
    (line: string, indent: string, key: string | undefined, blanks: string, value: string | undefined) => {
      const name = key
        ?.slice(0, -1)
        .trim()
        .replaceAll(/^["']|["']$/g, '')
      if (value === undefined || (name !== undefined && holder.judge(name, holder.secret) === false))
        return line
      if (/^[[{](?!\{)/.test(value)) {
        const flow = maskFlow(value, 0, { ...holder, start: 0 })
        values.push(...flow.values)
        return indent + (key ?? '') + blanks + flow.shown + value.slice(flow.to)
      }
      const quote = /^(["']).+\1$/.exec(value)?.[1] ?? ''
      const plain = quote ? value.slice(1, -1) : value
      if (!isValue(plain) || /^[#&|>]/.test(plain)) return line
      values.push(plain)
      return indent + (key ?? '') + blanks + quote + mask + quote
    },
  )
  return values.length === 0 ? undefined : { from, to: from + lines.length, shown, values }
}

function isValue(value: string): boolean {
  return value !== '' && !isReference(value) && !isHarmless(value)
}

/** Finds the same quote at the same level of escaping (`''` inside single quotes is YAML's escape); an unclosed one ends with the text. */
export function findClosing(text: string, from: number, opening: string): number {
  for (let at = text.indexOf(opening, from); at !== -1; at = text.indexOf(opening, at + 1)) {
    if (opening === "'" && text[at + 1] === "'") at += 1
    else if (opening === "'" || text[at - 1] !== '\\' || text[at - 2] === '\\') return at
  }
  return text.length
}
