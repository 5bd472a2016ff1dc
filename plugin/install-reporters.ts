import type { Vitest } from 'vitest/node'
import { addAnnotations } from './annotate-problems.ts'
import { replaceJunitReporter } from './junit-reporter.ts'
import type { ResolvedOptions } from './options.ts'
import SuitecaseReporter from './reporter.ts'
import { stopOnSignals } from './stop-on-signals.ts'
import { watchRun, type WatchedProject } from './watch-run.ts'

/** Vitests that have what the suites of all projects share. */
const prepared = new WeakSet<Vitest>()

/**
 * Adds what watches a run to Vitest's reporters, also to those of the command line: for each project with suites what keeps
 * its exports in step, and once for all what handles signals, what JUnit and GitHub lack and, unless `report` is false or
 * the user configured it by hand, the reporter of suites.
 */
export function installReporters(
  vitest: Vitest,
  project: WatchedProject & { options: ResolvedOptions },
  onStart: () => void,
): void {
  const reporters = vitest.config.reporters as unknown[]
  if (!prepared.has(vitest)) {
    prepared.add(vitest)
    replaceJunitReporter(vitest)
    addAnnotations(vitest)
    reporters.push(stopOnSignals())
  }
  reporters.push(watchRun(project, onStart))
  const { report } = project.options
  if (report !== false && !hasReporter(reporters)) reporters.push(new SuitecaseReporter(report))
}

function hasReporter(reporters: readonly unknown[]): boolean {
  return reporters.flat().some((each) => each === 'suitecase/reporter' || each instanceof SuitecaseReporter)
}
