import type { ComponentChildren } from 'preact'
import { formatMs } from '../../performance/format-ms.ts'
import type { Kind } from '../state/data.ts'
import { JsonView } from './code.tsx'
import { Fold, Many, Status } from './parts.tsx'

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
