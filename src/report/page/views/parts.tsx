import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { kindTable, type Kind } from '../state/data.ts'
import { showValue, tokenise } from '../state/text.ts'

/** What became of something as a shape and a colour, with its name for those who see neither. */
export function Status({ kind }: { kind: Kind }) {
  return (
    <svg class={`status ${kind}`} viewBox="0 0 16 16" role="img" aria-label={kindTable[kind].name}>
      <path d={kindTable[kind].path} />
    </svg>
  )
}

type FoldProps = {
  title: ComponentChildren
  note?: ComponentChildren
  open?: boolean
  children: ComponentChildren
}

/** A part of a view that folds; what is in it is made when it is opened first. */
export function Fold({ title, note, open = false, children }: FoldProps) {
  const [isMade, make] = useState(open)
  return (
    <details open={open} onToggle={() => make(true)}>
      <summary>
        {title} {note && <small>{note}</small>}
      </summary>
      {isMade && children}
    </details>
  )
}

/** Names and values, such as headers or variables. */
export function Pairs({ pairs }: { pairs: object | undefined }) {
  const entries = Object.entries(pairs ?? {})
  if (entries.length === 0) return <p class="muted">None.</p>
  return (
    <dl class="pairs">
      {entries.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{showValue(value)}</dd>
        </>
      ))}
    </dl>
  )
}

/** Variables and the like as they were recorded, folded; nothing when there are none. */
export function Recorded({ title, value = {} }: { title: string; value: object | undefined }) {
  const count = Object.keys(value).length
  if (count === 0) return null
  return (
    <Fold title={title} note={String(count)}>
      {Array.isArray(value) ? <Value value={value} label={title} /> : <Pairs pairs={value} />}
    </Fold>
  )
}

export type Figure = { name: string; value: string; note?: string | undefined; kind?: Kind; href?: string }

/** Figures with their names; those with an address narrow the list down. */
export function Tiles({ label, figures }: { label: string; figures: readonly Figure[] }) {
  return (
    <dl class="panel tiles" aria-label={label}>
      {figures.map(({ name, value, note, kind, href }) => (
        <div>
          <dt>{name}</dt>
          <dd class={value === '0' ? undefined : kind}>{href ? <a href={href}>{value}</a> : value}</dd>
          {note && <dd class="muted">{note}</dd>}
        </div>
      ))}
    </dl>
  )
}

type TableProps<Item> = {
  label: string
  /** Names that begin with `#` are those of numbers. */
  head: readonly string[]
  items: readonly Item[]
  cells: (item: Item) => readonly ComponentChildren[]
}

/** A table, in room that can be scrolled by keyboard too. */
export function Table<Item>({ label, head, items, cells }: TableProps<Item>) {
  const [shown, rest] = useFirst(items)
  const kinds = head.map((name) => (name.startsWith('#') ? 'number' : undefined))
  return (
    <div class="panel scroll" tabIndex={0} role="group" aria-label={label}>
      <table>
        <thead>
          <tr>
            {head.map((name, column) => (
              <th class={kinds[column]}>{name.replace(/^#(?=.)/, '')}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((item) => (
            <tr>
              {cells(item).map((cell, column) => (
                <td class={kinds[column]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rest}
    </div>
  )
}

/** A share of a line, from 0 to 1. */
export function Bar({ from = 0, size, kind }: { from?: number; size: number; kind?: Kind }) {
  return <div class={`bar ${kind ?? ''}`} style={{ marginLeft: `${from * 100}%`, width: `${size * 100}%` }} />
}

/** The first of many, and a button that shows the rest. */
export function useFirst<Item>(items: readonly Item[], most = 100): [readonly Item[], ComponentChildren] {
  const [all, setAll] = useState(false)
  if (all || items.length <= most) return [items, null]
  const button = (
    <button type="button" onClick={() => setAll(true)}>
      Show all {items.length.toLocaleString('en')}
    </button>
  )
  return [items.slice(0, most), button]
}

/** A sentence in which what is between backticks is shown as code. */
export function Prose({ text }: { text: string }) {
  const parts = text.split(/`([^`\n]+)`/)
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
}

type CalloutsProps = {
  label: string
  items?: readonly { message: string; line?: number; kind?: Kind }[] | undefined
}

/** Sentences that deserve a look: warnings, if nothing else is said. */
export function Callouts({ label, items = [] }: CalloutsProps) {
  if (items.length === 0) return null
  return (
    <ul aria-label={label}>
      {items.map(({ message, line, kind = 'warning' }) => (
        <li class={`callout ${kind}`}>
          <Prose text={message} /> {line !== undefined && <small>line {line}</small>}
        </li>
      ))}
    </ul>
  )
}

/** Copies a text and says so for a moment. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [said, say] = useState('')
  const copy = (): void => {
    // Pages that came over plain HTTP have no clipboard.
    const copied = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))
    void copied.then(
      () => say('Copied'),
      () => say('Not possible here'),
    )
    setTimeout(() => say(''), 1600)
  }
  return (
    <button type="button" class="copy" aria-live="polite" onClick={copy}>
      {said || `Copy ${label}`}
    </button>
  )
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
  const numbered = (start: number): ComponentChildren =>
    lines.map((line, index) => {
      const isMarked = marked.includes(start + index)
      const Line = isMarked ? 'mark' : 'span'
      return (
        <Line class={isMarked ? 'line failure' : 'line'} data-line={start + index}>
          {colour(line || ' ', isData)}
        </Line>
      )
    })
  return (
    <div class="code">
      <pre tabIndex={0} aria-label={label}>
        {firstLine === undefined ? colour(lines.join('\n'), isData) : numbered(firstLine)}
      </pre>
      <CopyButton text={text} label={label} />
      {rest}
    </div>
  )
}

function colour(text: string, isData: boolean): ComponentChildren {
  if (!isData) return text
  return tokenise(text).map(({ kind, text }) => (kind ? <span class={`t-${kind}`}>{text}</span> : text))
}

/** A JSON value or a text. */
export function Value({ value, label }: { value: unknown; label: string }) {
  return <Code text={showValue(value)} label={label} isData={typeof value !== 'string'} />
}
