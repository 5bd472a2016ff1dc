import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installPackage, packages } from './fixtures/installed-package.ts'
import { createFolder, type Project } from './fixtures/project.ts'

const { peerDependenciesMeta } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
) as { peerDependenciesMeta: Record<string, { optional: true }> }
const optional = new Set(Object.keys(peerDependenciesMeta))

/** A project with the required dependencies of the package but no optional ones. The package is a copy, since a link would lead to where they are installed, and imports a Vitest of its own, as pnpm may give it one. */
async function createBareProject(files: Record<string, string>, suites = '{}'): Promise<Project> {
  const config = `import { suites } from 'suitecase/plugin'\nexport default { plugins: [suites(${suites})] }\n`
  const all = { 'package.json': '{ "type": "module" }', 'vitest.config.ts': config, ...files }
  const project = await createFolder(all, {})
  const modules = join(project.root, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(packages).filter((name) => !name.startsWith('.'))) {
    const inScope = name.startsWith('@') ? readdirSync(join(packages, name)) : undefined
    if (inScope) mkdirSync(join(modules, name))
    for (const path of inScope?.map((inner) => `${name}/${inner}`) ?? [name])
      if (!optional.has(path)) symlinkSync(join(packages, path), join(modules, path))
  }
  const copy = join(modules, 'suitecase')
  cpSync(await installPackage(), copy, { recursive: true })
  cpSync(join(packages, 'vitest'), join(copy, 'node_modules/vitest'), { recursive: true })
  return project
}

const suite = (step: string): string =>
  `suite_name: S\nbase_url: '{{echo_url}}'\nsteps:\n  - name: One\n${step}\n`

const typed = `import { defineSuite } from 'suitecase'
import { expect, test } from 'suitecase/fixture'
const request = { url: '{{echo_url}}/get' }
defineSuite({ suite_name: 'T', steps: [{ name: 'One', request, assert: { status_code: 200 } }] })
test('by hand', async ({ echo }) => expect((await echo.request.get('/get')).status).toBe(200))
`

const INSTALL = 'run `npm install --save-dev'

const needs = {
  xpath: [
    "    request: { url: /xml }\n    assert: { xpath: { '//slide': 1 } }",
    `xpath.suite.yaml:6:35 error bad-path: \`xpath\` needs the packages \`fontoxpath\` and \`slimdom\`: ${INSTALL} fontoxpath slimdom\`.`,
  ],
  css: [
    '    request: { url: /html }\n    capture: { title: { css: h1 } }',
    `css.suite.yaml:6:30 error bad-path: \`css\` needs the packages \`css-select\` and \`htmlparser2\`: ${INSTALL} css-select htmlparser2\`.`,
  ],
  graphql: [
    "    request: { url: /graphql, graphql: { query: '{ a }', schema: ./a.graphql } }",
    'graphql.suite.yaml:5:66 error bad-value: Checking a query needs the package `graphql`, which is not installed.\n  hint: Run `npm install --save-dev graphql`, or leave out `schema`.',
  ],
  faker: [
    "    request: { url: '/get?a={{$faker.internet.email}}' }",
    'faker.suite.yaml:5:31 error bad-value: Generated data needs the package `@faker-js/faker`, which is not installed.\n  hint: Run `npm install --save-dev @faker-js/faker`.',
  ],
} as const

test('without optional packages an error says how to install them, at its line, and all other suites run', async () => {
  const needing = Object.entries(needs).map(([name, [step]]) => [`${name}.suite.yaml`, suite(step)])
  await using project = await createBareProject({
    ...(Object.fromEntries(needing) as Record<string, string>),
    'a.graphql': 'type Query { a: Int }\n',
    'plain.suite.yaml': suite('    request: { url: /get }\n    assert: { status_code: 200 }'),
    'typed.test.ts': typed,
  })
  const { output } = await project.run()
  for (const [, message] of Object.values(needs)) expect(output).toContain(message)
  expect(output).toMatch(/Test Files {2}4 failed \| 2 passed \(6\)\n +Tests {2}3 passed/)
})

test('without the package of the sandbox that is asked for every suite says how to install it', async () => {
  await using project = await createBareProject(
    { 'plain.suite.yaml': suite('    request: { url: /get }') },
    "{ sandbox: 'quickjs' }",
  )
  const { code, output } = await project.run()
  expect(output).toContain(
    'suitecase: the sandbox `quickjs` needs the package `quickjs-emscripten`: run `npm install --save-dev quickjs-emscripten`.',
  )
  expect(output).not.toContain('dist/')
  expect(code).toBe(1)
})
