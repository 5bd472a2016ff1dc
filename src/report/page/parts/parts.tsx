import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { kindNames, showValue } from '../state/format.ts'
import type { Kind } from '../state/data.ts'
import { formatMs } from '../../performance/format-ms.ts'
import { JsonView } from './code.tsx'

const paths: Record<Kind, string> = {
  success: 'M3.5 8.5 6.5 11.5 12.5 4.5',
  failure: 'M4.5 4.5 11.5 11.5M11.5 4.5 4.5 11.5',
  flaky: 'M13 8A5 5 0 1 1 11 4M11.5 1.5V4.5H8.5',
  warning: 'M8 3V9M8 12.5V12.6',
  skipped: 'M3.5 4 7.5 8 3.5 12M12 4V12',
  not_run: 'M4 8H12',
}

/** What became of something as a shape and a colour, with its name for those who see neither. */
export function Status({ kind }: { kind: Kind }) {
  return (
    <svg class={`status ${kind}`} viewBox="0 0 16 16" role="img" aria-label={kindNames[kind]}>
      <path d={paths[kind]} />
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
        {note && <span class="note">{note}</span>}
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

type TableProps = { label: string; head: readonly string[]; children: ComponentChildren }

/** A table, in room that can be scrolled by keyboard too; names that begin with `#` are those of numbers. */
export function Table({ label, head, children }: TableProps) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={label}>
      <table class="grid">
        <thead>
          <tr>
            {head.map((name) => (
              <th class={name.startsWith('#') ? 'number' : ''}>{name.replace(/^#(?=.)/, '')}</th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

/** A sentence in which what is between backticks is shown as code. */
export function Prose({ text }: { text: string }) {
  const parts = text.split(/`([^`\n]+)`/)
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code class="tick">{part}</code> : part))}</>
}

type ManyProps<Item> = {
  items: readonly Item[]
  most?: number
  inTable?: boolean
  render: (item: Item, index: number) => ComponentChildren
}

/** The first of many, as items of a list or rows of a table, and the rest on request. */
export function Many<Item>({ items, most = 100, inTable = false, render }: ManyProps<Item>) {
  const [all, setAll] = useState(false)
  if (all || items.length <= most) return <>{items.map(render)}</>
  const rest = (
    <button type="button" onClick={() => setAll(true)}>
      Show all {items.length.toLocaleString('en')}
    </button>
  )
  return (
    <>
      {items.slice(0, most).map(render)}
      {inTable ? (
        <tr>
          <td colSpan={9}>{rest}</td>
        </tr>
      ) : (
        <li class="rest">{rest}</li>
      )}
    </>
  )
}

/** One of the things that happened in a step: an attempt, an event, a message, a call. */
export type Happening = {
  kind?: Kind
  /** When it happened, or how long it took. */
  ms?: number
  label: ComponentChildren
  text?: string | undefined
  /** What one sees when it is opened: names and bodies; those that are absent are left out. */
  parts?: Record<string, unknown>
}

/** What happened, in order; what has more to show opens. */
export function Rows({ label, items }: { label: string; items: readonly Happening[] }) {
  const isTimed = items.some(({ ms }) => ms !== undefined)
  return (
    <ol class={isTimed ? 'rows timed' : 'rows'} aria-label={label}>
      <Many
        items={items}
        render={(item) => (
          <li>
            <Row {...item} />
          </li>
        )}
      />
    </ol>
  )
}

function Row({ kind, ms, label, text, parts = {} }: Happening) {
  const shown = Object.entries(parts).filter(([, value]) => value !== undefined)
  const line = (
    <span class="happening">
      {ms !== undefined && <span class="ms">{formatMs(ms)}</span>}
      {kind && <Status kind={kind} />}
      <span class="label">{label}</span>
      {text && <span class="text">{text}</span>}
    </span>
  )
  if (shown.length === 0) return line
  return (
    <Fold kind="entry" title={line}>
      {shown.map(([name, value]) => (
        <>
          <h4>{name}</h4>
          <JsonView value={value} label={name} />
        </>
      ))}
    </Fold>
  )
}
