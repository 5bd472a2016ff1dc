import type { Kind } from './data.ts'

/** How the page writes and draws a kind of outcome, and how soon its suites come in the list. */
type KindRow = { name: string; path: string; urgency: number }

/** The kinds in the order of their weight. */
export const kindTable: Record<Kind, KindRow> = {
  failure: { name: 'failed', urgency: 0, path: 'M4.5 4.5 11.5 11.5M11.5 4.5 4.5 11.5' },
  flaky: { name: 'flaky', urgency: 2, path: 'M13 8A5 5 0 1 1 11 4M11.5 1.5V4.5H8.5' },
  warning: { name: 'warnings', urgency: 3, path: 'M8 3V9M8 12.5V12.6' },
  success: { name: 'passed', urgency: 3, path: 'M3.5 8.5 6.5 11.5 12.5 4.5' },
  skipped: { name: 'skipped', urgency: 3, path: 'M3.5 4 7.5 8 3.5 12M12 4V12' },
  not_run: { name: 'not run', urgency: 1, path: 'M4 8H12' },
}

export const kinds: readonly Kind[] = Object.keys(kindTable) as Kind[]
