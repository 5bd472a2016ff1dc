import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { measureRun, median, printTarget, type Command, type Figures, type Place } from './measure.ts'
import { writeFiles } from './project.ts'
import { writeFloor } from './texts.ts'
import { CANDIDATES, type Candidate, type Target, type Workload } from './workloads.ts'

/** The figures of each candidate, one per round. A candidate that runs once has only one. */
type Series = ReadonlyMap<Candidate, readonly Figures[]>

/** Runs a workload, and prints the medians of all candidates and the ratios with a target. Resolves to how many miss it. */
export async function benchWorkload(name: string, workload: Workload, place: Place): Promise<number> {
  const { size, targets, candidates } = workload
  const series = await runSeries(workload, { ...place, folder: join(place.folder, name) })
  console.log(`\n${name}  ${size.suites} × ${size.steps}`)
  console.log(`  ${''.padEnd(20)}   wall s    cpu s     MB  × first`)
  for (const [candidate, runs] of series) {
    const wall = median(runs.map((run) => run.wall)).toFixed(2)
    const processor = median(runs.map((run) => run.processor)).toFixed(2)
    const memory = median(runs.map((run) => run.memory)).toFixed(0)
    const ratio = compare(series, { of: candidate, to: candidates[0] }).toFixed(2)
    const figures = [wall.padStart(9), processor.padStart(9), memory.padStart(7), ratio.padStart(9)]
    console.log(`  ${candidate.padEnd(20)}${figures.join('')}`)
  }
  let missed = 0
  for (const target of targets) {
    const figure = target.figure === undefined ? '' : `${target.figure}: `
    missed += printTarget(`${figure}${target.of} / ${target.to}`, compare(series, target), target)
  }
  return missed
}

/** Runs all candidates in turn, round after round. The first round is not measured, and fills the caches. */
async function runSeries(workload: Workload, place: Place): Promise<Series> {
  const { candidates, once = [], rounds } = workload
  const series = new Map<Candidate, Figures[]>(candidates.map((candidate) => [candidate, []]))
  const commands = new Map<Candidate, Command>()
  for (const candidate of candidates) commands.set(candidate, await prepare(candidate, workload, place))
  for (let round = 0; round <= rounds; round += 1)
    for (const [candidate, command] of commands) {
      if (once.includes(candidate) && round !== 1) continue
      if (candidate === 'first run')
        await rm(join(command.cwd, 'node_modules'), { recursive: true, force: true })
      const figures = await measureRun(command)
      if (round > 0) series.get(candidate)?.push(figures)
    }
  return series
}

/** The median ratio of runs in the same round. If `to` ran only once, all runs are compared with that one. */
function compare(series: Series, { of, to, figure = 'wall' }: Omit<Target, 'limit'>): number {
  const [runs = [], others = []] = [series.get(of), series.get(to)]
  return median(runs.map((run, round) => run[figure] / ((others[round] ?? others[0])?.[figure] ?? 0)))
}

async function prepare(candidate: Candidate, { size, plan }: Workload, place: Place): Promise<Command> {
  const cwd = join(place.folder, candidate.replaceAll(/\W+/g, '-'))
  if (candidate !== 'floor (undici)')
    return writeFiles(cwd, place.url, { ...size, plan, ...CANDIDATES[candidate] })
  await mkdir(cwd, { recursive: true })
  await writeFile(join(cwd, 'floor.js'), writeFloor(size.suites, size.steps))
  return { args: ['floor.js'], cwd, env: { BENCH_URL: place.url }, passes: size.suites * size.steps }
}
