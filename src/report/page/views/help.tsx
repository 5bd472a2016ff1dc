import { useEffect, useRef } from 'preact/hooks'

const keys = [
  ['/', 'search'],
  ['j  k', 'next, previous row'],
  ['Enter', 'open the row'],
  ['←  →', 'close, open the suite in the list'],
  ['n  p', 'next, previous step'],
  ['f', 'next failed step'],
  ['o  l', 'overview, latency'],
  ['Esc', 'back, clear the search'],
] as const

/** What the keyboard does. */
export function Help({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} class="help" aria-label="Keyboard shortcuts" onClose={onClose}>
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
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}
