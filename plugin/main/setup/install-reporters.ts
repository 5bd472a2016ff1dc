import { isDeepStrictEqual } from 'node:util'
import type { Reporter, TestProject } from 'vitest/node'
import { replaceJunitReporter } from '../report/junit-reporter.ts'
import { showWarnings } from '../report/show-warnings.ts'
import { keepSecrets } from '../secrets/keep-secrets.ts'
import type { ResolvedOptions } from '../../contract/options.ts'
import { refuse } from '../../contract/refuse.ts'
import SuitecaseReporter from '../report/suite-reporter.ts'
import { failIncompleteRuns } from '../report/fail-incomplete-runs.ts'
import { failCrashedTests } from '../report/fail-crashed-tests.ts'
import { stopOnSignals } from '../handle-signals.ts'

/** Lists of reporters that already have what all projects with suites share. A restart of Vitest has a new list. */
const prepared = new WeakSet<object>()

const given = new WeakMap<object, object | undefined>()

/** Adds our reporters to Vitest's list. Each project adds its `own`; all others are added once. */
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
  if (report === false) return
  // A later project may be the first with options.
  if (report && given.has(reporters) && given.get(reporters) === undefined)
    reporters.splice(
      reporters.findIndex((each) => each instanceof SuitecaseReporter),
      1,
    )
  if (!hasReporter(reporters)) {
    given.set(reporters, report)
    reporters.push(new SuitecaseReporter(report))
  } else if (report && !isDeepStrictEqual(report, given.get(reporters)))
    refuse(
      `suitecase: the \`report\` options of the project \`${project.name}\` would have no effect, because there is only one report, and it has other options. Write the same options in each project that has some, or only in the reporter that you configured yourself.`,
    )
}

function hasReporter(reporters: readonly unknown[]): boolean {
  return reporters.flat().some((each) => each === 'suitecase/reporter' || each instanceof SuitecaseReporter)
}
