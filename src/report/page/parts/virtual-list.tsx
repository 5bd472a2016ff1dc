import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

type Props = {
  count: number
  render: (index: number) => ComponentChildren
  /** Row that is scrolled into view when it changes; -1 for none. */
  active: number
  label: string
}

/** Height of a row in px. */
const rowHeight = 32

/** No list is taller, in px: the screen, and as much again for who zooms out. */
const tallest = 2 * screen.height

/** Rows that are drawn beyond those one sees. */
const spare = 8

/** A list that keeps only the visible rows in the document, whatever their number. */
export function VirtualList({ count, render, active, label }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const element = box.current
    if (!element || active < 0) return
    const at = active * rowHeight
    element.scrollTop = Math.max(Math.min(element.scrollTop, at), at + rowHeight - element.clientHeight)
  }, [active])
  const first = Math.max(0, Math.floor(top / rowHeight) - spare)
  const last = Math.min(count, Math.ceil((top + tallest) / rowHeight) + spare)
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index)
  return (
    <div
      class="virtual"
      ref={box}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      role="list"
      aria-label={label}
      tabIndex={0}
    >
      <div style={{ height: `${count * rowHeight}px`, paddingTop: `${first * rowHeight}px` }}>
        {rows.map((index) => (
          <div key={index} role="listitem" aria-setsize={count} aria-posinset={index + 1}>
            {render(index)}
          </div>
        ))}
      </div>
    </div>
  )
}
