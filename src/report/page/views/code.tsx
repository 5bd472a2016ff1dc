import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { showValue } from '../state/text.ts'
import { useFirst } from './parts.tsx'

const string = String.raw`"(?:[^"\\]|\\.)*"`

/** What words of JSON and YAML are. */
const words = {
  key: String.raw`${string}(?=\s*:)|(?<=^[\s-]*|[{,]\s*)[\w$"'.[\]*-]+(?=:(?:\s|$))`,
  string: `${string}|'[^']*'`,
  note: String.raw`^\s*#.*|\s#\s.*`,
  word: String.raw`\{\{.*?\}\}|\b(?:true|false|null)\b`,
  number: String.raw`(?<=^|[:[,\s-])-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?=[\s,\]}]|$)`,
}

const pattern = new RegExp(`(${Object.values(words).join(')|(')})`, 'gm')
const classes = [undefined, ...Object.keys(words).map((name) => `t-${name}`)]

/** Colours JSON or YAML; what is longer than 128 KiB stays plain. */
function colour(text: string): ComponentChildren {
  if (text.length > 131_072) return text
  // Between two plain texts there is one part for each group.
  return text.split(pattern).map((part, index) => {
    const name = classes[index % classes.length]
    return name && part ? <span class={name}>{part}</span> : part
  })
}

type CodeProps = {
  text: string
  label: string
  /** Whether it is JSON or YAML, and coloured as that. */
  isData?: boolean
  /** Number of the first line, where lines are numbered. */
  firstLine?: number
  /** Numbers of lines that something is wrong with. */
  marked?: readonly number[]
}

/** A block of text with a button to copy it; a long one starts shortened. */
export function Code({ text, label, isData = false, firstLine, marked = [] }: CodeProps) {
  const [lines, rest] = useFirst(text.split('\n'), 400)
  const show = (part: string): ComponentChildren => (isData ? colour(part) : part)
  const numbered = (start: number): ComponentChildren =>
    lines.map((line, index) => {
      const Line = marked.includes(start + index) ? 'mark' : 'span'
      return (
        <Line class="line" data-line={start + index}>
          {show(line || ' ')}
        </Line>
      )
    })
  return (
    <div class="code">
      <pre tabIndex={0} aria-label={label}>
        {firstLine === undefined ? show(lines.join('\n')) : numbered(firstLine)}
      </pre>
      <CopyButton text={text} label={label} />
      {rest}
    </div>
  )
}

/** A JSON value or a text. */
export function Value({ value, label }: { value: unknown; label: string }) {
  return <Code text={showValue(value)} label={label} isData={typeof value !== 'string'} />
}

/** Copies a text and says so. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [said, say] = useState(`Copy ${label}`)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    say('Copied')
  }
  // Pages that came over plain HTTP have no clipboard.
  const tryToCopy = (): void => void copy().catch(() => say('Not possible here'))
  return (
    <button class="copy" aria-live="polite" onClick={tryToCopy}>
      {said}
    </button>
  )
}
