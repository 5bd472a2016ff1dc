import { kinds, type ReportData, type Entry, type Kind, type SuiteEntry } from './data.ts'

/** Filters of the list; an empty one lets everything through. */
export type Filter = { q: string; status: readonly Kind[]; tag: string; priority: string }

export const noFilter: Filter = { q: '', status: [], tag: '', priority: '' }

/** A row of the list: a suite, or a step of the open suite above it. */
export type Row = { entry: Entry; isOpen: boolean }

/** Suites opened (true) or closed by hand. */
export type Folds = ReadonlyMap<SuiteEntry, boolean>

/** Maximum number of suites and steps for which all suites start open, if nothing failed. */
const fewRows = 300

/** Suites sorted by urgency, failed ones first; otherwise in their order. */
export function sortByUrgency(suites: readonly SuiteEntry[]): SuiteEntry[] {
  return suites.toSorted((a, b) => kinds.indexOf(a.outcome) - kinds.indexOf(b.outcome))
}

/** Lists suites with their matching steps, failed suites first; `shown` counts the steps, including those in closed suites. Every word of `q` must occur in a step or its suite. */
export function listRows(
  data: ReportData,
  { filter, folds, active }: { filter: Filter; folds: Folds; active: Entry | undefined },
): { rows: Row[]; shown: number } {
  const { q, status, tag, priority } = filter
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const isCalm = !data.suites.some(({ outcome }) => outcome === 'failure' || outcome === 'not_run')
  const opensAll = words.length + status.length > 0 || (isCalm && data.entries.length <= fewRows)
  const rows: Row[] = []
  let shown = 0
  for (const suite of sortByUrgency(data.suites)) {
    const left = words.filter((word) => !suite.text.includes(word))
    const matches = ({ outcome, warnings, text }: Entry): boolean =>
      (tag === '' || suite.tags.includes(tag)) &&
      (priority === '' || suite.priority === priority) &&
      (status.length === 0 ||
        status.includes(warnings && status.includes('warning') ? 'warning' : outcome)) &&
      left.every((word) => text.includes(word))
    const steps = suite.steps.filter(matches)
    if (steps.length === 0 && !matches(suite)) continue
    const isActive = active !== suite && active?.suite === suite
    const isOpen = folds.get(suite) ?? (opensAll || isActive || /failure|not_run|flaky/.test(suite.outcome))
    shown += steps.length
    for (const entry of isOpen ? [suite, ...steps] : [suite]) rows.push({ entry, isOpen })
  }
  return { rows, shown }
}
