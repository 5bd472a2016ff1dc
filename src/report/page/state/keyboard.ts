import { useLayoutEffect, useRef } from 'preact/hooks'

/** What keys do; names as in `KeyboardEvent.key`. */
export type Keys = Record<string, () => void>

/** Calls what a key stands for, unless it is typed into a field or pressed with a modifier. Escape works in fields too, arrows only in the list. */
export function useKeys(keys: Keys): void {
  // Read when a key is pressed: effects of the last press may still wait for a frame when the next one comes.
  const current = useRef(keys)
  current.current = keys
  // Not an effect after the first paint: a key pressed at once would be lost.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement
      const typing = /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName)
      if (event.ctrlKey || event.metaKey || event.altKey || (typing && event.key !== 'Escape')) return
      // Enter on a link or button does what that link or button says.
      if (event.key === 'Enter' && /^(?:A|BUTTON|SUMMARY)$/.test(target.tagName)) return
      if (event.key.startsWith('Arrow') && !target.closest('.list')) return
      if (!Object.hasOwn(current.current, event.key)) return
      event.preventDefault()
      current.current[event.key]?.()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
