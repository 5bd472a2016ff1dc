import type { ComponentChildren } from 'preact'
import { formatMs } from '../../../text/units.ts'
import type { Kind } from '../state/data.ts'
import { JsonView } from './code.tsx'
import { Fold, Status, useFirst } from './parts.tsx'

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

export type HappeningsProps = {
  title: string
  note?: string
  items: readonly Happening[]
  isClosed?: boolean
  /** Draws them as dots on a line, too. */
  isOverTime?: boolean
}

/** A part of a step with what happened in it, in order; nothing when nothing did. */
export function Happenings(props: HappeningsProps) {
  const { title, items, note = String(items.length), isClosed, isOverTime } = props
  const [shown, rest] = useFirst(items)
  if (items.length === 0) return null
  const times = isOverTime ? items.flatMap(({ ms }) => ms ?? []) : []
  const end = Math.max(1, ...times)
  return (
    <Fold kind="section" title={title} note={note} open={!isClosed}>
      {isOverTime && (
        <div class="moments" aria-hidden="true">
          {times.map((ms) => (
            <i style={{ left: `${(ms / end) * 100}%` }} />
          ))}
        </div>
      )}
      <ol class="rows" aria-label={title}>
        {shown.map((item) => (
          <li>
            <Row {...item} />
          </li>
        ))}
      </ol>
      {rest}
    </Fold>
  )
}

function Row({ kind, ms, label, text, parts = {} }: Happening) {
  const shown = Object.entries(parts).filter(([, value]) => value !== undefined)
  const line = (
    <span class="happening">
      {ms !== undefined && <small class="ms">{formatMs(ms)}</small>}
      {kind && <Status kind={kind} />}
      <span class="label">{label}</span>
      {text && <code class="text">{text}</code>}
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
