import { useLayoutEffect, useState } from 'preact/hooks'

export type Theme = 'auto' | 'light' | 'dark'

const next: Record<Theme, Theme> = { auto: 'light', light: 'dark', dark: 'auto' }

const key = 'suitecase-theme'

/** The chosen theme and a function that goes to the next; `auto` follows the system. */
export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(readTheme)
  useLayoutEffect(() => {
    if (theme === 'auto') document.documentElement.removeAttribute('data-theme')
    else document.documentElement.setAttribute('data-theme', theme)
    keepTheme(theme)
  }, [theme])
  return [theme, () => setTheme((now) => next[now])]
}

function readTheme(): Theme {
  try {
    const kept = localStorage.getItem(key)
    return kept === 'light' || kept === 'dark' ? kept : 'auto'
  } catch {
    // Browsers may forbid storage to pages opened from disk.
    return 'auto'
  }
}

function keepTheme(theme: Theme): void {
  try {
    localStorage.setItem(key, theme)
  } catch {
    // As above: the choice then holds until the page is closed.
  }
}
