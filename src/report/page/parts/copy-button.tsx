import { useEffect, useState } from 'preact/hooks'

/** Copies a text and says so for a moment. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [state, setState] = useState<'' | 'copied' | 'failed'>('')
  useEffect(() => {
    if (state === '') return undefined
    const timer = setTimeout(() => setState(''), 1600)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async (): Promise<void> => setState((await copyText(text)) ? 'copied' : 'failed')
  return (
    <button type="button" class="copy" onClick={() => void copy()}>
      {state === '' ? `Copy ${label}` : state === 'copied' ? 'Copied' : 'Not possible here'}
      <span class="hidden" role="status">
        {state === 'copied' ? `${label} copied` : ''}
      </span>
    </button>
  )
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Pages opened from disk may not use the clipboard; a selection still can.
    return copySelection(text)
  }
}

function copySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  return done
}
