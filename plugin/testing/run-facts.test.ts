import { execFileSync } from 'node:child_process'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import { createProject, type Project } from './fixtures/project.ts'

async function readFacts(project: Project): Promise<unknown> {
  const html = await project.read('.vitest/suitecase/index.html')
  const [, index = ''] = /id="index">(.*)<\/script>/.exec(html) ?? []
  return (JSON.parse(index) as { run: unknown }).run
}

const suite = (url: string): string => `
suite_name: Facts
base_url: ${url}
steps:
  - name: Send
    request: { url: '/anything/{{$faker.animal.cat}}' }
    assert: { status_code: 200 }
`

test('the page knows what was tested and where', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject(
    {
      'package.json': '{ "name": "shop", "type": "module" }',
      'environments/staging.yaml': `base_url: ${echo.url}\n`,
      'facts.suite.yaml': suite(echo.url),
    },
    { suites: `{ seed: 42, environment: 'staging' }` },
  )
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      cwd: project.root,
      encoding: 'utf8',
    }).trim()
  git('init', '--quiet', '--initial-branch=checkout')
  git('commit', '--quiet', '--allow-empty', '--message=Start')
  const { code } = await project.run()
  expect(code).toBe(0)
  expect(await readFacts(project)).toEqual({
    project: 'shop',
    commit: git('rev-parse', '--short', 'HEAD'),
    branch: 'checkout',
    environment: 'staging',
    node: process.version,
    seed: 42,
  })
})

test('what is not known is left out', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject(
    { 'facts.suite.yaml': suite(echo.url).replace('{{$faker.animal.cat}}', '1') },
    { env: { GITHUB_HEAD_REF: '', GITHUB_REF_NAME: '', CI_COMMIT_REF_NAME: '', BRANCH_NAME: 'nightly' } },
  )
  await project.run()
  expect(await readFacts(project)).toEqual({
    project: basename(project.root),
    branch: 'nightly',
    node: process.version,
  })
})

test('the environment of a project that did not run is left out', async () => {
  const text = "suite_name: A\nsteps: [{ name: One, request: { url: '{{echo_url}}/get' } }]\n"
  await using project = await createProject({
    'vitest.config.ts': `import { suites } from 'suitecase/plugin'
import { defineConfig } from 'vitest/config'
const project = (name, options) => ({ root: name, plugins: [suites(options)], test: { name, include: [] } })
const projects = [project('unit'), project('e2e', { environment: 'staging' })]
export default defineConfig({ test: { projects } })
`,
    'unit/a.suite.yaml': text,
    'e2e/b.suite.yaml': text,
    'e2e/environments/staging.yaml': 'variables: { a: 1 }\n',
  })
  expect((await project.run()).output).toContain('Environment  staging')
  expect((await project.run('unit')).output).not.toContain('Environment')
})
