import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { escapeControlInLines } from '../../../escape-control.ts'
import { stringifyJson } from '../../../json.ts'
import { cut } from '../../../text/show-value.ts'
import { Fold, Items, useFirst } from './parts.tsx'

/** Formats a JSON value for people: text as it is, anything else as indented JSON; binary data is only named: its text has another length. */
export function formatValue(value: unknown): string {
  if (typeof value !== 'string') return escapeControlInLines(stringifyJson(value, 2) ?? 'undefined')
  const broken = value.match(/[\0\ufffd]/g)?.length ?? 0
  if (value.includes('\0') || broken > 3) return '[binary data]'
  return escapeControlInLines(value)
}

export function showLine(value: unknown): string {
  return cut(formatValue(value).replaceAll(/\s+/g, ' '), 200)
}

const string = String.raw`"(?:[^"\\]|\\.)*"`

/** Patterns for the tokens of JSON and YAML. */
const words = {
  key: String.raw`${string}(?=\s*:)|(?<=^[\s-]*|[{,]\s*)[\w$"'.[\]*-]+(?=:(?:\s|$))`,
  string: `${string}|'[^']*'`,
  note: String.raw`^\s*#.*|\s#\s.*`,
  word: String.raw`\{\{.*?\}\}|\b(?:true|false|null)\b`,
  number: String.raw`(?<=^|[:[,\s-])-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?=[\s,\]}]|$)`,
}

const pattern = new RegExp(`(${Object.values(words).join(')|(')})`, 'g')
const classes = [undefined, ...Object.keys(words).map((name) => `t-${name}`)]

function colour(line: string): ComponentChildren {
  // For each match, `split` returns every group of the pattern, between the plain parts.
  return line.split(pattern).map((part, index) => {
    const name = classes[index % classes.length]
    return name && part ? <span class={name}>{part}</span> : part
  })
}

type CodeProps = {
  text: string
  label: string
  /** True colours it as JSON or YAML, up to 128 KiB. */
  isData?: boolean
  /** Number of the first line, if lines are to be numbered. */
  firstLine?: number
  /** Numbers of lines with errors. */
  marked?: readonly number[]
}

/** A block of text with a copy button; a long one is shortened at first. */
export function Code({ text, label, isData = false, firstLine, marked = [] }: CodeProps) {
  const [lines, rest] = useFirst(text.replace(/\n$/, '').split('\n'), 400)
  const isColoured = isData && text.length <= 131_072
  return (
    <div class="code">
      <pre tabIndex={0} role="group" aria-label={label}>
        {lines.map((line, index) => {
          const number = firstLine && firstLine + index
          const Line = number && marked.includes(number) ? 'mark' : 'span'
          return (
            <Line class={number ? 'line' : undefined} data-line={number}>
              {isColoured ? colour(line || ' ') : line || ' '}
            </Line>
          )
        })}
      </pre>
      <CopyButton text={text} label={label} />
      {rest}
    </div>
  )
}

export function Value({ value, label }: { value: unknown; label: string }) {
  return <Code text={formatValue(value)} label={label} isData={typeof value !== 'string'} />
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [said, say] = useState(`Copy ${label}`)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    say('Copied')
  }
  // Pages loaded over plain HTTP cannot use the clipboard.
  const tryToCopy = (): void => void copy().catch(() => say('Copying failed'))
  return (
    <button class="copy" aria-live="polite" onClick={tryToCopy}>
      {said}
    </button>
  )
}

type RecordedProps = {
  title: string
  note?: string | undefined
  value: string | readonly ComponentChildren[] | object | undefined
  open?: boolean
}

/** A recorded value, collapsed: a text to copy, a list as rows, a map as pairs; nothing if it is empty. */
export function Recorded({ title, note, value = '', open = false }: RecordedProps) {
  const count = Object.keys(value).length
  if (count === 0) return null
  const isText = typeof value === 'string'
  return (
    <Fold title={title} note={note ?? (isText ? undefined : String(count))} open={open}>
      {isText ? (
        <Value value={value} label={title} />
      ) : Array.isArray(value) ? (
        <Items class="rows" label={title} items={value as ComponentChildren[]} />
      ) : (
        <Pairs label={title} value={value} />
      )}
    </Fold>
  )
}

/** Pairs of names and values, such as headers or variables. A long value scrolls, also without a mouse. */
export function Pairs({ label, value }: { label: string; value: object }) {
  const [shown, rest] = useFirst(Object.entries(value))
  return (
    <>
      <dl class="pairs" aria-label={label}>
        {shown.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd tabIndex={formatValue(value).length > 500 ? 0 : undefined}>{formatValue(value)}</dd>
          </>
        ))}
      </dl>
      {rest}
    </>
  )
}

export function nameAll(item: object): ComponentChildren {
  return Object.entries(item).map(([name, value]) => (
    <>
      <small>{name.replaceAll('_', ' ')}</small> <code>{showLine(value)}</code>{' '}
    </>
  ))
}
