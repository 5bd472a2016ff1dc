import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { prepareCandidate } from './candidates.ts'
import { measureRun, median, type Command, type Figures } from './measure.ts'
import type { Candidate, Target, Workload } from './workloads.ts'

/** The runs of each candidate, one per round; those of a candidate that ran once hold one. */
export type Series = ReadonlyMap<Candidate, readonly Figures[]>

/** Runs all candidates of a workload in turn, round after round. An unmeasured round comes first, and fills the caches. */
export async function runSeries(workload: Workload, place: { folder: string; url: string }): Promise<Series> {
  const { candidates, once = [], rounds } = workload
  const series = new Map<Candidate, Figures[]>()
  const commands = new Map<Candidate, Command>()
  for (const candidate of candidates) {
    series.set(candidate, [])
    commands.set(candidate, await prepareCandidate(candidate, workload, place))
  }
  for (let round = 0; round <= rounds; round += 1)
    for (const [candidate, command] of commands) {
      if (once.includes(candidate) && round !== 1) continue
      if (candidate === 'suitecase, first run')
        await rm(join(command.cwd, 'node_modules'), { recursive: true, force: true })
      const figures = await measureRun(command)
      if (round > 0) series.get(candidate)?.push(figures)
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
