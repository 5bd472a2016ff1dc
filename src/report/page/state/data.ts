import { escapeControl } from '../../../escape-control.ts'
import { parseJson } from '../../../json.ts'
import type { ResultStatus, StepResult, SuiteResult } from '../../../run/result.ts'
import type { PageIndex } from '../../page-index.ts'
import type { StepFigures, SuiteFigures } from '../../performance/performance-report.ts'

/** What became of a step or suite; `flaky` passed, but not the first time. */
export type Outcome = ResultStatus | 'flaky'

/** What the list can be narrowed down to. */
export type Kind = Outcome | 'warning'

type Named = {
  /** Control characters in it are escaped; that of an iteration says which it is. */
  name: string
  outcome: Outcome
  hash: string
  /** All that a search looks at. */
  text: string
  /** Its suite; a suite's is itself. */
  suite: SuiteEntry
}

/** A step as the list shows it, with its 0-based place in its suite. */
export type StepEntry = StepFigures & Named & { place: number }

/** A suite as the list shows it. */
export type SuiteEntry = Omit<SuiteFigures, 'steps'> & Named & { number: number; steps: StepEntry[] }

export type Entry = SuiteEntry | StepEntry

export type Data = Omit<PageIndex, 'suites'> & {
  suites: SuiteEntry[]
  steps: StepEntry[]
  counts: Record<Kind, number>
  /** Each suite, and behind it its steps, by their address. */
  places: Map<string, Entry>
}

/** Tells steps from suites. */
export function isStep(entry: Entry): entry is StepEntry {
  return entry.suite !== entry
}

/** Whether a step failed, or a suite as a whole: it did not load, or its worker died. */
export function isFailed(entry: Entry): boolean {
  return isStep(entry) ? entry.status === 'failure' : entry.error !== undefined
}

/** Reads the index of the page, which is all that is parsed when it opens. */
export function readData(): Data {
  const index = JSON.parse(readBlock('index')) as PageIndex
  const { totals } = index.report
  const ids = nameApart(index.suites.map(({ node_id }) => node_id))
  const suites = index.suites.map((figures, number) => toSuite(figures, number, ids[number] as string))
  const entries = suites.flatMap((suite): Entry[] => [suite, ...suite.steps])
  const counts = {
    failure: totals.steps_failed + suites.filter(isFailed).length,
    flaky: totals.steps_flaky,
    warning: totals.warnings,
    success: totals.steps_successful - totals.steps_flaky,
    skipped: totals.steps_skipped,
    not_run: totals.steps_not_run,
  }
  const places = new Map(entries.map((entry) => [decodeURIComponent(entry.hash), entry]))
  return { ...index, suites, steps: entries.filter(isStep), counts, places }
}

function toSuite({ steps: figures, ...rest }: SuiteFigures, number: number, id: string): SuiteEntry {
  const isFlaky = rest.status === 'success' && figures.some(({ flaky }) => flaky)
  const suite = {
    ...rest,
    number,
    name: escapeControl(rest.suite_name),
    outcome: isFlaky ? 'flaky' : rest.status,
    hash: `#/suite/${encodeURIComponent(id)}`,
    text: joinTexts([rest.suite_name, rest.node_id, rest.file_path, ...rest.tags, ...listMessages(rest)]),
  } as SuiteEntry
  const ids = nameApart(figures.map((step) => step.qualified_step_id.replace(/^.*?::/s, '')))
  const names = Map.groupBy(figures, ({ step_name }) => step_name)
  const steps = figures.map((step, place): StepEntry => {
    const isOneOfMany = (names.get(step.step_name)?.length ?? 0) > 1 && step.iteration !== undefined
    const name = escapeControl(isOneOfMany ? `${step.step_name} · ${step.iteration}` : step.step_name)
    return {
      ...step,
      suite,
      place,
      name: name || '(no name)',
      outcome: step.flaky ? 'flaky' : step.status,
      hash: `#/step/${encodeURIComponent(id)}/${encodeURIComponent(ids[place] as string)}`,
      text: joinTexts([name, ...listTexts(step)]),
    }
  })
  return Object.assign(suite, { suite, steps })
}

function listTexts(step: StepFigures): (string | number | undefined)[] {
  const { qualified_step_id, method, path, status_code, iteration, skip_reason } = step
  return [qualified_step_id, method, path, status_code, iteration, skip_reason, ...listMessages(step)]
}

function listMessages({ error = '', warnings = [] }: Pick<SuiteFigures, 'error' | 'warnings'>): string[] {
  return [error, ...warnings.map(({ message }) => message)]
}

function joinTexts(texts: readonly (string | number | undefined)[]): string {
  return texts.join(' ').toLowerCase()
}

/** Ids of namesakes get a number, so that addresses survive a new run. */
function nameApart(ids: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return ids.map((id) => {
    const count = (seen.get(id) ?? 0) + 1
    seen.set(id, count)
    return (count === 1 ? id : `${id}~${count}`).toWellFormed()
  })
}

let open: { number: number; result: SuiteResult } | undefined

/** Details of a suite, parsed when they are shown; those of one suite are kept, as who looks at a step looks at its neighbours next. */
export function readSuite({ number }: SuiteEntry): SuiteResult {
  if (open?.number !== number)
    open = { number, result: parseJson(readBlock(`suite-${number}`)) as unknown as SuiteResult }
  return open.result
}

/** Details of a step. */
export function readStep({ suite, place }: StepEntry): StepResult {
  return readSuite(suite).steps_results[place] as StepResult
}

function readBlock(id: string): string {
  return document.getElementById(id)?.textContent ?? 'null'
}
