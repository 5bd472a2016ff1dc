import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { showValue } from '../state/format.ts'
import { kindTable } from '../state/kinds.ts'
import type { Kind } from '../state/data.ts'

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
  /** `section` is a part of a view, `fold` a part of a section, `entry` one of many. */
  kind?: 'section' | 'fold' | 'entry'
  children: ComponentChildren
}

/** A part of a view that folds; what is in it is made when it is opened first. */
export function Fold({ title, note, open = false, kind = 'fold', children }: FoldProps) {
  const [isMade, make] = useState(open)
  return (
    <details class={kind} open={open} onToggle={() => make(true)}>
      <summary>
        {kind === 'section' ? <h3>{title}</h3> : title}
        {note && <small class="note">{note}</small>}
      </summary>
      {isMade && <div class="body">{children}</div>}
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

export type Figure = { name: string; value: string; note?: string | undefined; tone?: string; href?: string }

/** Figures with their names; those with an address narrow the list down. */
export function Tiles({ label, figures }: { label: string; figures: readonly Figure[] }) {
  return (
    <dl class="tiles" aria-label={label}>
      {figures.map(({ name, value, note, tone = '', href }) => (
        <div class={`tile ${value === '0' ? '' : tone}`}>
          <dt>{name}</dt>
          <dd>
            {href && value !== '0' ? <a href={href}>{value}</a> : value}
            {note && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

type TableProps<Item> = {
  label: string
  /** Says its label above it. */
  isTitled?: boolean
  /** Names that begin with `#` are those of numbers. */
  head: readonly string[]
  items: readonly Item[]
  cells: (item: Item, index: number) => readonly ComponentChildren[]
}

/** A table, in room that can be scrolled by keyboard too. */
export function Table<Item>({ label, isTitled, head, items, cells }: TableProps<Item>) {
  const [shown, rest] = useFirst(items)
  const kinds = head.map((name) => (name.startsWith('#') ? 'number' : ''))
  const table = (
    <div class="scroll" tabIndex={0} role="group" aria-label={label}>
      <table class="grid">
        <thead>
          <tr>
            {head.map((name, column) => (
              <th class={kinds[column]}>{name.replace(/^#(?=.)/, '')}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((item, index) => (
            <tr>
              {cells(item, index).map((cell, column) => (
                <td class={kinds[column]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rest}
    </div>
  )
  if (!isTitled) return table
  return (
    <section>
      <h2>{label}</h2>
      {table}
    </section>
  )
}

/** The first of many, and a button that shows the rest. */
export function useFirst<Item>(items: readonly Item[], most = 100): [readonly Item[], ComponentChildren] {
  const [all, setAll] = useState(false)
  if (all || items.length <= most) return [items, null]
  const button = (
    <button type="button" class="rest" onClick={() => setAll(true)}>
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
    <ul class="callouts" aria-label={label}>
      {items.map(({ message, line, kind = 'warning' }) => (
        <li class={`callout ${kind}`}>
          <Prose text={message} />
          {line !== undefined && <small> line {line}</small>}
        </li>
      ))}
    </ul>
  )
}
