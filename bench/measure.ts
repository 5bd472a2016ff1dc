import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** The folder into which a part of the benchmark writes its files, and the URL of the echo server it uses. */
export type Place = { folder: string; url: string }

export type Figures = {
  /** Seconds from start to end of the process. */
  wall: number
  /** Processor seconds of the process, its threads and, if the system reports them, its child processes. */
  processor: number
  /** Peak resident size of the main process in MB. */
  memory: number
  /** Files and sockets open at the end, if the system reports them. */
  descriptors: number
}

export type Command = {
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  /** How many tests must have passed for the run to count. */
  passes: number
  /** Finds that number in the output. Defaults to Vitest's format. */
  passed?: RegExp
}

const USAGE = fileURLToPath(new URL('report-usage.js', import.meta.url))

/** Runs a command once. Rejects with its output if it failed or did not run all of its tests. */
export async function measureRun(command: Command): Promise<Figures> {
  const { args, cwd, env, passes, passed = /Tests\s+(\d+) passed \(\d+\)/ } = command
  const file = join(cwd, 'usage.json')
  await rm(file, { force: true })
  const started = performance.now()
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--import', USAGE, ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', BENCH_USAGE: file, ...env },
    maxBuffer: Infinity,
  })
  const wall = (performance.now() - started) / 1000
  const count = passed.exec(stdout + stderr)?.[1]
  if (Number(count) !== passes)
    throw new Error(
      `Expected ${passes} tests to pass, got ${count}: node ${args.join(' ')}\n${stdout}${stderr}`,
    )
  return { wall, ...(JSON.parse(await readFile(file, 'utf8')) as Omit<Figures, 'wall'>) }
}

/** The middle value, or the lower one of the two in the middle. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN
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
