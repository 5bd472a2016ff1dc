import { median } from './measure.ts'
import { compare, type Series } from './series.ts'
import type { Workload } from './workloads.ts'

/** Prints the medians of all candidates and the ratios with a target. Returns how many miss it. */
export function printSeries(name: string, workload: Workload, series: Series): number {
  const { size, measures, targets } = workload
  console.log(`\n${name}  ${size.suites} × ${size.steps}: ${measures}`)
  const [first] = workload.candidates
  console.log(`  ${''.padEnd(32)}${'wall s'.padStart(9)}${'cpu s'.padStart(9)}${'MB'.padStart(7)}  × first`)
  for (const [candidate, runs] of series) {
    const wall = median(runs.map((run) => run.wall)).toFixed(2)
    const processor = median(runs.map((run) => run.processor)).toFixed(2)
    const memory = median(runs.map((run) => run.memory)).toFixed(0)
    const ratio = compare(series, { of: candidate, to: first }).toFixed(2)
    console.log(
      `  ${candidate.padEnd(32)}${wall.padStart(9)}${processor.padStart(9)}${memory.padStart(7)}${ratio.padStart(9)}`,
    )
  }
  return targets.reduce((missed, { limit, ...target }) => {
    const figure = target.figure === 'memory' ? 'memory: ' : ''
    return missed + printTarget(`${figure}${target.of} / ${target.to}`, compare(series, target), { limit })
  }, 0)
}

/** Prints a figure next to its limit. Returns 1 if it exceeds the limit, else 0. */
export function printTarget(
  text: string,
  value: number,
  { limit, unit = '' }: { limit: number; unit?: string },
): number {
  const holds = value <= limit
  const shown = value.toFixed(value >= 100 ? 0 : 2).padStart(6)
  console.log(`  ${holds ? '✓' : '✗'} ${shown}${unit} ≤ ${limit}${unit}  ${text}`)
  return holds ? 0 : 1
}
