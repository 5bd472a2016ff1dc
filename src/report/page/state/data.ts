import { escapeControl } from '../../../escape-control.ts'
import { parseJson } from '../../../json.ts'
import type { ResultStatus, StepResult, SuiteResult } from '../../../run/result.ts'
import type { PageIndex } from '../../page-index.ts'
import type { StepFigures, SuiteFigures } from '../../performance/performance-report.ts'

/** What became of a step or suite; `flaky` passed, but not the first time. */
export type Outcome = ResultStatus | 'flaky'

/** What the list can be narrowed down to. */
export type Kind = Outcome | 'warning'

/** A step as the list shows it. */
export type StepEntry = StepFigures & {
  suite: SuiteEntry
  /** 0-based place in its suite. */
  place: number
  /** Its name, and which iteration it is where several have that name. */
  name: string
  outcome: Outcome
  hash: string
  /** All that a search looks at. */
  text: string
}

/** A suite as the list shows it. */
export type SuiteEntry = Omit<SuiteFigures, 'steps'> & {
  number: number
  outcome: Outcome
  hash: string
  text: string
  steps: StepEntry[]
}

export type Data = Omit<PageIndex, 'suites'> & {
  suites: SuiteEntry[]
  steps: StepEntry[]
  counts: Record<Kind, number>
  /** Suites and steps by their address. */
  places: Map<string, SuiteEntry | StepEntry>
}

/** Reads the index of the page, which is all that is parsed when it opens. Control characters of names are shown escaped. */
export function readData(): Data {
  const index = JSON.parse(readBlock('index')) as PageIndex
  const { totals } = index.report
  const places: Data['places'] = new Map()
  const ids = nameApart(index.suites.map(({ node_id }) => node_id))
  const suites = index.suites.map((figures, number) => toSuite(figures, number, ids[number] as string))
  const steps = suites.flatMap((suite) => suite.steps)
  for (const entry of [...suites, ...steps]) places.set(decodeURIComponent(entry.hash), entry)
  const counts = {
    failure: totals.steps_failed + suites.filter(({ error }) => error !== undefined).length,
    flaky: totals.steps_flaky,
    warning: totals.warnings,
    success: totals.steps_successful - totals.steps_flaky,
    skipped: totals.steps_skipped,
    not_run: totals.steps_not_run,
  }
  return { ...index, suites, steps, counts, places }
}

function toSuite({ steps: figures, ...rest }: SuiteFigures, number: number, id: string): SuiteEntry {
  const isFlaky = rest.status === 'success' && figures.some(({ flaky }) => flaky)
  const suite: SuiteEntry = {
    ...rest,
    suite_name: escapeControl(rest.suite_name),
    number,
    outcome: isFlaky ? 'flaky' : rest.status,
    hash: `#/suite/${encodeURIComponent(id)}`,
    text: joinTexts([rest.suite_name, rest.node_id, rest.file_path, ...rest.tags, ...listMessages(rest)]),
    steps: [],
  }
  const ids = nameApart(figures.map((step) => step.qualified_step_id.replace(/^.*?::/s, '')))
  const names = Map.groupBy(figures, ({ step_name }) => step_name)
  suite.steps = figures.map((step, place) => {
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
  return suite
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
