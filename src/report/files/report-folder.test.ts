import { link, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../../fixtures/make-folder.ts'
import { replaceFs } from '../../fixtures/replace-fs.ts'
import { removeReports, writeReport } from './report-folder.ts'

const page = '<title>Test report</title>'
const result = '{\n  "node_id": "a"\n}'

test('the reports of an earlier run are removed, and nothing else', async () => {
  const path = makeFolder({
    'index.html': page,
    'performance.json': '{\n  "version": 1,\n  "status": "success"\n}',
    'failures.json': '{\n  "version": 1,\n  "failures": []\n}',
    'report.har': '{"log":{"version":"1.2","creator":{"name":"suitecase"}}}',
    'suites/a.json': result,
    'suites/b.json': result,
    'suites/mine.json': '{"mine": 1}',
    'suites/mine.txt': result,
    'notes.txt': page,
    'suites/folder.json/a.json': result,
  })
  await symlink(join(path, 'gone'), join(path, 'suites/broken.json'))
  removeReports(path, new Set(['suites/b.json']))
  expect((await readdir(path, { recursive: true })).toSorted()).toEqual([
    ...['notes.txt', 'suites', 'suites/b.json', 'suites/broken.json', 'suites/folder.json'],
    ...['suites/folder.json/a.json', 'suites/mine.json', 'suites/mine.txt'],
  ])
})

test('a report replaces what a link stands for by a file of its own', async () => {
  const path = makeFolder({ 'mine.json': result, 'suites/x.json': result })
  await link(join(path, 'suites/x.json'), join(path, 'copy.json'))
  await symlink(join(path, 'mine.json'), join(path, 'suites/link.json'))
  for (const name of ['suites/x.json', 'suites/link.json']) writeReport(path, name, ['new'])
  for (const name of ['mine.json', 'copy.json']) expect(await readFile(join(path, name), 'utf8')).toBe(result)
  for (const name of ['suites/x.json', 'suites/link.json'])
    expect(await readFile(join(path, name), 'utf8')).toBe('new')
})

test('a file that is not a report is not replaced', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'suitecase-foreign-'))
  try {
    const path = join(directory, 'index.html')
    await writeFile(path, '<title>Shop</title>')
    writeReport(directory, 'performance.json', [])
    expect(() => writeReport(directory, 'index.html', ['new'])).toThrow(
      'the `index.html` there is not a report',
    )
    expect(await readFile(path, 'utf8')).toBe('<title>Shop</title>')
    await mkdir(join(directory, 'suites'))
    for (const name of ['failures.json', 'report.har', 'suites/x.json']) {
      await writeFile(join(directory, name), '{"mine": 1}')
      expect(() => writeReport(directory, name, [])).toThrow(`the \`${name}\` there is not a report`)
    }
    removeReports(directory)
    expect(await readdir(join(directory, 'suites'))).toEqual(['x.json'])
    await writeFile(path, page)
    writeReport(directory, 'index.html', ['new'])
    expect(await readFile(path, 'utf8')).toBe('new')
    // Windows does not replace an open file, so none may stay open. Linux tells which are.
    const descriptors = await readdir('/proc/self/fd').catch(() => [])
    const opened = descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => ''))
    expect((await Promise.all(opened)).filter((each) => each.startsWith(path))).toEqual([])
  } finally {
    await rm(directory, { recursive: true })
  }
})

test('a file that another program has open for a moment is written and removed all the same', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'suitecase-busy-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const refusals = { renameSync: ['EPERM', 'EACCES'], rmSync: ['EBUSY'] }
  await replaceFs((fs) => {
    const refuse =
      (name: 'renameSync' | 'rmSync') =>
      (...passed: unknown[]): void => {
        const code = refusals[name].shift()
        if (code !== undefined) throw Object.assign(new Error(`${code}: ${passed.join()}`), { code })
        Reflect.apply(fs[name], fs, passed)
      }
    return { renameSync: refuse('renameSync'), rmSync: refuse('rmSync') }
  })
  const busy = await import('./report-folder.ts')
  busy.writeReport(directory, 'index.html', [page])
  expect(await readFile(join(directory, 'index.html'), 'utf8')).toBe(page)
  busy.removeReports(directory)
  expect(refusals).toEqual({ renameSync: [], rmSync: [] })
  expect(await readdir(directory)).toEqual([])
  refusals.renameSync = ['ENOSPC']
  const path = join(directory, 'index.html')
  expect(() => busy.writeReport(directory, 'index.html', [])).toThrow(`ENOSPC: ${path},${path}`)
  refusals.renameSync = Array<string>(20).fill('EPERM')
  expect(() => busy.writeReport(directory, 'index.html', [])).toThrow('EPERM')
  expect(await readdir(directory)).toEqual([])
})
