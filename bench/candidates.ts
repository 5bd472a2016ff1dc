import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from './measure.ts'
import { writeSuites, writeTests } from './project.ts'
import { FLOOR_SCRIPT } from './workload-texts.ts'
import type { Candidate, Workload } from './workloads.ts'

/** Writes the files of a candidate below a folder; the command runs them once. */
export async function prepareCandidate(
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
  if (candidate.startsWith('by hand')) {
    const options = candidate === 'by hand, threads' ? { pool: 'threads', isolate: false } : {}
    return writeTests(cwd, url, { ...size, text: texts?.test, options, app })
  }
  const report = candidate === 'suitecase, no report' ? { report: false } : {}
  const options = { ...report, ...(app !== undefined && { app: './app.ts' }) }
  return writeSuites(cwd, url, { ...size, text: texts?.suite, options, app })
}
