import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createFolder, type Project } from './testing/fixtures/project.ts'

// With this variable each command gets a process of its own.
const createEmpty = (): Promise<Project> => createFolder({ 'package.json': '{}' }, { CI: '1' })

describe('the command line', () => {
  test.each([
    [
      ['inti'],
      'suitecase: unknown command `inti` (did you mean `init`?). Suites run with Vitest: npx vitest. See suitecase --help.\n',
    ],
    [
      ['--hlep'],
      'suitecase: unknown command `--hlep` (did you mean `--help`?). Suites run with Vitest: npx vitest. See suitecase --help.\n',
    ],
    [
      ['run\u001b[2J'],
      'suitecase: unknown command `run\\x1b[2J`. Suites run with Vitest: npx vitest. See suitecase --help.\n',
    ],
    [
      ['__proto__'],
      'suitecase: unknown command `__proto__`. Suites run with Vitest: npx vitest. See suitecase --help.\n',
    ],
    [['check', '--jsno'], "suitecase: Unknown option '--jsno'. See suitecase --help.\n"],
    [['check', '--json=1'], "suitecase: Option '--json' does not take an argument. See suitecase --help.\n"],
    [['init', 'here'], "suitecase: Unexpected argument 'here'. See suitecase --help.\n"],
    [['types', '--config'], "suitecase: Option '--config <value>' argument missing. See suitecase --help.\n"],
  ])('refuses %j with code 2', async (args, printed) => {
    await using project = await createFolder({ 'package.json': '{}' })
    expect(await project.suitecase(...args)).toMatchObject({ code: 2, output: printed })
  })

  test('prints help and its version', async () => {
    await using project = await createEmpty()
    const help = await project.suitecase('--help')
    expect(help.output).toContain('suitecase serve [options]')
    expect([help.code, await project.suitecase(), await project.suitecase('-h')]).toEqual([0, help, help])
    expect(await project.suitecase('--hlep')).toMatchObject({ code: 2 })
    expect(await project.suitecase('init', '--help')).toEqual(help)
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string
    }
    expect(await project.suitecase('--version')).toMatchObject({ code: 0, output: `${version}\n` })
    expect(await readdir(project.root)).toEqual(['package.json'])
  })

  test('does not mind a reader that leaves early, as `head` does', async () => {
    const path = fileURLToPath(new URL('../dist/plugin/cli.js', import.meta.url))
    const child = spawn(process.execPath, [path, '--help'])
    child.stdout.destroy()
    let told = ''
    child.stderr.on('data', (chunk) => (told += String(chunk)))
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect([code, told]).toEqual([0, ''])
  })

  test('serves the echo server until it is told to stop', async () => {
    await using project = await createEmpty()
    const path = fileURLToPath(new URL('../dist/plugin/cli.js', import.meta.url))
    const child = spawn(process.execPath, [path, 'serve', '--port', '0'])
    const ended = new Promise((resolve) => child.on('close', resolve))
    const [, url] = await new Promise<RegExpExecArray>((resolve) => {
      child.stdout.on('data', (chunk) => resolve(/(http:\S+)/.exec(String(chunk)) as RegExpExecArray))
    })
    expect(await (await fetch(`${url}/get?a=1`)).json()).toMatchObject({ args: { a: '1' } })
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(await project.suitecase('serve', '--port', 'x')).toMatchObject({ code: 2 })
  })
})

test('the command can be run by its name', async () => {
  const text = await readFile(new URL('../dist/plugin/cli.js', import.meta.url), 'utf8')
  expect(text).toMatch(/^#!\/usr\/bin\/env node\n/)
})
