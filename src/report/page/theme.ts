import { useEffect, useState } from 'preact/hooks'

export type Theme = 'auto' | 'light' | 'dark'

const key = 'suitecase-theme'

/** The chosen theme and a function that goes to the next; `auto` follows the system. */
export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(readTheme)
  useEffect(() => {
    if (theme === 'auto') document.documentElement.removeAttribute('data-theme')
    else document.documentElement.setAttribute('data-theme', theme)
    keepTheme(theme)
  }, [theme])
  return [theme, () => setTheme(theme === 'auto' ? 'light' : theme === 'light' ? 'dark' : 'auto')]
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
