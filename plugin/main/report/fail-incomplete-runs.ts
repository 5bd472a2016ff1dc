import { readdir } from 'node:fs/promises'
import type { Reporter, TestCase, Vitest } from 'vitest/node'
import { failRun } from './fail-run.ts'

/** Fails a run that Vitest would pass, though a filter selects no test, or the blob of a shard was not merged. */
export function failIncompleteRuns(vitest: Vitest): Reporter {
  return {
    async onTestRunEnd(modules) {
      const { testNamePattern: pattern, tagsFilter, mergeReports, passWithNoTests, shard } = vitest.config
      const problems = mergeReports === undefined ? [] : await describeShards(mergeReports)
      // A shard need not have such a test. A file that did not load may have it, and has failed the run.
      const isLoaded = modules.length > 0 && modules.every(({ children }) => children.size > 0)
      const isJudged = isLoaded && !passWithNoTests && !shard
      const tests = modules.values().flatMap(({ children }) => children.allTests())
      const all = isJudged ? tests.toArray() : []
      if (pattern && isJudged && !all.some((test) => test.fullName.search(pattern) !== -1)) {
        problems.push(
          `No test has a name that matches \`-t\`: ${String(pattern)}. Correct it (it is a regular expression, and a whole name reads \`Suite > Step\`), or set \`test.passWithNoTests\`.`,
        )
      } else if (tagsFilter && isJudged && all.every(isLeftOut)) {
        problems.push(
          `No test is selected by \`--tags-filter\`: ${tagsFilter.join(', ')}. Correct it or the \`tags\` of suites and steps, or set \`test.passWithNoTests\`.`,
        )
      }
      for (const problem of problems) failRun(vitest, problem)
    },
  }
}

/** True for a test that a filter left out. One that was skipped for a reason has a note. */
function isLeftOut(test: TestCase): boolean {
  const result = test.result()
  return test.options.mode === 'skip' && !(result.state === 'skipped' && result.note)
}

/** Blobs are named after their shard, such as `blob-1-3.json`, unless the author chose another name. */
async function describeShards(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  const blobs = names.map((name) => /^(.*-)(\d+)-(\d+)\.json$/.exec(name)).filter((blob) => blob !== null)
  const series = Map.groupBy(blobs, ([, before, , count]) => `${before}*-${count}`)
  return [...series.values()].flatMap((parts) => {
    const count = Number(parts[0]?.[3])
    const there = new Set(parts.map(([, , index]) => Number(index)))
    const missing = Array.from({ length: count }, (_, at) => at + 1).filter((at) => !there.has(at))
    if (missing.length === 0) return []
    return [
      `The report of shard ${missing.join(', ')} of ${count} is not in \`${folder}\`, so its results are in no report.`,
    ]
  })
}
