import { kinds, type Data, type Entry, type Kind, type SuiteEntry } from './data.ts'

/** What the list shows; what is empty lets everything through. */
export type Filter = { q: string; status: readonly Kind[]; tag: string; priority: string }

export const noFilter: Filter = { q: '', status: [], tag: '', priority: '' }

/** A row of the list: a suite, or a step of the suite above it, which is open. */
export type Row = { entry: Entry; isOpen: boolean }

/** Suites that were opened or closed by hand. */
export type Folds = ReadonlyMap<SuiteEntry, boolean>

/** Rows that are shown at once when nothing failed. */
const fewRows = 300

/** Suites with what failed first, else in their order. */
export function sortByUrgency(suites: readonly SuiteEntry[]): SuiteEntry[] {
  return suites.toSorted((a, b) => kinds.indexOf(a.outcome) - kinds.indexOf(b.outcome))
}

/** Lists suites with their matching steps, what failed first, and counts these, also in closed suites; every word of the text must be in what is known of a step or its suite. */
export function listRows(data: Data, filter: Filter, folds: Folds): { rows: Row[]; shown: number } {
  const words = filter.q.toLowerCase().split(/\s+/).filter(Boolean)
  const needsLook = data.suites.some(({ outcome }) => outcome === 'failure' || outcome === 'not_run')
  const opensAll = words.length + filter.status.length > 0 || (!needsLook && data.entries.length <= fewRows)
  const rows: Row[] = []
  let shown = 0
  for (const suite of sortByUrgency(data.suites)) {
    if (filter.tag !== '' && !suite.tags.includes(filter.tag)) continue
    if (filter.priority !== '' && suite.priority !== filter.priority) continue
    const left = words.filter((word) => !suite.text.includes(word))
    const matching = suite.steps.filter((step) => matches(step, left, filter.status))
    // What failed is the suite, not a step: it did not load, or its worker died.
    const isWhole = suite.steps.length === 0 || suite.error !== undefined || suite.warnings !== undefined
    if (matching.length === 0 && !(isWhole && matches(suite, left, filter.status))) continue
    const isOpen = folds.get(suite) ?? (opensAll || /failure|not_run|flaky/.test(suite.outcome))
    shown += matching.length
    for (const entry of isOpen ? [suite, ...matching] : [suite]) rows.push({ entry, isOpen })
  }
  return { rows, shown }
}

function matches(
  { outcome, warnings, text }: Entry,
  words: readonly string[],
  status: readonly Kind[],
): boolean {
  const isKind = status.includes(outcome) || (warnings !== undefined && status.includes('warning'))
  return (status.length === 0 || isKind) && words.every((word) => text.includes(word))
}
