import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Vitest } from 'vitest/node'
import { describeProblem, type LocatedProblem, type SuiteError } from '../../src/errors.ts'
import { createSuiteError } from '../../src/suite/load-suite.ts'
import { redactError } from '../contract/redact-error.ts'
import type { SuiteProject } from '../main/setup/suite-project.ts'

/** How `suitecase check` was called. */
export type CheckOptions = {
  /** Paths, or parts of paths, of suite files; without any all are checked. */
  files: readonly string[]
  json: boolean
}

/** A suite file, and the project it belongs to. */
type Suite = { path: string; name: string; project: SuiteProject }

/**
 * Finds what is wrong with suite files, as Vitest's configuration in a folder describes them. Nothing is run or sent. The
 * code is 1 when one of them cannot run. Rejects when there is nothing to check.
 */
export async function checkSuites(
  folder: string,
  { files, json }: CheckOptions,
): Promise<{ code: number; output: string }> {
  const { createVitest } = await import('vitest/node')
  const vitest = await createVitest(
    'test',
    { root: folder, watch: false, reporters: [{}] },
    { logLevel: 'error' },
  )
  try {
    const suites = choose(await listSuites(vitest), { folder, files })
    const problems: LocatedProblem[] = []
    for (const suite of suites) problems.push(...(await listProblems(suite)))
    const hasErrors = problems.some(({ severity }) => severity === 'error')
    const output = json ? printJson(suites.length, problems) : printText(suites.length, problems)
    return { code: hasErrors ? 1 : 0, output }
  } finally {
    await vitest.close()
  }
}

async function listSuites(vitest: Vitest): Promise<Suite[]> {
  const plugins = vitest.projects.flatMap(({ vite }) => vite.config.plugins)
  const projects = new Set(
    plugins.flatMap(({ name, api }) => (name === 'suitecase' ? [(api as SuiteProject).served] : [])),
  )
  if (projects.size === 0)
    throw new Error(
      'There is no Vitest configuration with the plugin here: run `npx suitecase init`, or this in the folder of your project.',
    )
  const suites = new Map<string, Suite>()
  for (const project of projects)
    for (const path of (await project.files?.index())?.keys() ?? [])
      suites.set(path, { path, name: project.files?.show(path) ?? path, project })
  return [...suites.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function choose(
  suites: readonly Suite[],
  { folder, files }: { folder: string; files: readonly string[] },
): Suite[] {
  if (suites.length === 0)
    throw new Error('There are no suite files here: none matches the option `include` of suites().')
  const matches = (name: string, suite: Suite): boolean =>
    suite.name.includes(name) || suite.path === resolve(folder, name)
  for (const name of files)
    if (!suites.some((suite) => matches(name, suite)))
      throw new Error(`No suite file matches \`${name}\`: see the option \`include\` of suites().`)
  return suites.filter((suite) => files.length === 0 || files.some((name) => matches(name, suite)))
}

/** Errors of one that cannot run, and what is doubtful in one that can; without what is secret in the file. */
async function listProblems({ path, name, project }: Suite): Promise<readonly LocatedProblem[]> {
  const { redact } = project.options
  try {
    const linked = await project.files?.link(path)
    const problems = linked?.plan.warnings.map(({ problem }) => problem) ?? []
    const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')
    return redactError(createSuiteError({ path: name, text }, problems), { redact, path }).problems
  } catch (error) {
    // The plugin that the configuration imports may be another copy of this package.
    if ((error as Error).name !== 'SuiteError') throw error
    return redactError(error as SuiteError, { redact, path }).problems
  }
}

function printJson(files: number, problems: readonly LocatedProblem[]): string {
  const listed = problems.map(({ location, code, severity, message, hint }) => ({
    ...location,
    code,
    severity,
    message,
    ...(hint !== undefined && { hint }),
  }))
  return `${JSON.stringify({ version: 1, files, problems: listed }, null, 2)}\n`
}

function printText(files: number, problems: readonly LocatedProblem[]): string {
  const counts = (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const count = problems.filter((problem) => problem.severity === severity).length
    return count === 0 ? [] : [`${count} ${severity}${count === 1 || severity === 'info' ? '' : 's'}`]
  })
  const checked = `${files} suite ${files === 1 ? 'file' : 'files'}`
  return (
    [...problems.map(describeProblem), `${checked}: ${counts.join(', ') || 'no problems'}`].join('\n\n') +
    '\n'
  )
}
