import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startApi } from './fixtures/plain-api.ts'
import { steady } from './fixtures/steady-output.ts'
import { createProject, type Project } from './fixtures/project.ts'

const folder = join(import.meta.dirname, 'fixtures/output')

/** Suites that run together, and the file with the expected output. */
const runs: readonly { golden: string; why: string; files?: string; args?: string[] }[] = [
  { golden: 'unknown-names', why: 'names without a value are warnings' },
  { golden: 'many-warnings', why: 'the first ten are shown and the others counted' },
  { golden: 'retry-on', why: 'retries that end on what they retry for fail' },
  { golden: 'uncaptured', why: 'what no branch captured skips its consumer' },
  { golden: 'uncaptured-continue', why: 'or is sent as written' },
  { golden: 'operator-names', why: 'a field called like a check is a warning' },
  { golden: 'unmatched', why: 'no scenario matched and nothing was checked' },
  { golden: 'impossible', why: 'a condition that never matches because of types fails its step' },
  { golden: 'partial-captures', why: 'a member that is found nowhere fails' },
  { golden: 'not-contains', why: 'means none of them' },
  { golden: 'large-integers', why: 'are exact from answer to request' },
  { golden: 'lone-mocks', why: 'mocks without an application are an error' },
  { golden: 'nothing-judged', why: 'empty lists and unseen server errors are warnings' },
  {
    golden: 'exports',
    why: 'what was captured is read although the suite failed',
    files: 'exports exports-reader',
  },
  {
    golden: 'late-secret',
    why: 'what becomes secret later is hidden in earlier files',
    files: 'late-secret late-secret-owner',
  },
  { golden: 'unreadable', why: 'one cause is told once' },
  { golden: 'other-status', why: 'so are its effects on the other checks, and the command names the row' },
  { golden: 'long-lines', why: 'lines are cut around the caret' },
  { golden: 'attempts', why: 'attempts, iterations and rows are named' },
  { golden: 'verbose', why: 'more of an answer', files: 'not-contains', args: ['--reporter=verbose'] },
]

function writeSuites(names: readonly string[], api: string): Promise<Project> {
  const files = names.map((name) => `${name}.suite.yaml`)
  return createProject(
    Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')])),
    { suites: `{ concurrency: 1, variables: { api: '${api}' } }`, test: '{ slowTestThreshold: 60_000 }' },
  )
}

test.each(runs)('$golden: $why', async ({ golden, files = golden, args = [] }) => {
  await using api = await startApi()
  await using project = await writeSuites(files.split(' '), api.url)
  const { ordered } = await project.run(...args)
  await expect(`${steady(ordered, project.root)}\n`).toMatchFileSnapshot(join(folder, `${golden}.txt`))
  const written = await readdir(join(project.root, '.vitest/suitecase/suites'))
  for (const name of golden === 'late-secret' ? written : [])
    expect(await readFile(join(project.root, '.vitest/suitecase/suites', name), 'utf8')).not.toContain(
      'late-secret-99',
    )
})

test('snapshots: they are compared line by line', async () => {
  await using api = await startApi()
  await using project = await writeSuites(['snapshots'], api.url)
  const name = 'snapshots.suite.yaml'
  await project.write({
    [name]: (await project.read(name)).replaceAll('/things', '/things/other').replace('201', '200'),
  })
  await project.run('-u')
  await project.write({ [name]: readFileSync(join(folder, name), 'utf8') })
  const { ordered } = await project.run()
  await expect(`${steady(ordered, project.root)}\n`).toMatchFileSnapshot(join(folder, 'snapshots.txt'))
  await rm(join(project.root, '__snapshots__'), { recursive: true })
  const { output } = await project.run('--update=none')
  expect(output).toContain(
    'A short one 1` mismatched: none is stored. Run the test once outside of CI, or with `-u`',
  )
})

test('many warnings: without a report, none is said to have the others', async () => {
  await using project = await createProject(
    { 'many.suite.yaml': readFileSync(join(folder, 'many-warnings.suite.yaml'), 'utf8') },
    { suites: "{ report: false, variables: { api: 'http://127.0.0.1:1' } }" },
  )
  const { output } = await project.run()
  expect(output).toMatch(/^… and \d+ more, in no report, because the option `report` is false\.$/m)
})

test('every suite has its golden text', () => {
  const listed = new Set(['snapshots', ...runs.flatMap(({ golden, files = golden }) => files.split(' '))])
  const suites = readdirSync(folder).filter((name) => name.endsWith('.yaml'))
  expect(suites.filter((name) => !listed.has(name.replace('.suite.yaml', '')))).toEqual([])
})

test.each([
  [
    '{ report: { treshold: { p95: 3 } } }',
    'Unknown field `treshold` in `report`. Did you mean `thresholds`?',
  ],
  ["{ retry: { until: '{{x}}' } }", '`retry.until` contains `{{x}}`, which is not filled in here.'],
  [
    "{ app: './nowhere/app.ts' }",
    'suitecase: the module of the option `app` does not exist: <root>/nowhere/app.ts.',
  ],
])('the options %s are refused in a sentence, without our stack', async (suites, sentence) => {
  await using project = await createProject(
    { 'a.suite.yaml': 'suite_name: A\nsteps: [{ name: a, request: { url: http://127.0.0.1:1 } }]\n' },
    { suites },
  )
  const { code, output } = await project.run()
  expect(code).toBe(1)
  expect(steady(output, project.root)).toContain(sentence)
  expect(output).not.toMatch(/^\s+at /m)
})
