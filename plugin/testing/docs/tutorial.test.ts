import { expect, test } from 'vitest'
import { createProject } from '../fixtures/project.ts'
import { pages } from './read-pages.ts'

/** Removes what varies between runs, and what the page leaves out. */
const settle = (text: string): string =>
  text.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:1').replaceAll(/ \d+ms$/gm, '')

test.each(['README.md', 'docs/index.md'])('%s shows what a run prints', async (name) => {
  const page = pages.find((one) => one.name === name)
  const suite = page?.examples.find(({ file }) => file === 'tests/login.suite.yaml')?.code ?? ''
  const failure = page?.examples.find(({ code }) => code.startsWith(' FAIL '))?.code ?? ''
  // The file on the page has its name in the first line, and so has the reader's.
  await using project = await createProject({
    'tests/green.suite.yaml': suite,
    'tests/login.suite.yaml': suite.replace('json: { username: alice', 'json: { username: bob'),
  })
  const { code, output } = await project.run()
  expect(output).toContain('✓ |suites| tests/green.suite.yaml (2 tests)')
  expect(settle(output)).toContain(settle(failure.trimEnd()))
  expect(code).toBe(1)
})

test('the tutorial holds from the first command to the first green', async () => {
  const page = pages.find((one) => one.name === 'docs/index.md')
  const commands = page?.examples.filter(({ language }) => language === 'sh').map(({ code }) => code) ?? []
  expect(commands[0]).toContain('npx suitecase init\n')
  await using project = await createProject({
    'package.json':
      '{ "type": "commonjs", "scripts": { "test": "echo \\"Error: no test specified\\" && exit 1" } }',
    'vitest.config.ts': undefined,
  })
  const { output } = await project.suitecase('init')
  for (const name of ['tests/example.suite.yaml', '.gitignore', '.vscode/settings.json'])
    expect(output).toContain(`added   ${name}\n`)
  const printed = page?.examples.find(({ code }) => code.includes('example.suite.yaml (2 tests)'))?.code ?? ''
  const run = settle((await project.run()).output)
  for (const line of printed.trim().split('\n')) expect(run).toContain(line)
})
