import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

type Props = {
  count: number
  /** Height of every row in px. */
  rowHeight: number
  render: (index: number) => ComponentChildren
  /** Row that is scrolled into view when it changes; -1 for none. */
  active: number
  label: string
}

const spare = 8

/** A list that keeps only the visible rows in the document, whatever their number. */
export function VirtualList({ count, rowHeight, render, active, label }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const height = useHeight(box)
  useLayoutEffect(() => {
    const element = box.current
    if (!element || active < 0) return
    const at = active * rowHeight
    if (at < element.scrollTop) element.scrollTop = at
    else if (at + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = at + rowHeight - element.clientHeight
  }, [active, rowHeight, height])
  const first = Math.max(0, Math.floor(top / rowHeight) - spare)
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + spare)
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index)
  return (
    <div
      class="virtual"
      ref={box}
      onScroll={() => setTop(box.current?.scrollTop ?? 0)}
      role="list"
      aria-label={label}
      tabIndex={0}
    >
      <div class="virtual-space" style={{ height: `${count * rowHeight}px` }}>
        <div style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {rows.map((index) => (
            <div
              key={index}
              role="listitem"
              aria-setsize={count}
              aria-posinset={index + 1}
              style={{ height: `${rowHeight}px` }}
            >
              {render(index)}
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

function useHeight(box: RefObject<HTMLDivElement | null>): number {
  const [height, setHeight] = useState(800)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => setHeight(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return height
}
