import type { ComponentChildren } from 'preact'
import { showValue } from '../state/format.ts'

/** A part of a view that folds. */
export function Section({
  title,
  note,
  open = true,
  children,
}: {
  title: string
  note?: string
  open?: boolean
  children: ComponentChildren
}) {
  return (
    <details class="section" open={open}>
      <summary>
        <h3>{title}</h3>
        {note && <span class="note">{note}</span>}
      </summary>
      <div class="section-body">{children}</div>
    </details>
  )
}

/** Names and values, such as headers or variables. */
export function Pairs({ pairs, empty }: { pairs: readonly (readonly [string, unknown])[]; empty: string }) {
  if (pairs.length === 0) return <p class="muted">{empty}</p>
  return (
    <dl class="pairs">
      {pairs.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{showValue(value)}</dd>
        </>
      ))}
    </dl>
  )
}

/** One figure with its name. */
export function Tile({
  name,
  value,
  note,
  tone,
}: {
  name: string
  value: string
  note?: string
  tone?: string
}) {
  return (
    <div class={`tile ${tone ?? ''}`}>
      <dt>{name}</dt>
      <dd>
        {value}
        {note && <small>{note}</small>}
      </dd>
    </div>
  )
}

/** Room for a wide table, which can be scrolled by keyboard too. */
export function Scroll({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={label}>
      {children}
    </div>
  )
}
