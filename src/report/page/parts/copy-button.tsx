import { useState } from 'preact/hooks'

/** Copies a text and says so for a moment. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [said, say] = useState('')
  const copy = async (): Promise<void> => {
    say((await copyText(text)) ? 'Copied' : 'Not possible here')
    setTimeout(() => say(''), 1600)
  }
  return (
    <button type="button" class="copy" aria-live="polite" onClick={() => void copy()}>
      {said || `Copy ${label}`}
    </button>
  )
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Pages that came over plain HTTP may not use the clipboard; a selection still can.
    const area = document.createElement('textarea')
    area.value = text
    document.body.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    return done
  }
}
