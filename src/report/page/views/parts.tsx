import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { kindTable, type Kind } from '../state/data.ts'

/** A status as shape and colour, with its name for those who can see neither. */
export function Status({ kind }: { kind: Kind }) {
  return (
    <svg class={`status ${kind}`} viewBox="0 0 16 16" role="img" aria-label={kindTable[kind].name}>
      <path d={kindTable[kind].path} />
    </svg>
  )
}

type ViewProps = { label: string; kind?: Kind; title?: string; children: ComponentChildren }

export function View({ label, kind, title, children }: ViewProps) {
  return (
    <article class="view" aria-label={label}>
      {title && (
        <h2>
          {kind && <Status kind={kind} />} <bdi>{title}</bdi>
        </h2>
      )}
      {children}
    </article>
  )
}

/** Short facts side by side; unknown ones are left out. */
export function Facts({ label, facts }: { label: string; facts: readonly ComponentChildren[] }) {
  return (
    <ul class="facts" aria-label={label}>
      {facts.map((fact) => fact && <li>{fact}</li>)}
    </ul>
  )
}

type FoldProps = {
  title: ComponentChildren
  note?: string | undefined
  open?: boolean
  children: ComponentChildren
}

/** A collapsible part of a view; its content is rendered when first opened. */
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

type TableProps = {
  label: string
  /** Column names; those that begin with `#` are for numbers, those with `~` too wide for a phone. */
  head: readonly string[]
  /** Cells beyond the last column are left out. */
  rows: readonly (readonly ComponentChildren[])[]
}

/** A table in a box that can also be scrolled by keyboard. */
export function Table({ label, head, rows }: TableProps) {
  const [shown, rest] = useFirst(rows)
  const kinds = head.map((name) => ({ '#': 'number', '~': 'wide' })[name[0] ?? ''])
  return (
    <div class="panel" tabIndex={0} role="group" aria-label={label}>
      <table>
        <tr>
          {head.map((name, column) => (
            <th class={kinds[column]}>{name.replace(/^[#~](?=.)/, '')}</th>
          ))}
        </tr>
        {shown.map((cells) => (
          <tr>
            {head.map((_, column) => (
              <td class={kinds[column]}>{cells[column]}</td>
            ))}
          </tr>
        ))}
      </table>
      {rest}
    </div>
  )
}

/** A bar that covers a share of a line; `from` and `size` are from 0 to 1. */
export function Bar({ from = 0, size, kind }: { from?: number; size: number; kind?: Kind }) {
  return <div class={`bar ${kind ?? ''}`} style={{ marginLeft: `${from * 100}%`, width: `${size * 100}%` }} />
}

type ItemsProps = { items: readonly ComponentChildren[]; class: string; label: string; most?: number }

export function Items({ items, label, most, ...list }: ItemsProps) {
  const [shown, rest] = useFirst(items, most)
  return (
    <>
      <ol {...list} aria-label={label}>
        {shown.map((item) => (
          <li>{item}</li>
        ))}
      </ol>
      {rest}
    </>
  )
}

/** The first of many items, and a button that shows the rest. */
export function useFirst<Item>(items: readonly Item[], most = 100): [readonly Item[], ComponentChildren] {
  const [all, setAll] = useState(false)
  if (all || items.length <= most) return [items, null]
  const button = <button onClick={() => setAll(true)}>Show all {items.length.toLocaleString('en')}</button>
  return [items.slice(0, most), button]
}

/** A sentence with text between backticks shown as code. */
export function Prose({ text }: { text: string }) {
  const parts = text.split(/`([^`\n]+)`/)
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
}

type CalloutsProps = { kind: Kind; items?: readonly { message: string; line?: number }[] | undefined }

export function Callouts({ kind, items = [] }: CalloutsProps) {
  return items.map(({ message, line }) => (
    <p class={`callout ${kind}`}>
      <Prose text={message} /> {line !== undefined && <small>line {line}</small>}
    </p>
  ))
}
