import { Table } from '../parts/parts.tsx'

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
  return (
    <dialog ref={showModal} class="help" aria-label="Keyboard shortcuts" onClose={onClose}>
      <h2>Keyboard</h2>
      <Table
        label="Keys"
        head={['Key', 'What it does']}
        items={keys}
        cells={([key, meaning]) => [<kbd>{key}</kbd>, meaning]}
      />
      <form method="dialog">
        <button type="submit" autofocus>
          Close
        </button>
      </form>
    </dialog>
  )
}

function showModal(dialog: HTMLDialogElement | null): void {
  dialog?.showModal()
}
