import { escapeControl } from '../../../escape-control.ts'
import { parseJson } from '../../../json.ts'
import type { ResultStatus, StepResult, SuiteResult } from '../../../run/result.ts'
import { cut } from '../../../text/show-value.ts'
import type { PageIndex } from '../../performance/compute-performance.ts'
import type { StepFigures, SuiteFigures } from '../../performance/figures.ts'

/** What the list can be filtered by; `flaky` passed, but not at once. */
export type Kind = ResultStatus | 'flaky' | 'warning'

/** Name and icon of each kind, the most urgent first. */
export const kindTable: Record<Kind, { name: string; path: string }> = {
  failure: { name: 'failed', path: 'M4.5 4.5 11.5 11.5M11.5 4.5 4.5 11.5' },
  not_run: { name: 'not run', path: 'M4 8H12' },
  flaky: { name: 'flaky', path: 'M13 8A5 5 0 1 1 11 4M11.5 1.5V4.5H8.5' },
  warning: { name: 'warnings', path: 'M8 3V9M8 12.5V12.6' },
  success: { name: 'passed', path: 'M3.5 8.5 6.5 11.5 12.5 4.5' },
  skipped: { name: 'skipped', path: 'M3.5 4 7.5 8 3.5 12M12 4V12' },
}

export const kinds: readonly Kind[] = Object.keys(kindTable) as Kind[]

export function countKind(count: number, kind: Kind): string {
  const { name } = kindTable[kind]
  return `${count.toLocaleString('en')} ${count === 1 ? name.replace(/s$/, '') : name}`
}

export function sayFlaky({ attempts }: { attempts?: number }): string {
  return attempts === undefined ? 'passed when it was run again' : `passed on attempt ${attempts}`
}

/** Suites sorted by urgency, failed ones first; otherwise in their order. */
export function sortByUrgency(suites: readonly SuiteEntry[]): SuiteEntry[] {
  return suites.toSorted((a, b) => kinds.indexOf(a.outcome) - kinds.indexOf(b.outcome))
}

type Listed = {
  /** With control characters escaped and, for one of several iterations, the value of its loop variable. */
  name: string
  outcome: Kind
  hash: string
  /** Text to search, in lower case. */
  text: string
  /** 0-based index among the suites, or in its suite. */
  place: number
  /** Its suite; for a suite, itself. */
  suite: SuiteEntry
}

export type StepEntry = StepFigures & Listed
export type SuiteEntry = Omit<SuiteFigures, 'steps'> & Listed & { steps: StepEntry[]; details?: SuiteResult }
export type Entry = SuiteEntry | StepEntry

export type ReportData = ReturnType<typeof readReportData>

export function isStepEntry(entry: Entry): entry is StepEntry {
  return entry.suite !== entry
}

/** True if a step failed, or a suite as a whole (did not load, worker died). */
export function isFailed(entry: Entry): boolean {
  return isStepEntry(entry) ? entry.status === 'failure' : entry.error !== undefined
}

/** Reads the page's index, the only data parsed when it opens. */
export function readReportData() {
  const index = parseBlock('index') as PageIndex
  const { totals } = index.report
  const nameApart = createNaming()
  const suites = index.suites.map((figures, place) => toSuite(figures, place, nameApart(figures.node_id)))
  const counts = {
    failure: totals.steps_failed + suites.filter(isFailed).length,
    not_run: totals.steps_not_run,
    flaky: totals.steps_flaky,
    warning: totals.warnings,
    success: totals.steps_successful - totals.steps_flaky,
    skipped: totals.steps_skipped,
  }
  // Each suite followed by its steps.
  const entries = suites.flatMap((suite): Entry[] => [suite, ...suite.steps])
  return { ...index, suites, counts, entries }
}

function toSuite({ steps, ...figures }: SuiteFigures, place: number, id: string): SuiteEntry {
  const { suite_name, node_id, file_path, tags, status } = figures
  const isFlaky = status === 'success' && steps.some(({ flaky }) => flaky)
  const names = [suite_name, node_id, file_path, ...tags]
  const suite = { ...list(figures, names, isFlaky), place, hash: `#/suite/${id}` } as SuiteEntry
  suite.suite = suite
  const nameApart = createNaming()
  const namesakes = Map.groupBy(steps, ({ step_name }) => step_name)
  suite.steps = steps.map((step, place) => {
    const { step_name, iteration, qualified_step_id, method, path, status_code, skip_reason } = step
    const isOneOfMany = iteration !== undefined && namesakes.get(step_name)?.length !== 1
    const name = isOneOfMany ? `${step_name} · ${iteration}` : step_name
    const names = [name, qualified_step_id, method, path, status_code, iteration, skip_reason]
    const hash = `#/step/${id}/${nameApart(qualified_step_id.replace(/^.*?::/s, ''))}`
    return Object.assign(list(step, names, step.flaky), { place, suite, hash })
  })
  return suite
}

/** What the list needs of a suite or step; searches match its names and messages. */
function list<T extends Pick<StepFigures, 'status' | 'error' | 'warnings'>>(
  figures: T,
  names: readonly (string | number | undefined)[],
  isFlaky = false,
) {
  const { status, error, warnings = [] } = figures
  const texts = [...names, error, ...warnings.map(({ message }) => message)]
  const outcome: Kind = isFlaky ? 'flaky' : status
  const name = cut(escapeControl(String(names[0])), 200) || '(no name)'
  return { ...figures, name, outcome, text: texts.join(' ').toLowerCase() }
}

/** Converts ids to parts of addresses; repeated ids get a number, so that addresses stay valid in the next run. */
function createNaming(): (id: string) => string {
  const seen = new Map<string, number>()
  return (id) => {
    const count = (seen.get(id) ?? 0) + 1
    seen.set(id, count)
    const part = encodeURIComponent(id.toWellFormed()).replaceAll('~', '%7E')
    return count === 1 ? part : `${part}~${count}`
  }
}

export function readSuiteDetails(suite: SuiteEntry): SuiteResult {
  suite.details ??= parseBlock(`suite-${suite.place}`) as SuiteResult
  return suite.details
}

export function readStepDetails({ suite, place }: StepEntry): StepResult {
  return readSuiteDetails(suite).steps_results[place] as StepResult
}

/** Parses a data block; integers beyond 2⁵³ stay exact. */
function parseBlock(id: string): unknown {
  return parseJson(document.getElementById(id)?.textContent ?? '')
}
