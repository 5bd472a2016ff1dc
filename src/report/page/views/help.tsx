import { useEffect, useRef } from 'preact/hooks'

const keys = [
  ['/', 'search'],
  ['j  k', 'next, previous row'],
  ['Enter', 'open the row'],
  ['f', 'next failed step'],
  ['o', 'overview'],
  ['t', 'theme'],
  ['Esc', 'back, clear the search'],
] as const

/** What the keyboard does. */
export function Help({ onClose }: { onClose: () => void }) {
  const close = useRef<HTMLButtonElement>(null)
  useEffect(() => close.current?.focus(), [])
  return (
    <div class="veil" onClick={onClose}>
      <div
        class="help"
        role="dialog"
        aria-modal="true"
        aria-label="Keyboard shortcuts"
        onClick={(event) => event.stopPropagation()}
      >
        <h2>Keyboard</h2>
        <dl>
          {keys.map(([key, meaning]) => (
            <>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{meaning}</dd>
            </>
          ))}
        </dl>
        <button type="button" ref={close} onClick={onClose}>
          Close
        </button>
      </div>
    </div>
  )
}
