import type { PerformanceReport, StepFigures, SuiteFigures } from './performance/performance-report.ts'
import type { ResultStatus } from '../run/result.ts'

/** One step in the page's index, as a tuple: there are many. */
export type PageStep = [
  id: string,
  name: string,
  status: ResultStatus,
  method: string,
  path: string,
  statusCode: number,
  duration: number,
  /** Milliseconds after the start of its suite; -1 when it did not start. */
  offset: number,
  /** Milliseconds of the request; -1 when none was sent. */
  request: number,
  attempts: number,
  iterated: 0 | 1,
  /** First line of what went wrong. */
  error?: string,
  /** 1-based line of the suite file where it went wrong. */
  line?: number,
]

/** One suite in the page's index; its details are in a chunk of their own. */
export type PageSuite = Omit<SuiteFigures, 'steps'> & { steps: PageStep[] }

/** What the page reads at once; the rest is read when it is shown. */
export type PageIndex = { report: PerformanceReport; suites: PageSuite[] }

/** Makes the page's index from a run's figures. */
export function makePageIndex(report: PerformanceReport, suites: readonly SuiteFigures[]): PageIndex {
  return {
    report,
    suites: suites.map((suite) =>
      Object.assign({}, suite, { steps: suite.steps.map((step) => toPageStep(step, suite.start)) }),
    ),
  }
}

function toPageStep(step: StepFigures, start: number): PageStep {
  const entry: PageStep = [
    step.qualified_step_id,
    step.step_name,
    step.status,
    step.method ?? '',
    step.path ?? '',
    step.status_code ?? 0,
    step.duration_ms,
    step.start === undefined || !isExecuted(step) ? -1 : Math.max(0, step.start - start),
    step.request_ms === undefined ? -1 : Math.round(step.request_ms * 100) / 100,
    step.attempts ?? 1,
    step.iterated ? 1 : 0,
  ]
  if (step.error !== undefined) entry.push(step.error)
  if (step.error !== undefined && step.line !== undefined) entry.push(step.line)
  return entry
}

function isExecuted({ status }: StepFigures): boolean {
  return status === 'success' || status === 'failure'
}
