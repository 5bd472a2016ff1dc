import { spawn } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createProject, type Project } from './worker/typed/fixtures/create-project.ts'

/** All files of a project but its packages, sorted. */
async function listFiles({ root }: Project): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
}

/** A folder with a package.json and nothing to run. */
function createFolder(files: Record<string, string | undefined> = {}): Promise<Project> {
  return createProject({ 'package.json': '{}', ...files }, { runnable: false })
}

describe('suitecase init', () => {
  test.each([
    ['{ "type": "module" }', 'tsconfig.json', 'vitest.config.ts'],
    ['{}', 'tsconfig.json', 'vitest.config.mts'],
    ['\uFEFF{ "type": "module" }', 'jsconfig.json', 'vitest.config.js'],
    ['{ "type": "commonjs" }', 'jsconfig.json', 'vitest.config.mjs'],
  ])('in a project of %s with %s adds %s', async (manifest, settings, config) => {
    await using project = await createFolder({ 'package.json': manifest, [settings]: '{}' })
    expect(await project.suitecase(['init'])).toEqual({
      code: 0,
      output:
        `added   ${config}\nadded   tests/example.suite.yaml\nadded   .vscode/settings.json\n\n` +
        'Install what is missing: npm install --save-dev vitest suitecase\nRun it with: npx vitest\n',
    })
  })

  test('makes a project without modules run its first suite', async () => {
    await using project = await createProject({ 'package.json': '{}', 'vitest.config.ts': undefined })
    await project.suitecase(['init'])
    const { output } = await project.run()
    expect(output).toContain('Tests  2 passed (2)')
    expect(output).not.toContain('(!)')
  })

  test('overwrites nothing, however often it is run', async () => {
    const files = { 'vite.config.mjs': 'export default {}', '.vscode/settings.json': '{ "a": 1 }' }
    const manifest = '{ "devDependencies": { "vitest": "5", "suitecase": "1" } }'
    await using project = await createFolder({ 'package.json': manifest, ...files })
    const first = await project.suitecase(['init'])
    expect(first.output).toBe(
      "kept    vite.config.mjs: add `suites()` from 'suitecase/plugin' to its `plugins`\n" +
        'added   tests/example.suite.yaml\n' +
        'kept    .vscode/settings.json: for completion in suite files, add "yaml.schemas": ' +
        '{ "./node_modules/suitecase/schema.json": ["*.suite.yaml", "*.suite.yml"] }\n' +
        '\nRun it with: npx vitest\n',
    )
    await writeFile(join(project.root, 'tests/example.suite.yaml'), 'mine')
    await writeFile(join(project.root, 'vite.config.mjs'), `import 'suitecase/plugin'`)
    const second = await project.suitecase(['init'])
    expect(second.output).toContain('kept    vite.config.mjs: it has the plugin')
    expect(second.output).toContain('kept    tests/example.suite.yaml: it exists')
    expect(await project.read('tests/example.suite.yaml')).toBe('mine')
    expect(await listFiles(project)).toEqual([
      '.vscode/settings.json',
      'package.json',
      'tests/example.suite.yaml',
      'vite.config.mjs',
    ])
  })

  test('says once what is left to do', async () => {
    await using project = await createFolder({ '.gitignore': 'dist/' })
    const note = 'Add `.vitest/` to .gitignore: reports are written there\n'
    expect((await project.suitecase(['init'])).output).toContain(note)
    await writeFile(join(project.root, '.gitignore'), 'dist/\n.vitest/\n')
    const { output } = await project.suitecase(['init'])
    expect(output).not.toContain(note)
    expect(output).toContain('kept    .vscode/settings.json: it has the schema of suite files\n')
  })

  test.each([
    [
      'no package.json',
      { 'package.json': undefined },
      /There is no package\.json in .*: run this in the folder/,
    ],
    ['a broken package.json', { 'package.json': '{' }, /package\.json is not valid JSON: /],
    [
      'a package.json that is no object',
      { 'package.json': '[]' },
      /Expected .*package\.json to hold an object/,
    ],
    [
      'a file named tests',
      { 'package.json': '{}', tests: '' },
      /tests\/example\.suite\.yaml could not be written: /,
    ],
  ])('says what is wrong where there is %s', async (_, files, message) => {
    await using project = await createFolder(files)
    const { code, output } = await project.suitecase(['init'])
    expect(output).toMatch(message)
    expect(output).not.toContain('    at ')
    expect(code).toBe(1)
  })
})

describe('the command line', () => {
  test.each([
    [['inti'], 'suitecase: unknown command `inti`. Did you mean `init`?\n'],
    [['--hlep'], 'suitecase: unknown option `--hlep`. Did you mean `--help`?\n'],
    [['run\u001b[2J'], 'suitecase: unknown command `run\\x1b[2J`. See suitecase --help.\n'],
    [['__proto__'], 'suitecase: unknown command `__proto__`. See suitecase --help.\n'],
    [['init', '--force'], 'suitecase: unknown option `--force`. See suitecase --help.\n'],
    [['--version', 'now'], 'suitecase: unknown argument `now`. See suitecase --help.\n'],
  ])('refuses %j with code 2', async (args, printed) => {
    await using project = await createFolder()
    expect(await project.suitecase(args)).toEqual({ code: 2, output: printed })
  })

  test('prints help and its version', async () => {
    await using project = await createFolder()
    const help = await project.suitecase(['--help'])
    expect(help.output).toContain('suitecase serve [options]')
    expect([help.code, await project.suitecase([]), await project.suitecase(['-h'])]).toEqual([0, help, help])
    expect(await project.suitecase(['init', '--help'])).toEqual(help)
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string
    }
    expect(await project.suitecase(['--version'])).toEqual({ code: 0, output: `${version}\n` })
    expect(await listFiles(project)).toEqual(['package.json'])
  })

  test('serves the echo server until it is told to stop', async () => {
    await using project = await createFolder()
    const path = fileURLToPath(new URL('../dist/plugin/cli.js', import.meta.url))
    const child = spawn(process.execPath, [path, 'serve', '--port', '0'])
    const ended = new Promise((resolve) => child.on('close', resolve))
    const [, url] = await new Promise<RegExpExecArray>((resolve) => {
      child.stdout.on('data', (chunk) => resolve(/(http:\S+)/.exec(String(chunk)) as RegExpExecArray))
    })
    expect(await (await fetch(`${url}/get?a=1`)).json()).toMatchObject({ args: { a: '1' } })
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(await project.suitecase(['serve', '--port', 'x'])).toMatchObject({ code: 2 })
  })
})

test('the command can be run by its name', async () => {
  const text = await readFile(new URL('../dist/plugin/cli.js', import.meta.url), 'utf8')
  expect(text).toMatch(/^#!\/usr\/bin\/env node\n/)
})
