import type { PerformanceReport, SuiteFigures } from './performance/performance-report.ts'

/** Where and of what a run was; what is not known is left out. */
export type RunFacts = {
  project?: string
  commit?: string | undefined
  branch?: string | undefined
  /** Name of the environment's file. */
  environment?: string | undefined
  node?: string
  seed?: number | undefined
}

/** What the page reads at once; the rest is read when it is shown. */
export type PageIndex = { run: RunFacts; report: PerformanceReport; suites: readonly SuiteFigures[] }
