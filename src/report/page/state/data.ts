import { parseJson } from '../../../json.ts'
import { escapeControl } from '../../../escape-control.ts'
import type { StepResult, SuiteResult } from '../../../run/result.ts'
import type { PageIndex, PageStep, PageSuite } from '../../page-index.ts'

/** A step of the index with names instead of places. */
export type StepEntry = {
  suite: number
  /** 0-based place in its suite. */
  place: number
  id: string
  name: string
  status: PageStep[2]
  method: string
  path: string
  statusCode: number
  duration: number
  offset: number
  request: number
  attempts: number
  iterated: boolean
  error: string | undefined
  line: number | undefined
}

export type Data = { report: PageIndex['report']; suites: PageSuite[]; steps: StepEntry[][] }

/** Reads the index of the page, which is all that is parsed when it opens. Control characters of names are shown escaped. */
export function readData(): Data {
  const { report, suites } = JSON.parse(readBlock('index')) as PageIndex
  for (const one of [...suites, ...report.suites]) one.suite_name = escapeControl(one.suite_name)
  for (const one of report.slowest) one.step_name = escapeControl(one.step_name)
  return {
    report,
    suites,
    steps: suites.map((suite, number) => suite.steps.map((step, place) => toEntry(step, number, place))),
  }
}

function toEntry(step: PageStep, suite: number, place: number): StepEntry {
  const [id, name, status, method, path, statusCode, duration, offset, request, attempts] = step
  const [iterated, error, line] = step.slice(10) as [0 | 1, string?, number?]
  return {
    suite,
    place,
    id,
    name: escapeControl(name),
    status,
    method,
    path,
    statusCode,
    duration,
    offset,
    request,
    attempts,
    iterated: iterated === 1,
    error,
    line,
  }
}

export type SuiteDetails = Omit<SuiteResult, 'steps_results'>

let open: { suite: number; lines: string[] } | undefined

/** Details of a suite, parsed when they are shown. */
export function readSuite(suite: number): SuiteDetails {
  return JSON.parse(linesOf(suite).at(-1) as string) as SuiteDetails
}

/** Details of a step, parsed when they are shown. */
export function readStep(suite: number, place: number): StepResult {
  const step = parseJson(linesOf(suite)[place] as string) as unknown as StepResult
  return { ...step, step_name: escapeControl(step.step_name) }
}

// The lines of one suite are kept: who looks at a step looks at its neighbours next.
function linesOf(suite: number): string[] {
  if (open?.suite !== suite) open = { suite, lines: readBlock(`suite-${suite}`).split('\n') }
  return open.lines
}

function readBlock(id: string): string {
  return document.getElementById(id)?.textContent ?? 'null'
}
