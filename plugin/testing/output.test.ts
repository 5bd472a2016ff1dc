import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startApi } from './fixtures/plain-api.ts'
import { steady } from './fixtures/steady-output.ts'
import { createProject, type Project } from './fixtures/project.ts'

const folder = join(import.meta.dirname, 'fixtures/output')

/** Suites that fail, and why. */
const failing = {
  'retry-on': 'retries that end on what they retry for fail',
  impossible: 'a condition that never matches because of types fails its step',
  'partial-captures': 'a member that is found nowhere fails',
  'not-contains': 'means none of them',
  'large-integers': 'are exact from answer to request',
  'lone-mocks': 'mocks without an application are an error',
  unreadable: 'one cause is told once',
  'other-status': 'so are its effects on the other checks, and the command names the row',
  'long-lines': 'lines are cut around the caret',
  attempts: 'attempts, iterations and rows are named',
  exports: 'a suite that failed …',
  'exports-reader': '… gives to others what it captured',
}

/** Suites with warnings, and why. */
const warned = {
  'unknown-names': 'names without a value are warnings',
  'operator-names': 'a field called like a check is a warning',
  'nothing-judged': 'empty lists and unseen server errors are warnings',
}

/** Suites of which something was not captured, not checked or not shown, and why. */
const unmatched = {
  uncaptured: 'what no branch captured skips its consumer',
  'uncaptured-continue': 'or is sent as written',
  unmatched: 'no scenario matched and nothing was checked',
  'late-secret': 'what becomes secret …',
  'late-secret-owner': '… later is hidden in earlier files',
}

/** Suites that run together, and the file with the expected output. */
const runs: readonly { golden: string; why: string; suites?: readonly string[]; args?: string[] }[] = [
  { golden: 'failing', why: 'each failure at its line', suites: Object.keys(failing) },
  { golden: 'warned', why: 'each warning at its line', suites: Object.keys(warned) },
  {
    golden: 'unmatched',
    why: 'conditions without a match, and late secrets',
    suites: Object.keys(unmatched),
  },
  { golden: 'many-warnings', why: 'the first ten are shown and the others counted' },
  { golden: 'verbose', why: 'more of an answer', suites: ['not-contains'], args: ['--reporter=verbose'] },
]

function writeSuites(names: readonly string[], api: string): Promise<Project> {
  const files = names.map((name) => `${name}.suite.yaml`)
  return createProject(
    Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')])),
    { suites: `{ concurrency: 1, variables: { api: '${api}' } }`, test: '{ slowTestThreshold: 60_000 }' },
  )
}

test.each(runs)('$golden: $why', async ({ golden, suites = [golden], args = [] }) => {
  await using api = await startApi()
  await using project = await writeSuites(suites, api.url)
  const { ordered } = await project.run(...args)
  await expect(`${steady(ordered, project.root)}\n`).toMatchFileSnapshot(join(folder, `${golden}.txt`))
  const written = await readdir(join(project.root, '.vitest/suitecase/suites'))
  for (const name of golden === 'unmatched' ? written : [])
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
  const listed = new Set(['snapshots', ...runs.flatMap(({ golden, suites = [golden] }) => suites)])
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
