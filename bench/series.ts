import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { prepareCandidates, type Candidate } from './candidates.ts'
import { measureRun, median, type Figures } from './measure.ts'
import type { Target, Workload } from './workloads.ts'

/** The runs of each candidate, one per round; those of a candidate that ran once hold one. */
export type Series = ReadonlyMap<Candidate, readonly Figures[]>

/** Runs all candidates of a workload in turn, round after round. An unmeasured round comes first, and fills the caches. */
export async function runSeries(
  workload: Workload,
  { folder, url }: { folder: string; url: string },
): Promise<Series> {
  const command = await prepareCandidates(folder, { size: workload.size, url })
  const series = new Map<Candidate, Figures[]>(workload.candidates.map((candidate) => [candidate, []]))
  for (let round = 0; round <= workload.rounds; round += 1)
    for (const [candidate, runs] of series) {
      if (workload.once?.includes(candidate) && round !== 1) continue
      const run = command(candidate)
      if (candidate === 'suitecase, first run')
        await rm(join(run.cwd, 'node_modules'), { recursive: true, force: true })
      const figures = await measureRun(run)
      if (round > 0) runs.push(figures)
    }
  return series
}

/** Median of the ratios of runs of the same round; against a candidate that ran once, of all to that one. */
export function compare(series: Series, { of, to, figure = 'wall' }: Omit<Target, 'limit'>): number {
  const others = series.get(to) ?? []
  return median(
    (series.get(of) ?? []).map(
      (run, round) => run[figure] / (others[round] ?? (others[0] as Figures))[figure],
    ),
  )
}
