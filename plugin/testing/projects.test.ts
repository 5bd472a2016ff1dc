import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { executablePath, hasBrowser } from '../../src/report/fixtures/open-page.ts'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import { createProject } from './fixtures/project.ts'

const suite = (url: string, name: string): string =>
  `suite_name: ${name}\nbase_url: ${url}\nsteps:\n  - name: One\n    request: { url: /anything/${name} }\n`
const unit = "import { test } from 'vitest'\ntest('unit', () => {})\n"
// What runs does not depend on the workers: threads cost least.
const config = (test: string, plugin = 'suites()'): string => `
import { suites } from 'suitecase/plugin'
import { defineConfig } from 'vitest/config'
export default defineConfig({ plugins: [${plugin}], test: { pool: 'threads', ...${test} } })
`

test('with the plugin at the root, suites run beside the projects of a workspace', async () => {
  await using echo = await startLoggedEcho()
  const projects = "projects: [{ test: { name: 'unit', include: ['unit/*.test.ts'] } }, 'packages/*']"
  await using project = await createProject({
    'vitest.config.ts': config(`{ ${projects} }`),
    'apart.config.ts': config(`{ sharedViteServer: false, ${projects} }`),
    'one/a.suite.yaml': suite(echo.url, 'a'),
    'unit/u.test.ts': unit,
    'packages/web/package.json': '{ "name": "web", "type": "module" }',
    'packages/web/u.test.ts': unit,
  })
  const all = await project.run()
  expect(all.output).toContain('✓ |suites| one/a.suite.yaml (1 test)')
  expect(all.output).toMatch(/Tests {2}3 passed/)
  expect(all.code).toBe(0)
  expect(echo.count('/anything/a')).toBe(1)
  const list = async (...args: string[]): Promise<string[]> =>
    (await project.vitest('list', ...args)).output.trim().split('\n').toSorted()
  const [own, inline, web] = [
    '[suites] one/a.suite.yaml > a > One',
    '[unit] unit/u.test.ts > unit',
    '[web] u.test.ts > unit',
  ]
  expect(await list('--project', 'suites')).toEqual([own])
  expect(await list('--project', 'unit', '--project', 'suites')).toEqual([own, inline])
  expect(await list('--project', 'unit')).toEqual([inline])
  expect(await list('--project', 'web')).toEqual([web])
  const apart = await project.run('--config=apart.config.ts', '--project=suites')
  expect(apart.output).toMatch(/Tests {2}1 passed/)
  expect(echo.count('/anything/a')).toBe(2)
  const none = await project.run('--config=apart.config.ts', '--project=nope')
  expect(none.output).toContain('No projects matched the filter "nope".')
  expect(none.code).toBe(1)
})

test.each([
  ['files of their own', "'packages/*'"],
  [
    'with servers of their own and without its plugins',
    "{ plugins: [{ name: 'own' }], test: { name: 'typed', include: ['calls.test.ts'] } }, { extends: false, test: { name: 'bare', include: ['u.test.ts'] } }, 'packages/*'",
  ],
])('with the plugin at the root, suites run once beside projects %s', async (_, projects) => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'vitest.config.ts': config(`{ projects: [${projects}] }`),
    'a.suite.yaml': suite(echo.url, 'a'),
    'u.test.ts': unit,
    ...(projects.includes('own') && {
      'calls.test.ts': `import { defineSuite } from 'suitecase'
defineSuite({ suite_name: 'Calls', steps: [{ name: 'Call', call: { suite: 'a.suite.yaml' } }] })
`,
    }),
    'packages/web/package.json': '{ "name": "web", "type": "module" }',
    'packages/web/u.test.ts': unit,
  })
  const { code, output } = await project.run('--reporter=verbose')
  expect(output.match(/ ✓ \|suites\| a\.suite\.yaml/g)).toHaveLength(1)
  expect(output).toContain('✓ |web| u.test.ts')
  expect(code).toBe(0)
  expect(echo.count('/anything/a')).toBe(projects.includes('own') ? 2 : 1)
})

test('without a workspace, `--project suites` chooses the suites alone, in upper case as well', async () => {
  await using project = await createProject({ 'a.suite.yaml': suite('http://h', 'a'), 'u.test.ts': unit })
  const { code, output } = await project.vitest('list', '--project', 'Suites')
  expect(output).toBe('[suites] a.suite.yaml > a > One\n')
  expect(code).toBe(0)
})

test('the plugin in one project of a workspace finds the suites of that project', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'vitest.config.ts':
      "import { defineConfig } from 'vitest/config'\nexport default defineConfig({ test: { projects: ['packages/*'] } })\n",
    'packages/api/package.json': '{ "name": "api", "type": "module" }',
    'packages/api/vitest.config.ts': config("{ name: 'api' }"),
    'packages/api/a.suite.yaml': suite(echo.url, 'a'),
    'packages/web/package.json': '{ "name": "web", "type": "module" }',
    'packages/web/vitest.config.ts':
      "import { defineConfig } from 'vitest/config'\nexport default defineConfig({ test: { name: 'web' } })\n",
    'packages/web/u.test.ts': unit,
  })
  const { code, output } = await project.run()
  expect(output).toMatch(/Tests {2}2 passed/)
  expect(code).toBe(0)
  expect(echo.paths()).toEqual(['/anything/a'])
})

/** A package whose suites read an export and an option, in YAML and in TypeScript. */
const writePackage = (url: string, name: string): Record<string, string> => ({
  [`packages/${name}/package.json`]: `{ "name": "${name}", "type": "module" }`,
  [`packages/${name}/vitest.config.ts`]: config(
    `{ name: '${name}' }`,
    `suites({ variables: { where: '${name}' }${name === 'one' ? ', report: { har: true }' : ''} })`,
  ),
  [`packages/${name}/auth.suite.yaml`]: `
suite_name: Auth
base_url: ${url}
exports: [token]
steps:
  - name: Log in
    request: { method: POST, url: /anything/auth, body: { token: token-of-${name} } }
    capture: { token: body.json.token }
`,
  [`packages/${name}/a.suite.yaml`]: suite(url, name).replace('}\n', ', params: { t: "{{auth.token}}" } }\n'),
  [`packages/${name}/typed.test.ts`]: `import { defineSuite } from 'suitecase'
defineSuite({ suite_name: 'Typed', base_url: '${url}', steps: [
  { name: 'Read', request: { url: '/anything/typed-{{where}}-{{auth.token}}' }, assert: { status_code: 200 } },
] })
`,
})

test('the plugin in two projects runs the suites of each with its options, and reports all of them', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'vitest.config.ts':
      "import { defineConfig } from 'vitest/config'\nexport default defineConfig({ test: { projects: ['packages/*'] } })\n",
    ...writePackage(echo.url, 'one'),
    ...writePackage(echo.url, 'two'),
  })
  const { code, output } = await project.run('--reporter=verbose')
  expect(output).toMatch(/Tests {2}6 passed/)
  expect(output).toContain('|one (suites)| a.suite.yaml:4 > one > One')
  expect(output).toContain('|two (suites)| a.suite.yaml:4 > two > One')
  expect(code).toBe(0)
  // Each is sent twice: in the worker of the suites, and in that of the tests.
  const paths = [1, 2, 3, 4].map(() => '/anything/auth')
  for (const name of ['one', 'two'])
    paths.push(`/anything/${name}`, `/anything/typed-${name}-token-of-${name}`)
  expect(echo.paths().toSorted()).toEqual(paths.toSorted())
  const files = await readdir(join(project.root, '.vitest/suitecase/suites'))
  const results = await Promise.all(files.map((file) => project.result(file.replace('.json', ''))))
  expect(results.map(({ file_path }) => file_path).toSorted()).toEqual(
    ['one', 'two'].flatMap((name) =>
      ['a.suite.yaml', 'auth.suite.yaml', 'typed.test.ts'].map((file) => `packages/${name}/${file}`),
    ),
  )
  expect(await project.read('.vitest/suitecase/report.har')).toContain('/anything/one')
  // The suites of a package run with it. Without them its tests in TypeScript can still read their exports.
  const one = await project.vitest('list', '--filesOnly', '--project', 'one')
  expect(one.output.trim().split('\n').toSorted()).toEqual([
    '[one (suites)] packages/one/a.suite.yaml',
    '[one (suites)] packages/one/auth.suite.yaml',
    '[one] packages/one/typed.test.ts',
  ])
  echo.requests.length = 0
  const typed = await project.run('--project', 'one', '--project=!*suites*')
  expect(typed.output).toMatch(/Tests {2}1 passed/)
  expect(echo.paths()).toEqual(['/anything/auth', '/anything/typed-one-token-of-one'])
})

test('`report` options of a project that would have no effect are refused', async () => {
  const configure = (others: string): string => `import { suites } from 'suitecase/plugin'
import { defineConfig } from 'vitest/config'
const project = (name, report) => ({ plugins: [suites({ report })], test: { name, include: [] } })
const projects = [project('one', { thresholds: { p95: 9000 } }), ${others}]
export default defineConfig({ test: { projects } })
`
  const text = "suite_name: A\nsteps: [{ name: One, request: { url: '{{echo_url}}/get' } }]\n"
  await using project = await createProject({
    'vitest.config.ts': configure("project('two', { thresholds: { p95: 9001 } })"),
    'a.suite.yaml': text,
  })
  const refused = await project.run()
  expect(refused.output).toContain('suitecase: the `report` options of the project `two (suites)` would have')
  expect(refused.code).toBe(1)
  const same = "project('two'), project('three', { thresholds: { p95: 9000 } }), project('four', false)"
  await project.write({ 'vitest.config.ts': configure(same) })
  expect((await project.run()).code).toBe(0)
  // The names do not depend on which project ends first.
  expect(await project.results()).toEqual(['a.four.json', 'a.one.json', 'a.three.json', 'a.two.json'])
  expect((await project.result('a.two')).suite_name).toBe('A [two]')
})

test('`report` options of a later project count, also if the run leaves out the others', async () => {
  const text = "suite_name: A\nsteps: [{ name: One, request: { url: '{{echo_url}}/get' } }]\n"
  await using project = await createProject({
    'vitest.config.ts': `import { suites } from 'suitecase/plugin'
import { defineConfig } from 'vitest/config'
const project = (name, report) => ({ plugins: [suites({ report })], test: { name, include: [] } })
const projects = [project('one'), project('two', { thresholds: { p95: 0.001 } })]
export default defineConfig({ test: { projects } })
`,
    'a.suite.yaml': text,
  })
  for (const args of [[], ['--project', 'two']]) {
    const { code, output } = await project.run(...args)
    expect(output.match(/`p95` is/g)).toHaveLength(1)
    expect(code).toBe(1)
  }
})

test('suites in TypeScript have the options and exports of the plugin whatever projects run', async () => {
  await using echo = await startLoggedEcho()
  const files = writePackage(echo.url, 'one')
  await using project = await createProject({
    'vitest.config.ts': config(
      "{ projects: [{ test: { name: 'unit', include: ['*.test.ts'] } }] }",
      "suites({ variables: { where: 'root' } })",
    ),
    'auth.suite.yaml': files['packages/one/auth.suite.yaml'],
    'typed.test.ts': files['packages/one/typed.test.ts'],
  })
  const { code, output } = await project.run('--project', 'unit')
  expect(output).toMatch(/Tests {2}1 passed/)
  expect(code).toBe(0)
  expect(echo.paths()).toEqual(['/anything/auth', '/anything/typed-root-token-of-one'])
})

test('the plugin in two projects reports the suites of each once, and hides the secrets of both', async () => {
  await using echo = await startLoggedEcho()
  const files = (name: string, secret: string): Record<string, string> => ({
    [`packages/${name}/package.json`]: `{ "name": "${name}", "type": "module" }`,
    [`packages/${name}/vitest.config.ts`]: config(
      `{ name: '${name}' }`,
      `suites({ variables: { who: '${name}', pin: '${secret}' }, redact: ['pin'], concurrency: 1 })`,
    ),
    [`packages/${name}/a.suite.yaml`]: `${suite(echo.url, name).replace(`/anything/${name}`, "'/anything/{{who}}?v={{pin}}'")}    assert: { body.method: POST, body.args.v: ${secret} }\n`,
    [`packages/${name}/broken.suite.yaml`]: `suite_name: Broken\nnode_id: broken-${name}\nvariables: { pin: ${secret} }\nsteps: []\n`,
  })
  const [one, two] = ['first-secret-11', 'second-secret-22']
  await using project = await createProject({
    'vitest.config.ts':
      "import { defineConfig } from 'vitest/config'\nexport default defineConfig({ test: { projects: ['packages/*'] } })\n",
    ...files('one', one),
    ...files('two', two),
  })
  const { code, output } = await project.run(
    '--reporter=default',
    '--reporter=junit',
    '--outputFile=junit.xml',
  )
  expect(code).toBe(1)
  expect(echo.requests.map(({ url }) => url).toSorted()).toEqual([
    `/anything/one?v=${one}`,
    `/anything/two?v=${two}`,
  ])
  expect(output.match(/^Performance {2}/gm)).toHaveLength(1)
  const reports = await readdir(join(project.root, '.vitest/suitecase/suites'))
  expect(reports).toHaveLength(4)
  const junit = await project.read('junit.xml')
  expect(junit.match(/<testcase /g)).toHaveLength(4)
  const texts = await Promise.all(
    [...reports.map((name) => `suites/${name}`), 'index.html', 'performance.json'].map((name) =>
      project.read(`.vitest/suitecase/${name}`),
    ),
  )
  for (const text of [...texts, junit, output])
    for (const secret of [one, two]) expect(text).not.toContain(secret)
  expect(output).not.toContain('is in the reports')
})

test('the user’s own tests keep their settings', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'vitest.config.ts': config("{ isolate: true, pool: 'forks', globals: true }"),
    'a.suite.yaml': suite(echo.url, 'a'),
    'one.test.ts':
      'globalThis.seen = (globalThis.seen ?? 0) + 1\ntest("isolated", () => expect(globalThis.seen).toBe(1))\n',
    'two.test.ts':
      'globalThis.seen = (globalThis.seen ?? 0) + 1\ntest("isolated", () => expect(globalThis.seen).toBe(1))\n',
  })
  const { code, output } = await project.run()
  expect(output).toMatch(/Tests {2}3 passed/)
  expect(code).toBe(0)
})

test('suites of installed packages are none of the project, whatever the user excludes', async () => {
  await using project = await createProject({
    'vitest.config.ts': config("{ exclude: ['drafts/**'] }"),
    'a.suite.yaml': suite('http://h', 'a'),
    'drafts/b.suite.yaml': suite('http://h', 'b'),
    'packages/one/node_modules/other/c.suite.yaml': suite('http://h', 'c'),
  })
  expect((await project.vitest('list')).output).toBe('[suites] a.suite.yaml > a > One\n')
})

test('suites use the Vite server of the tests beside them', async () => {
  const told =
    '{ onInit: (vitest) => (told = vitest), onTestRunEnd: () => console.log(told.projects.map(({ name, vite }) => [name, vite === told.vite])) }'
  await using project = await createProject({
    'vitest.config.ts': `let told\n${config(`{ reporters: [${told}] }`)}`,
    'a.suite.yaml': suite("'{{echo_url}}'", 'a'),
  })
  expect((await project.run()).output).toContain("[ [ '', true ], [ 'suites', true ] ]")
})

test('a run fails whose `include` matches no suite, unless it is told to pass or to run something else', async () => {
  await using project = await createProject(
    { 'u.test.ts': unit, 'a.suite.yaml': suite('http://127.0.0.1:1', 'a') },
    { suites: "{ include: ['*.siute.yaml'] }", test: "{ pool: 'threads' }" },
  )
  const { code, output } = await project.run()
  expect(output).toMatch(/Tests {2}1 passed/)
  expect(output).toContain(
    'suitecase: No suite file in `.` matches the option `include` of suites(): `*.siute.yaml`. Correct the globs, or set `test.passWithNoTests` to pass without suites.',
  )
  expect(code).toBe(1)
  expect((await project.run('--passWithNoTests')).code).toBe(0)
  expect((await project.run('u.test')).code).toBe(0)
  await project.write({ 'units/u.test.ts': unit })
  expect((await project.run('--dir', 'units')).output).toContain('No suite file in `units` matches')
})

test('a file that is no YAML is no suite, even if `include` matches it', async () => {
  await using project = await createProject(
    { 'api/a.yaml': suite('http://h', 'a'), 'api/b.json': '{ "suite_name": "B" }' },
    { suites: "{ include: ['api/*'] }" },
  )
  const { code, output } = await project.run()
  expect(output).toContain(
    'suitecase: the option `include` matches `api/b.json`. Names of suite files must end in `.yaml` or `.yml`: rename the file, or correct the globs.',
  )
  expect(code).toBe(1)
})

test('without any suite a run fails, with suites in TypeScript alone it passes', async () => {
  await using project = await createProject({ 'u.test.ts': unit }, { test: "{ pool: 'threads' }" })
  const none = await project.run()
  expect(none.output).toContain('matches the option `include` of suites(): `**/*.suite.{yaml,yml}`')
  expect(none.code).toBe(1)
  await project.write({ 'u.test.ts': unit.replace('{}', '{ throw new Error() }') })
  const bailed = await project.run('--bail=1')
  expect(bailed.output).not.toContain('matches the option `include`')
  expect(bailed.code).toBe(1)
  await project.write({
    'u.test.ts': unit,
    'typed.test.ts': `import { defineSuite } from 'suitecase'
defineSuite({ suite_name: 'Typed', base_url: '{{echo_url}}', steps: [{ name: 'One', request: { url: '/get' } }] })
`,
  })
  const typed = await project.run()
  expect(typed.output).toMatch(/Tests {2}2 passed/)
  expect(typed.code).toBe(0)
  await using empty = await createProject({})
  const nothing = await empty.run()
  expect(nothing.output).toContain('No test files found')
  expect(nothing.output).not.toContain('**/node_modules/**, **/node_modules/**')
  expect(nothing.output).not.toContain('suitecase:')
  expect(nothing.code).toBe(1)
  expect((await empty.run('--passWithNoTests')).code).toBe(0)
})

test('the plugin in projects that the root configuration declares inline runs the suites of each', async () => {
  await using echo = await startLoggedEcho()
  const declare = (name: string, plugin: string, more = ''): string =>
    `{ root: './packages/${name}', plugins: [${plugin}], ${more} test: { name: '${name}', env: { WHO: '${name}' } } }`
  const configure = (...projects: string[]): Record<string, string> => ({
    'vitest.config.ts': config(`{ projects: [${projects.join(', ')}] }`, ''),
  })
  const files = (name: string): Record<string, string> => ({
    [`packages/${name}/a.suite.yaml`]: suite(echo.url, 'a').replace(
      '/anything/a',
      "'/anything/{{where}}-{{$env.WHO}}'",
    ),
    [`packages/${name}/u.test.ts`]: unit,
  })
  const plugin = (where: string): string => `suites({ variables: { where: '${where}' } })`
  await using project = await createProject({
    ...configure(declare('one', plugin('first')), declare('two', `[${plugin('second')}]`, 'extends: false,')),
    ...files('one'),
    ...files('two'),
  })
  const { code, output } = await project.run('--reporter=verbose')
  expect(output).toContain('|one (suites)| a.suite.yaml')
  expect(output).toContain('|two (suites)| a.suite.yaml')
  expect(output).toMatch(/Tests {2}4 passed/)
  expect(code).toBe(0)
  expect(echo.paths().toSorted()).toEqual(['/anything/first-one', '/anything/second-two'])
  const checked = await project.suitecase('check')
  expect(checked.output).toContain('2 suite files')
  // A plugin that cannot be told from that of the root's file is refused, since its suites would not run.
  await project.write(configure(declare('one', `Promise.resolve(${plugin('first')})`)))
  const promised = await project.run()
  expect(promised.output).toContain(
    'the plugin of the project `one` was not found where the project is declared',
  )
  expect(promised.code).toBe(1)
})

test('a second plugin in a project is refused', async () => {
  await using project = await createProject({
    'a.suite.yaml': suite("'{{echo_url}}'", 'a'),
    'vitest.config.ts': config('{}', `suites({ include: ['one/*'] }), suites({ include: ['two/*'] })`),
  })
  const { code, output } = await project.run()
  expect(output).toContain(
    'suitecase: there is already a project `suites`: call `suites()` once in each project',
  )
  expect(code).toBe(1)
})

test('one plugin in two projects is refused: only the suites of one would run', async () => {
  await using project = await createProject({
    'vitest.config.ts': `import { suites } from 'suitecase/plugin'
const plugins = suites()
export default { test: { projects: ['one', 'two'].map((name) => ({ extends: false, plugins, test: { name } })) } }
`,
    'a.suite.yaml': suite("'{{echo_url}}'", 'a'),
  })
  const { code, output } = await project.run()
  expect(output).toContain(
    'the project `two` uses the plugin instance of another project: call `suites()` in each',
  )
  expect(code).toBe(1)
})

test('benchmarks are none of the suites’ business, and `vitest bench` runs no suite', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject(
    {
      'a.suite.yaml': `suite_name: A\nbase_url: ${echo.url}\nsteps: [{ name: One, request: { url: /anything/one } }]\n`,
      'sort.bench.ts': `import { test } from 'vitest'\ntest('sort', () => {})\n`,
    },
    { test: '{ benchmark: { enabled: true } }' },
  )
  const { code, output } = await project.run()
  expect(output).toContain('|bench| sort.bench.ts')
  expect(output).toMatch(/Tests {2}2 passed/)
  expect(code).toBe(0)
  expect(echo.paths()).toEqual(['/anything/one'])
  await project.write({
    'several.config.ts': config(`{ projects: [{ test: { name: 'unit' } }, { test: { name: 'other' } }] }`),
  })
  for (const [count, args] of [
    [1, []],
    [2, ['--config=several.config.ts']],
  ] as const) {
    const bench = await project.vitest('bench', '--run', ...args)
    expect(bench.output).toMatch(new RegExp(`Tests {2}${count} passed \\(${count}\\)`))
    expect(bench.code).toBe(0)
  }
  expect(echo.paths()).toEqual(['/anything/one'])
})

test('a suite file that another project takes as a test file of its own fails there, since nothing is sent', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject(
    { 'a.suite.yaml': suite(echo.url, 'one') },
    { test: `{ include: ['**/*.suite.yaml'] }` },
  )
  const { code, output } = await project.run()
  expect(output).toContain('A project other than that of suites() ran this suite file')
  expect(output).toMatch(/Tests {2}1 failed \| 1 passed \(2\)/)
  expect(code).toBe(1)
  expect(echo.paths()).toEqual(['/anything/one'])
})

test('tests within sources and of types are never taken for suites', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject(
    {
      'a.suite.yaml': suite(echo.url, 'one'),
      'src/add.ts': `if (import.meta.vitest) import.meta.vitest.test('in the source', () => {})\n`,
      'add.test-d.ts': `import { test } from 'vitest'\ntest('types', () => {})\n`,
      'tsconfig.json': '{ "include": ["*.test-d.ts"], "compilerOptions": { "skipLibCheck": true } }',
    },
    { test: `{ includeSource: ['src/*.ts'] }` },
  )
  const { code, output } = await project.run('--typecheck.enabled')
  const passed = output.split('\n').filter((line) => line.startsWith(' ✓ '))
  expect(passed.map((line) => line.replace(/ \(.*/, '')).toSorted()).toEqual([
    ' ✓  TS  add.test-d.ts',
    ' ✓ src/add.ts',
    ' ✓ |suites| a.suite.yaml',
  ])
  expect(code).toBe(0)
})

test('a suite in TypeScript says that it cannot run where tests have a DOM', async () => {
  const tests = (first: string): string =>
    `${first}import { defineSuite } from 'suitecase'\ndefineSuite({ suite_name: 'A', base_url: '{{echo_url}}', steps: [{ name: 'One', request: { url: '/get' } }] })\n`
  await using project = await createProject(
    {
      'dom.ts': `export default { name: 'dom', viteEnvironment: 'ssr', setup(global) {\n  global.document = {}\n  return { teardown: () => delete global.document }\n} }\n`,
      'a.test.ts': tests(''),
      'b.test.ts': tests('// @vitest-environment node\n'),
    },
    { test: `{ environment: './dom.ts', pool: 'threads' }` },
  )
  const { output } = await project.run()
  expect(output).toContain('FAIL  a.test.ts [ a.test.ts ]')
  expect(output).toContain('Write `// @vitest-environment node` on its first line.')
  expect(output).toMatch(/Tests {2}1 passed \(1\)/)
})

test.runIf(hasBrowser)('suites run beside tests in a browser', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'a.suite.yaml': suite(echo.url, 'one'),
    'dom.test.ts': `import { expect, test } from 'vitest'\ntest('dom', () => expect(document.body).toBeTruthy())\n`,
    'vitest.config.ts': `import { playwright } from '@vitest/browser-playwright'
const launchOptions = { executablePath: '${executablePath}', args: ['--no-sandbox'] }
const provider = playwright({ launchOptions })
${config("{ browser: { headless: true, provider, instances: [{ browser: 'chromium' }] } }")}`,
  })
  const { code, output } = await project.run('--browser.enabled')
  expect(output).toContain('✓ |suites| a.suite.yaml (1 test)')
  expect(output).toContain('✓ |chromium| dom.test.ts (1 test)')
  expect(code).toBe(0)
  expect(echo.paths()).toEqual(['/anything/one'])
})
