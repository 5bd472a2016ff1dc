import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { measureRun, median, type Command, type Figures } from './measure.ts'
import { writeFiles } from './project.ts'
import { FLOOR_SCRIPT } from './workload-texts.ts'
import type { Candidate, Target, Workload } from './workloads.ts'

/** The figures of each candidate, one per round. A candidate that runs once has only one. */
export type Series = ReadonlyMap<Candidate, readonly Figures[]>

/** Runs all candidates of a workload in turn, round after round. The first round is not measured, and fills the caches. */
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

/** The median ratio of runs in the same round. If the other candidate ran once, all are compared with that run. */
export function compare(series: Series, { of, to, figure = 'wall' }: Omit<Target, 'limit'>): number {
  const others = series.get(to) ?? []
  return median(
    (series.get(of) ?? []).map(
      (run, round) => run[figure] / (others[round] ?? (others[0] as Figures))[figure],
    ),
  )
}

/** Writes the files of a candidate into a folder. Resolves to the command that runs them once. */
async function prepareCandidate(
  candidate: Candidate,
  { size, texts, app }: Workload,
  { folder, url }: { folder: string; url: string },
): Promise<Command> {
  const cwd = join(folder, candidate.replaceAll(/\W+/g, '-'))
  const { suites, steps } = size
  if (candidate === 'floor (undici)') {
    await mkdir(cwd, { recursive: true })
    await writeFile(join(cwd, 'floor.js'), FLOOR_SCRIPT)
    const args = ['floor.js', String(suites), String(steps)]
    return { args, cwd, env: { BENCH_URL: url }, passes: suites * steps }
  }
  const isByHand = candidate.startsWith('by hand')
  const options = {
    ...(candidate === 'by hand, threads' && { pool: 'threads', isolate: false }),
    ...(candidate === 'suitecase, no report' && { report: false }),
    ...(app !== undefined && !isByHand && { app: './app.ts' }),
  }
  return writeFiles(cwd, url, { ...size, isByHand, text: texts?.[isByHand ? 'test' : 'suite'], options, app })
}
