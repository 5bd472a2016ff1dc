import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The cost of a run. */
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

/** A command to measure. */
export type Command = {
  /** Arguments for node. */
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
export async function measureRun({
  args,
  cwd,
  env,
  passes,
  passed: pattern = /Tests\s+(\d+) passed \(\d+\)/,
}: Command): Promise<Figures> {
  const file = join(cwd, 'usage.json')
  await rm(file, { force: true })
  const started = performance.now()
  const child = spawn(process.execPath, ['--import', USAGE, ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', BENCH_USAGE: file, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk))
  const [code] = (await once(child, 'close')) as [number]
  const wall = (performance.now() - started) / 1000
  const text = Buffer.concat(output).toString()
  const passed = pattern.exec(text)?.[1]
  if (code !== 0 || Number(passed) !== passes)
    throw new Error(
      `Expected ${passes} tests to pass, got ${passed} and exit code ${code}: node ${args.join(' ')}\n${text}`,
    )
  const usage = JSON.parse(await readFile(file, 'utf8')) as Omit<Figures, 'wall'>
  return { wall, ...usage }
}

/** The middle value, or the lower one of the two in the middle. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN
}
