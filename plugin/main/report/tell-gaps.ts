import { readdir } from 'node:fs/promises'
import type { Reporter, TestModule, Vitest } from 'vitest/node'

/** Fails a run that Vitest would pass although something is missing: a `-t` that no test has, a shard whose blob was not merged. */
export function tellGaps(vitest: Vitest): Reporter {
  return {
    async onTestRunEnd(modules) {
      const { testNamePattern: pattern, mergeReports, passWithNoTests, shard } = vitest.config
      const problems = mergeReports === undefined ? [] : await describeShards(mergeReports)
      // Of several shards, not each has a test of that name.
      if (
        pattern &&
        modules.length > 0 &&
        !passWithNoTests &&
        !shard &&
        !modules.some((one) => has(one, pattern))
      )
        problems.push(
          `No test has a name that matches \`-t\`: ${String(pattern)}. Correct it (a whole name reads \`Suite > Step\`), or set \`passWithNoTests\`.`,
        )
      for (const problem of problems) vitest.logger.error(`\nsuitecase: ${problem}`)
      if (problems.length > 0) process.exitCode = 1
    },
  }
}

function has(module: TestModule, pattern: RegExp): boolean {
  return [...module.children.allTests()].some(({ fullName }) => fullName.search(pattern) !== -1)
}

/** Blobs are named after their shard, unless the author named them. */
async function describeShards(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  const parts = names.flatMap((name) => {
    const [, before, index, count] = /^(.*-)(\d+)-(\d+)\.json$/.exec(name) ?? []
    return before === undefined
      ? []
      : [{ series: `${before}*-${count}`, index: Number(index), count: Number(count) }]
  })
  return [...Map.groupBy(parts, ({ series }) => series).values()].flatMap((series) => {
    const count = series[0]?.count ?? 0
    const missing = Array.from({ length: count }, (_, at) => at + 1).filter(
      (at) => !series.some(({ index }) => index === at),
    )
    return missing.length === 0
      ? []
      : [
          `The report of shard ${missing.join(', ')} of ${count} is not in \`${folder}\`: what ran there is in no report.`,
        ]
  })
}
