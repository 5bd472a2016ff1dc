import { describeProblem, type LocatedProblem } from '../../src/errors.ts'
import { resolvePath } from '../../src/resolve-path.ts'
import type { SuiteFiles } from '../main/suites/suite-files.ts'
import { openSuites, type OpenSuites } from './open-suites.ts'
import { countOf } from '../../src/text/units.ts'

type CheckOptions = { files: readonly string[]; json: boolean; config: string | undefined }
type Suite = { path: string; name: string; files: SuiteFiles }

/** Finds the mistakes in suite files and those that they call. Runs nothing. The exit code is 1 for errors. Rejects if there are no suites. */
export async function checkSuites({ files, json, config }: CheckOptions) {
  // Vitest takes a line behind the name; here a file is checked as a whole.
  const names = files.map((name) => name.replace(/(?<=\.ya?ml)(?::\d+)+$/, ''))
  const { projects, close } = await openSuites(config)
  try {
    const all = await listSuites(projects)
    if (all.length === 0)
      throw new Error('There are no suite files here: none matches the option `include` of suites().')
    const isMeant = (suite: Suite, name: string): boolean =>
      suite.name.includes(name) || suite.path.startsWith(resolvePath(name))
    const missing = names.find((name) => !all.some((suite) => isMeant(suite, name)))
    if (missing !== undefined)
      throw new Error(`No suite file matches \`${missing}\`: see the option \`include\` of suites().`)
    const suites = all.filter((suite) => names.length === 0 || names.some((name) => isMeant(suite, name)))
    const found: LocatedProblem[] = []
    for (const { files, path } of suites) {
      found.push(...(await files.check(path)))
      for (const called of await files.listCalled(path))
        if (!suites.some((suite) => suite.path === called))
          suites.push({ path: called, name: files.show(called), files })
    }
    // A mistake in a file that suites share is found once for each of them.
    const keyed = new Map(found.map((one) => [JSON.stringify([one.file, one.at, one.message]), one]))
    const problems = [...keyed.values()]
    const output = json ? printJson(suites.length, problems) : printText(suites.length, problems)
    return { code: problems.some(({ severity }) => severity === 'error') ? 1 : 0, output }
  } finally {
    await close()
  }
}

async function listSuites(projects: OpenSuites['projects']): Promise<Suite[]> {
  const suites = new Map<string, Suite>()
  for (const { files } of projects)
    for (const path of (await files.index()).keys()) suites.set(path, { path, name: files.show(path), files })
  return [...suites.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function printJson(files: number, problems: readonly LocatedProblem[]): string {
  const keys = 'version files problems file line column code severity message hint'.split(' ')
  const listed = problems.map((problem) => ({ ...problem, line: problem.at[0], column: problem.at[1] }))
  return `${JSON.stringify({ version: 1, files, problems: listed }, keys, 2)}\n`
}

function printText(files: number, problems: readonly LocatedProblem[]): string {
  const counts = (['error', 'warning'] as const).flatMap((severity) => {
    const count = problems.filter((problem) => problem.severity === severity).length
    return count === 0 ? [] : [countOf(count, severity)]
  })
  const end = `${countOf(files, 'suite file')}: ${counts.join(', ') || 'no problems'}\n`
  return [...problems.map(describeProblem), end].join('\n\n')
}
