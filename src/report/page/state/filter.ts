import type { Data, Entry, Kind, SuiteEntry } from './data.ts'
import { kindTable } from './kinds.ts'

/** What the list shows; what is empty lets everything through. */
export type Filter = { q: string; status: readonly Kind[]; tag: string; priority: string }

export const noFilter: Filter = { q: '', status: [], tag: '', priority: '' }

/** A row of the list: a suite, or a step of the suite above it, which is open. */
export type Row = { entry: Entry; isOpen: boolean }

/** Suites that were opened or closed by hand. */
export type Folds = ReadonlyMap<number, boolean>

/** Steps that are shown at once when nothing failed. */
const fewSteps = 300

/** Suites with what failed first, else in their order. */
export function sortByUrgency(suites: readonly SuiteEntry[]): SuiteEntry[] {
  return suites.toSorted((a, b) => kindTable[a.outcome].urgency - kindTable[b.outcome].urgency)
}

/** Lists suites with their matching steps, what failed first, and counts these, also in closed suites; every word of the text must be in what is known of a step or its suite. */
export function listRows(
  { suites, steps }: Data,
  filter: Filter,
  folds: Folds,
): { rows: Row[]; shown: number } {
  const words = filter.q.toLowerCase().split(/\s+/).filter(Boolean)
  const isFiltered = words.length + filter.status.length > 0
  const isShort = steps.length <= fewSteps && suites.every(({ outcome }) => kindTable[outcome].urgency > 1)
  const rows: Row[] = []
  let shown = 0
  for (const suite of sortByUrgency(suites)) {
    if (filter.tag !== '' && !suite.tags.includes(filter.tag)) continue
    if (filter.priority !== '' && suite.priority !== filter.priority) continue
    const left = words.filter((word) => !suite.text.includes(word))
    const matching = suite.steps.filter((step) => matches(step, left, filter.status))
    // What failed is the suite, not a step: it did not load, or its worker died.
    const isWhole = suite.steps.length === 0 || suite.error !== undefined || suite.warnings !== undefined
    if (matching.length === 0 && !(isWhole && matches(suite, left, filter.status))) continue
    const isOpen = folds.get(suite.number) ?? (isFiltered || isShort || kindTable[suite.outcome].urgency < 3)
    shown += matching.length
    for (const entry of isOpen ? [suite, ...matching] : [suite]) rows.push({ entry, isOpen })
  }
  return { rows, shown }
}

function matches(entry: Entry, words: readonly string[], kinds: readonly Kind[]): boolean {
  const isKind = kinds.includes(entry.outcome) || (kinds.includes('warning') && entry.warnings !== undefined)
  return (kinds.length === 0 || isKind) && words.every((word) => entry.text.includes(word))
}
