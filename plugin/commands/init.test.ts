import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { initProject } from './init.ts'
import { createFolder, createProject, type Project } from '../testing/fixtures/project.ts'

const INSTALLED = '{ "type": "module", "devDependencies": { "vitest": "^5.0.0", "suitecase": "1" } }'

/** All files of a project except its packages, sorted. */
async function listFiles({ root }: Project): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
}

/** A folder with a package.json and nothing to run. */
function createBare(files: Record<string, string | undefined> = {}): Promise<Project> {
  return createFolder({ 'package.json': INSTALLED, ...files })
}

describe('suitecase init', () => {
  test.each([
    ['{ "type": "module" }', 'README', 'vitest.config.js'],
    ['{}', 'tsconfig.json', 'vitest.config.mts'],
    ['\uFEFF{ "type": "module" }', 'tsconfig.json', 'vitest.config.ts'],
    ['{ "type": "commonjs" }', 'src/index.js', 'vitest.config.mjs'],
    ['{ "type": "module", "devDependencies": { "typescript": "7" } }', 'lint.js', 'vitest.config.ts'],
  ])('in a project of %s with %s adds %s', async (manifest, file, config) => {
    await using project = await createBare({ 'package.json': manifest, [file]: '{}' })
    expect(await project.suitecase('init')).toMatchObject({
      code: 0,
      output:
        `added   ${config}\nadded   tests/example.suite.yaml\nedited  package.json: the script \`test\` was added\n` +
        'added   .gitignore\nadded   .vscode/settings.json\n\n' +
        'Install the missing packages: npm install --save-dev vitest suitecase\nRun it with: npx vitest\n',
    })
  })

  test('makes a project without modules, whose tests another tool runs, run its first suite', async () => {
    await using project = await createProject({
      'package.json': '{ "scripts": { "test": "jest" } }',
      'sum.test.js': "describe('sum', () => {})\n",
      'vitest.config.ts': undefined,
    })
    expect((await project.suitecase('init')).output).toContain(
      'added   vitest.config.mjs: for suites only: `test` runs your other tests\n',
    )
    const { output } = await project.run()
    expect(output).toContain('Tests  2 passed (2)')
    expect(output).not.toContain('(!)')
  })

  test('tells a CommonJS configuration to require the plugin', async () => {
    await using project = await createBare({ 'vitest.config.cjs': 'module.exports = { test: {} }\n' })
    expect((await project.suitecase('init')).output).toContain(
      "kept    vitest.config.cjs: add these lines to it:\n          const { suites } = require('suitecase/plugin')\n          plugins: [",
    )
  })

  test('keeps what is there, however often it is run', async () => {
    const settings = '{ "a": 1 }'
    await using project = await createBare({
      'package.json': INSTALLED.replace('}', '}, "scripts": { "test": "mocha" }'),
      'vite.config.mjs': 'export default { plugins: list }\n',
      '.gitignore': 'dist/',
      '.vscode/settings.json': settings,
    })
    expect((await project.suitecase('init')).output).toBe(
      `kept    vite.config.mjs: add these lines to it:
          import { suites } from 'suitecase/plugin'
          suites({ unresolved: 'error' }), // among its plugins
added   tests/example.suite.yaml
edited  package.json: the script \`test:suites\` was added
edited  .gitignore: \`.vitest/\`, where reports are written, was added
kept    .vscode/settings.json: for completion in suite files, add "yaml.schemas": { "./node_modules/suitecase/schema.json": ["*.suite.yaml", "*.suite.yml"] }

With these lines, run it with: npx vitest
`,
    )
    expect(await project.read('.gitignore')).toBe('dist/\n.vitest/\n')
    expect(await project.read('.vscode/settings.json')).toBe(settings)
    await writeFile(join(project.root, 'tests/example.suite.yaml'), 'mine')
    const files = await listFiles(project)
    const texts = await Promise.all(files.map((file) => project.read(file)))
    const again = await project.suitecase('init')
    expect(again.output).not.toMatch(/^(added|edited)/m)
    expect(await Promise.all(files.map((file) => project.read(file)))).toEqual(texts)
    expect(await listFiles(project)).toEqual(files)
  })

  test('adds no example to a project that has suites', async () => {
    await using project = await createBare({ 'api/deep/a.suite.yml': 'suite_name: A' })
    expect((await project.suitecase('init', '--agents')).output).toContain(
      'kept    tests/example.suite.yaml: not needed, because there are other suites\n',
    )
    expect(await listFiles(project)).not.toContain('tests/example.suite.yaml')
  })

  test('takes a script for one that runs Vitest only if it does', async () => {
    const scripts = { lint: 'tsc -p tsconfig.vitest.json && eslint vitest.config.ts' }
    await using project = await createFolder({ 'package.json': JSON.stringify({ scripts }) })
    expect((await project.suitecase('init', '--dry-run')).output).toContain('the script `test` was added')
    const runs = { scripts: { ...scripts, unit: 'NODE_ENV=test vitest run' } }
    await project.write({ 'package.json': JSON.stringify(runs) })
    expect((await project.suitecase('init', '--dry-run')).output).toContain(
      'the script `unit` already runs Vitest',
    )
  })

  test('adds a script and keeps how package.json is written', async () => {
    await using project = await createBare({
      'package.json':
        '{\n\t"name": "shop",\n\t"scripts": { "test": "echo \\"Error: no test specified\\" && exit 1" }\n}\n',
    })
    await project.suitecase('init')
    expect(await project.read('package.json')).toBe(
      '{\n\t"name": "shop",\n\t"scripts": {\n\t\t"test": "vitest"\n\t}\n}\n',
    )
  })

  test('keeps the line ends of a file that it edits, and one that is not UTF-8 as it is', async () => {
    await using project = await createFolder({ 'package.json': '{\r\n\t"name": "x"\r\n}\r\n' })
    const ignored = Buffer.from('\ufeffnode_modules\r\n', 'utf16le')
    await writeFile(join(project.root, '.gitignore'), ignored)
    const { code, output } = await project.suitecase('init')
    expect(code).toBe(0)
    expect(await project.read('package.json')).toBe(
      '{\r\n\t"name": "x",\r\n\t"scripts": {\r\n\t\t"test": "vitest"\r\n\t}\r\n}\r\n',
    )
    expect(output).toContain('kept    .gitignore: it is not UTF-8: save it as UTF-8, and run this again\n')
    expect(await readFile(join(project.root, '.gitignore'))).toEqual(ignored)
  })

  test('writes nothing with `--dry-run`', async () => {
    const config = "import { defineConfig } from 'vitest/config'\nexport default defineConfig({})\n"
    await using project = await createBare({ 'vitest.config.ts': config })
    const { code, output } = await project.suitecase('init', '--dry-run', '--agents')
    expect(output).toContain(
      'edited  vitest.config.ts: the plugin was added\nadded   tests/example.suite.yaml\n',
    )
    expect(output).toContain('Nothing was written: --dry-run.\n')
    expect(code).toBe(0)
    expect(await listFiles(project)).toEqual(['package.json', 'vitest.config.ts'])
    expect(await project.read('vitest.config.ts')).toBe(config)
  })

  test('adds instructions for agents, once, to the file that a link leads to', async () => {
    await using project = await createBare({ 'CLAUDE.md': '# Rules\n\nBe kind.\n' })
    await symlink('CLAUDE.md', join(project.root, 'AGENTS.md'))
    await project.suitecase('init', '--agents')
    const text = await project.read('CLAUDE.md')
    expect(text).toMatch(/^# Rules\n\nBe kind\.\n\n## HTTP tests\n/)
    expect(text).toContain('Never weaken, skip or remove a check')
    expect(await project.read('.agents/skills/suitecase/SKILL.md')).toMatch(
      /^---\nname: suitecase\ndescription: /,
    )
    await project.suitecase('init', '--agents')
    expect(await project.read('AGENTS.md')).toBe(text)
  })

  test.each([
    ['pnpm-lock.yaml', 'pnpm add --save-dev vitest suitecase\nRun it with: pnpm exec vitest\n'],
    ['yarn.lock', 'yarn add --dev vite vitest suitecase\nRun it with: yarn vitest\n'],
    ['bun.lock', 'bun add --dev vitest suitecase\nRun it with: bunx vitest\n'],
  ])('with %s names the commands of that package manager', async (lock, commands) => {
    await using project = await createBare({ 'package.json': '{}', [lock]: '' })
    expect((await project.suitecase('init')).output).toContain(`Install the missing packages: ${commands}`)
  })

  test('finds what a package has from the root of its workspace', async () => {
    await using project = await createBare({
      'node_modules/suitecase/schema.json': '{}',
      'packages/api/package.json': '{ "type": "module" }',
    })
    const said = initProject(join(project.root, 'packages/api'), { dryRun: false, agents: false })
    expect(said).not.toContain('Install')
    const schema = '../../node_modules/suitecase/schema.json'
    expect(await project.read('packages/api/tests/example.suite.yaml')).toContain(
      `# yaml-language-server: $schema=../${schema}\n`,
    )
    expect(await project.read('packages/api/.vscode/settings.json')).toContain(`{ "./${schema}": [`)
  })

  test.each([
    [
      'no package.json',
      { 'package.json': undefined },
      /There is no package\.json in .*: run this in the folder/,
    ],
    ['a broken package.json', { 'package.json': '{' }, /package\.json is not valid JSON: /],
    ['a file named tests', { tests: '' }, /tests\/example\.suite\.yaml could not be written: /],
    [
      'an old Vitest',
      { 'node_modules/vitest/package.json': '{ "version": "4.1.2" }' },
      /This project has Vitest 4\.1\.2, but suitecase needs 5\.1 or newer: npm install --save-dev vitest@5\n/,
    ],
    [
      'a Vitest that is nearly new enough',
      { 'node_modules/vitest/package.json': '{ "version": "5.0.5" }' },
      /This project has Vitest 5\.0\.5, but suitecase needs 5\.1 or newer: /,
    ],
  ])('says what is wrong where there is %s', async (_, files, message) => {
    await using project = await createBare(files)
    const { code, output } = await project.suitecase('init')
    expect(output).toMatch(message)
    expect(output).not.toContain('    at ')
    expect(code).toBe(1)
  })
})

describe('a configuration that exists', () => {
  const head = "import { defineConfig } from 'vitest/config'\n"

  test('gets the plugin where `defineConfig` has an object without plugins', async () => {
    await using project = await createBare({
      'vite.config.ts': `// Ours\n${head}\nexport default defineConfig({\n  test: {},\n})\n`,
    })
    await project.suitecase('init')
    expect(await project.read('vite.config.ts')).toBe(
      `// Ours\nimport { suites } from 'suitecase/plugin'\n${head}\nexport default defineConfig({\n  plugins: [suites({ unresolved: 'error' })],\n  test: {},\n})\n`,
    )
  })

  test.each([
    ['{ plugins: [a()] }', "{ plugins: [suites({ unresolved: 'error' }), a()] }"],
    [
      '{\n    test: {},\n    plugins: [\n        a(),\n    ],\n}',
      "{\n    test: {},\n    plugins: [\n        suites({ unresolved: 'error' }),\n        a(),\n    ],\n}",
    ],
  ])('gets the plugin among others: %j', async (before, after) => {
    await using project = await createBare({
      'vite.config.ts': `${head}export default defineConfig(${before})\n`,
    })
    await project.suitecase('init')
    expect(await project.read('vite.config.ts')).toBe(
      `import { suites } from 'suitecase/plugin'\n${head}export default defineConfig(${after})\n`,
    )
  })

  test('has the plugin, too, where it takes over one that has', async () => {
    const config = `import vite from './vite.config.ts'\n${head}export default mergeConfig(vite, defineConfig({}))\n`
    await using project = await createBare({
      'vite.config.ts': `import { suites } from 'suitecase/plugin'\n${head}export default defineConfig({ plugins: [suites()] })\n`,
      'vitest.config.ts': config,
    })
    expect((await project.suitecase('init')).output).toContain(
      'kept    vitest.config.ts: it has the plugin\n',
    )
    expect(await project.read('vitest.config.ts')).toBe(config)
  })

  test('keeps its line ends, as do other files', async () => {
    const windows = (text: string): string => text.replaceAll('\n', '\r\n')
    await using project = await createBare({
      'package.json': windows('{\n  "devDependencies": { "vitest": "5" }\n}\n'),
      'vitest.config.ts': windows(`${head}\nexport default defineConfig({\n  test: {},\n})\n`),
      '.gitignore': windows('dist/\n'),
    })
    await project.suitecase('init')
    for (const name of ['package.json', 'vitest.config.ts', '.gitignore'])
      expect((await project.read(name)).replaceAll('\r\n', '')).not.toContain('\n')
    expect(await project.read('vitest.config.ts')).toContain('\r\n  plugins: [suites(')
  })

  test.each([
    'export default { test: {} }\n',
    `${head}export default defineConfig({\n  build: {\n    plugins: [a()],\n  },\n})\n`,
    `${head}export default defineConfig({ plugins: [a()], worker: { plugins: () => [] } })\n`,
    `${head}export default defineConfig({ ...base, test: {} })\n`,
    `${head}export default defineConfig({ test: { projects: ['packages/*'] } })\n`,
    `${head}export default defineConfig(() => ({}))\n`,
    "const { defineConfig } = require('vitest/config')\nmodule.exports = defineConfig({})\n",
  ])('is left alone where that is not plain: %j', async (text) => {
    await using project = await createBare({ 'vitest.config.ts': text })
    expect((await project.suitecase('init')).output).toContain('vitest.config.ts: add these lines to it:')
    expect(await project.read('vitest.config.ts')).toBe(text)
  })
})
