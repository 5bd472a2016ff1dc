import type { Data, StepEntry } from './data.ts'
import type { ResultStatus } from '../../../run/result.ts'

/** What the list shows; empty sets and texts let everything through. */
export type Filter = { text: string; statuses: ReadonlySet<ResultStatus>; tag: string; priority: string }

export const noFilter: Filter = { text: '', statuses: new Set(), tag: '', priority: '' }

/** A row of the list: a suite, or a step of the suite above it. */
export type Row = { kind: 'suite'; suite: number; shown: number } | { kind: 'step'; step: StepEntry }

/** Lists suites with their matching steps; every word of the text must be in the step's or its suite's name, id, file, method, path or status code. */
export function listRows({ suites, steps }: Data, filter: Filter): Row[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean)
  const rows: Row[] = []
  for (const [number, suite] of suites.entries()) {
    if (filter.tag !== '' && !suite.tags.includes(filter.tag)) continue
    if (filter.priority !== '' && suite.priority !== filter.priority) continue
    const around =
      `${suite.suite_name} ${suite.node_id} ${suite.file_path} ${suite.tags.join(' ')}`.toLowerCase()
    const left = words.filter((word) => !around.includes(word))
    const matching = (steps[number] ?? []).filter((step) => matches(step, left, filter.statuses))
    // What failed is the suite, not a step: it did not load, or its worker died.
    const isWhole = suite.steps.length === 0 || suite.error !== undefined
    const wholeMatches =
      isWhole && left.length === 0 && (filter.statuses.size === 0 || filter.statuses.has(suite.status))
    if (matching.length === 0 && !wholeMatches) continue
    rows.push({ kind: 'suite', suite: number, shown: matching.length })
    for (const step of matching) rows.push({ kind: 'step', step })
  }
  return rows
}

function matches(step: StepEntry, words: readonly string[], statuses: ReadonlySet<ResultStatus>): boolean {
  if (statuses.size > 0 && !statuses.has(step.status)) return false
  if (words.length === 0) return true
  const text = `${step.name} ${step.id} ${step.method} ${step.path} ${step.statusCode || ''}`.toLowerCase()
  return words.every((word) => text.includes(word))
}
