import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

type Props = {
  count: number
  render: (index: number) => ComponentChildren
  /** Row that is scrolled into view when it changes; -1 for none. */
  active: number
  label: string
}

/** Height of a row in px. */
const rowHeight = 32

/** Rows that are drawn beyond those one sees. */
const spare = 8

/** A list that keeps only the visible rows in the document, whatever their number. */
export function VirtualList({ count, render, active, label }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  // No list is higher than its window.
  const [height, setHeight] = useState(innerHeight)
  useEffect(() => {
    const measure = (): void => setHeight(innerHeight)
    addEventListener('resize', measure)
    return () => removeEventListener('resize', measure)
  }, [])
  useLayoutEffect(() => {
    const element = box.current
    if (!element || active < 0) return
    const at = active * rowHeight
    element.scrollTop = Math.max(Math.min(element.scrollTop, at), at + rowHeight - element.clientHeight)
  }, [active, height])
  const first = Math.max(0, Math.floor(top / rowHeight) - spare)
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + spare)
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
