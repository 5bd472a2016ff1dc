import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { createProject, type Project } from './fixtures/project.ts'

const suite = (name: string, rest: string): string => `suite_name: ${name}\nnode_id: ${name}\n${rest}\n`
const typed = (name: string, rest: string): string =>
  `import { defineSuite } from 'suitecase'\ndefineSuite({ suite_name: '${name}', ${rest} })\n`
const echo = "base_url: '{{echo_url}}'"

const files = {
  'src/app.ts': `import { value } from './value.ts'\nexport default () => (_, response) => response.end(value)\n`,
  'src/value.ts': `export const value = 'one'\n`,
  'src/alone.ts': `export const value = 'one'\n`,
  'app.suite.yaml': suite('shop', 'steps:\n  - { name: In, request: { url: / } }'),
  'auth.suite.yaml': suite(
    'auth',
    `${echo}\nexports: [v]\nsteps:\n  - { name: In, request: { method: POST, url: /post, body: { v: one } }, capture: { v: body.json.v } }`,
  ),
  'reader.suite.yaml': suite(
    'reader',
    `${echo}\nsteps:\n  - { name: In, request: { url: '/get?v={{auth.v}}' } }`,
  ),
  'typed-app.test.ts': typed('Typed app', "steps: [{ name: 'In', request: { url: '/' } }]"),
  'typed-reader.test.ts': typed(
    'Typed reader',
    `${echo}, steps: [{ name: 'In', request: { url: '/get?v={{auth.v}}' } }]`,
  ),
}

/** Names of the test files that pass, as the verbose reporter prints them, or that are listed. */
async function listRan(project: Project, ...args: string[]): Promise<string[]> {
  const { output } = await project.vitest(...args)
  const files = output.matchAll(/^(?: ✓ (?:\|suites\| )?|\[suites\] |)([\w-]+\.(?:suite\.yaml|test\.ts))/gm)
  return [...new Set(Array.from(files, ([, file = '']) => file))].toSorted()
}

const RELATED = ['related', '--run', '--reporter=verbose']
// Costs less than a run of the same files.
const LIST = ['list', '--filesOnly']

// Which files run does not depend on their workers: one thread for all costs least.
const one = "pool: 'threads', isolate: false"

const OF_APP = ['app.suite.yaml', 'typed-app.test.ts']
const OF_AUTH = ['auth.suite.yaml', 'reader.suite.yaml', 'typed-reader.test.ts']

test('`vitest related` and `--changed` choose the suites of an application and of what others read', async () => {
  await using project = await createProject(files, { suites: "{ app: './src/app' }", test: `{ ${one} }` })
  expect(await listRan(project, ...RELATED, 'src/value.ts')).toEqual(OF_APP)
  expect(await listRan(project, ...RELATED, 'src/alone.ts')).toEqual([])
  const git = (...args: string[]): unknown =>
    execFileSync('git', ['-c', 'user.email=a@b.example', '-c', 'user.name=a', ...args], { cwd: project.root })
  await project.write({ '.gitignore': 'node_modules\n.vitest\n' })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-q', '-m', 'one')
  await project.write({ 'auth.suite.yaml': `${files['auth.suite.yaml']}# changed\n` })
  expect(await listRan(project, ...LIST, '--changed')).toEqual(OF_AUTH)
})

test('`vitest related` chooses all suites for a file that the module of `extend` imports', async () => {
  await using project = await createProject(
    {
      'auth.suite.yaml': files['auth.suite.yaml'],
      'typed.test.ts': typed('Typed', `${echo}, steps: [{ name: 'In', request: { url: '/get' } }]`),
      'extend.ts': `import { value } from './src/value.ts'\nexport default { functions: { value: () => value } }\n`,
      'src/value.ts': files['src/value.ts'],
    },
    { suites: "{ extend: './extend.ts' }" },
  )
  expect(await listRan(project, ...RELATED, 'src/value.ts')).toEqual(['auth.suite.yaml', 'typed.test.ts'])
})

test('`--sinceLastRun` chooses suites in TypeScript by the files that they and their environment read, and all suites in YAML', async () => {
  const sends = (file: string): string =>
    `${echo}, steps: [{ name: 'In', request: { method: 'POST', url: '/post', file: '${file}' } }]`
  await using project = await createProject(
    {
      'data.txt': 'one',
      'same.txt': 'one',
      'environments/dev.yaml': 'variables: { v: 1 }\n',
      'auth.suite.yaml': files['auth.suite.yaml'],
      'sends.test.ts': typed('Sends', sends('data.txt')),
      'other.test.ts': typed('Other', sends('same.txt')),
    },
    { suites: "{ environment: 'dev' }", test: `{ experimental: { recordDependencies: true }, ${one} }` },
  )
  await project.run()
  await project.write({ 'data.txt': 'two' })
  expect(await listRan(project, ...LIST, '--sinceLastRun')).toEqual(['auth.suite.yaml', 'sends.test.ts'])
  await project.write({ 'environments/dev.yaml': 'variables: { v: 2 }\n' })
  expect(await listRan(project, ...LIST, '--sinceLastRun')).toEqual([
    'auth.suite.yaml',
    'other.test.ts',
    'sends.test.ts',
  ])
})

test('paths with a `#` or `?`, which Vite cuts, are in the list, and their files choose suites', async () => {
  const sends = (name: string, file: string): string =>
    suite(name, `${echo}\nsteps:\n  - { name: In, request: { method: POST, url: /post, file: '${file}' } }`)
  await using project = await createProject(
    {
      'a #1.txt': 'a',
      'b?1.txt': 'b',
      'c.txt': 'c',
      'hash.suite.yaml': sends('hash', 'a #1.txt'),
      'mark.suite.yaml': sends('mark', 'b?1.txt'),
      'plain.suite.yaml': sends('plain', 'c.txt'),
      'what?.suite.yaml': sends('what', 'c.txt'),
      'C#/sharp.suite.yaml': sends('sharp', '../c.txt'),
      'typed-hash.test.ts': typed(
        'Typed',
        `${echo}, steps: [{ name: 'In', request: { url: '/post', method: 'POST', file: 'a #1.txt' } }]`,
      ),
    },
    { test: `{ ${one} }` },
  )
  // Vite cuts these paths, so which of the files has changed cannot be told.
  expect(await listRan(project, ...RELATED, 'a #1.txt')).toEqual([
    'hash.suite.yaml',
    'mark.suite.yaml',
    'typed-hash.test.ts',
  ])
  expect(await listRan(project, ...RELATED, 'b?1.txt')).toContain('mark.suite.yaml')
  const { output } = await project.vitest('list', 'what')
  expect(output).toContain('[suites] what?.suite.yaml > what > In\n')
})
