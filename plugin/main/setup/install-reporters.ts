import { isDeepStrictEqual } from 'node:util'
import type { Reporter, TestProject } from 'vitest/node'
import { replaceJunitReporter } from '../report/junit-reporter.ts'
import { showWarnings } from '../report/show-warnings.ts'
import { keepSecrets } from '../secrets/keep-secrets.ts'
import type { ResolvedOptions } from '../../contract/options.ts'
import SuitecaseReporter from '../report/suite-reporter.ts'
import { failIncompleteRuns } from '../report/fail-incomplete-runs.ts'
import { failCrashedTests } from '../report/fail-crashed-tests.ts'
import { stopOnSignals } from '../handle-signals.ts'

/** Lists of reporters that already have what all projects with suites share. A restart of Vitest has a new list. */
const prepared = new WeakSet<object>()

/**
 * Adds our reporters to Vitest's list, which includes those of the command line. Each project with suites
 * adds its `own`. All others are added once, among them the reporter of suites, unless `report` is false or
 * the user configured it by hand.
 */
export function installReporters(
  project: TestProject,
  report: ResolvedOptions['report'],
  own: readonly Reporter[],
): void {
  const { vitest } = project
  const reporters = vitest.config.reporters as unknown[]
  if (!prepared.has(reporters)) {
    prepared.add(reporters)
    replaceJunitReporter(vitest)
    // Before all others, since these change the results that the others read.
    reporters.unshift(failCrashedTests(vitest), keepSecrets(vitest))
    const isReported = (): boolean => hasReporter(reporters)
    reporters.push(
      stopOnSignals(vitest, isReported),
      showWarnings(vitest, isReported),
      failIncompleteRuns(vitest),
    )
  }
  reporters.push(...own)
  if (report !== false) addReporter(project, report)
}

/** The reporter added to a list, with the options of the first project that has any. */
const added = new WeakMap<object, { reporter: SuitecaseReporter; report: object | undefined }>()

function addReporter({ vitest, name }: TestProject, report: Exclude<ResolvedOptions['report'], false>): void {
  const reporters = vitest.config.reporters as unknown[]
  const known = added.get(reporters)
  const isFirst = !known && !hasReporter(reporters)
  if (isFirst || (report && known && !known.report)) {
    const reporter = new SuitecaseReporter(report)
    reporters.splice(known ? reporters.indexOf(known.reporter) : reporters.length, 1, reporter)
    added.set(reporters, { reporter, report })
  } else if (report && !isDeepStrictEqual(report, known?.report))
    vitest.logger.warn(
      `\nsuitecase: The \`report\` options of the project \`${name}\` have no effect: there is only one report, and another project has already set its options. Set them in one place.`,
    )
}

function hasReporter(reporters: readonly unknown[]): boolean {
  return reporters.flat().some((each) => each === 'suitecase/reporter' || each instanceof SuitecaseReporter)
}
