import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Vitest } from 'vitest/node'
import { tryTo, type LocatedProblem } from '../../../src/errors.ts'
import { readTextIfThere } from '../../../src/read-file.ts'
import { resolvePath } from '../../../src/resolve-path.ts'
import { locateProblems } from '../../../src/suite/locate-problems.ts'
import type { SuiteFiles } from './suite-files.ts'

/** Finds suites that never run because of their file names, such as `users.yaml` or `users.suites.yaml`. Looks in the root, in `tests`, and next to other suites. */
export async function findMisnamed(
  files: SuiteFiles,
  { projects }: Pick<Vitest, 'projects'>,
): Promise<readonly LocatedProblem[]> {
  const index = [...(await files.index())]
  const folders = new Set([files.root, `${files.root}/tests`, ...index.map(([path]) => dirname(path))])
  // A suite that another one calls by its file does run.
  const named = new Set(
    index.flatMap(([path, summary]) => summary.files.map((name) => resolvePath(dirname(path), name))),
  )
  return [...folders].flatMap((folder) =>
    // A folder may have been removed since the suites were found.
    (tryTo(() => readdirSync(folder)) ?? []).flatMap((name) => {
      const path = `${folder}/${name}`
      // A correctly named file was left out on purpose, by `include` or `exclude`.
      if (!/\.ya?ml$/i.test(name) || /\.suite\.ya?ml$/.test(name)) return []
      if (named.has(path) || projects.some((project) => project.matchesTestGlob(path))) return []
      return describeMisnamed({ path: files.show(path), text: readTextIfThere(path) ?? '' })
    }),
  )
}

function describeMisnamed(source: { path: string; text: string }): readonly LocatedProblem[] {
  const at = source.text.search(/^suite_name:/m)
  if (at === -1) return []
  const name = source.path.replace(/([._-]suit\w*)?\.ya?ml$/i, '.suite.yaml')
  return locateProblems(source, [
    {
      code: 'ignored',
      severity: 'warning',
      message: 'This suite never runs: no glob of the option `include` of suites() matches its file.',
      hint: `Name the file \`${name}\`, or add it to \`include\`.`,
      range: [at, at + 'suite_name'.length],
    },
  ])
}
