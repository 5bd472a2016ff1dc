import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../src/fixtures/make-folder.ts'
import { resolveOptions } from '../../contract/options.ts'
import { SuiteFiles } from './suite-files.ts'

test('a suite that cannot be read is a mistake of its own, and the others are checked', async () => {
  const root = makeFolder({
    // A folder cannot be read, whoever runs the test.
    'a.suite.yaml/.keep': '',
    'b.suite.yaml': 'suite_name: B\nsteps: [{ name: S, request: { url: http://h/ } }]\n',
  })
  const paths = ['a', 'b', 'c', 'd'].map((name) => join(root, `${name}.suite.yaml`))
  const [a, b, c, d] = paths as [string, string, string, string]
  await symlink('d.suite.yaml', d)
  const files = new SuiteFiles({ root, shownFrom: root }, resolveOptions({}), () => Promise.resolve(paths))
  const messages = async (path: string): Promise<unknown[]> =>
    (await files.check(path)).map(({ file, message, hint }) => [file, message, hint])
  expect(await messages(a)).toEqual([
    ['a.suite.yaml', 'The file cannot be read (EISDIR).', 'Is it still there, and may this user read it?'],
  ])
  expect(await messages(b)).toEqual([])
  expect(await messages(c)).toEqual([
    ['c.suite.yaml', 'The file cannot be read (ENOENT).', 'Is it still there, and may this user read it?'],
  ])
  expect(await messages(d)).toEqual([
    ['d.suite.yaml', 'The file cannot be read (ELOOP).', 'Is it still there, and may this user read it?'],
  ])
  // A file whose state is unknown counts as edited.
  expect(files.refresh()).toBe(true)
})

test('an edit that a run sees before the watcher tells of it still counts for the suites that could not be loaded', async () => {
  const text = 'suite_name: A\neach: { file: rows.csv }\nsteps: [{ name: S, request: { url: http://h } }]\n'
  const root = makeFolder({ 'a.suite.yaml': text })
  const [path, rows] = [join(root, 'a.suite.yaml'), join(root, 'rows.csv')]
  const files = new SuiteFiles({ root, shownFrom: root }, resolveOptions({}), () => Promise.resolve([path]))
  await expect(files.load(path)).rejects.toThrow('rows.csv')
  await writeFile(rows, 'a\n1\n')
  expect(files.refresh()).toBe(true)
  files.forget(rows)
  expect(files.readers().get(rows)).toEqual([{ suite: path, file: rows }])
  expect((await files.load(path)).plan.each).toEqual([{ a: '1' }])
})
