import {
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../../fixtures/make-folder.ts'
import { replaceFs } from '../../fixtures/replace-fs.ts'
import { openFolder } from './report-folder.ts'

test('what an earlier run wrote is removed, whatever it is, and nothing else', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'suitecase-manifest-'))
  try {
    const earlier = openFolder(directory)
    for (const name of ['performance.json', 'failures.json', 'report.har', 'index.html', 'mine.txt'])
      earlier.write(name, [])
    await writeFile(join(directory, 'notes.txt'), '')
    const later = openFolder(directory)
    later.removeOthers(['index.html'])
    expect((await readdir(directory)).toSorted()).toEqual([
      '.written-by-suitecase',
      'index.html',
      'mine.txt',
      'notes.txt',
    ])
  } finally {
    await rm(directory, { recursive: true })
  }
})

test('suite results of an earlier run have another name during the next one, which writes over them, and are gone at its end', async () => {
  const path = makeFolder({ 'suites/mine.json.tmp': 'mine' })
  const names = async (): Promise<string[]> => (await readdir(join(path, 'suites'))).toSorted()
  const placeOf = async (name: string): Promise<number> => (await stat(join(path, name))).ino
  const earlier = openFolder(path)
  for (const name of ['index.html', 'suites/a.json', 'suites/b.json', 'suites/c.json'])
    earlier.write(name, [`{"node_id": "${name}, a long text"}`])
  const place = await placeOf('suites/b.json')

  // As if the run were killed right after `clear`.
  openFolder(path).clear()
  expect(await readdir(path)).toEqual(['.written-by-suitecase', 'suites'])
  expect(await names()).toEqual([
    'a.json.suitecase-old',
    'b.json.suitecase-old',
    'c.json.suitecase-old',
    'mine.json.tmp',
  ])

  const next = openFolder(path)
  next.clear()
  next.write('suites/b.json', ['short'])
  expect(await readFile(join(path, 'suites/b.json'), 'utf8')).toBe('short')
  expect(await placeOf('suites/b.json')).toBe(place)
  // As if somebody removed what is left.
  await rm(join(path, 'suites/c.json.suitecase-old'))
  next.write('suites/c.json', ['new'])
  next.removeOthers(['suites/b.json', 'suites/c.json'])
  expect(await names()).toEqual(['b.json', 'c.json', 'mine.json.tmp'])
})

test('a result that has another name, or stands for another file, is not written over', async () => {
  const path = makeFolder({ 'mine.txt': 'mine' })
  const names = ['suites/kept.json', 'suites/link.json', 'suites/later.json']
  const earlier = openFolder(path)
  for (const name of names) earlier.write(name, ['old'])
  await link(join(path, 'suites/kept.json'), join(path, 'copy.json'))
  await rm(join(path, 'suites/link.json'))
  await symlink(join(path, 'mine.txt'), join(path, 'suites/link.json'))

  const next = openFolder(path)
  next.clear()
  await link(join(path, 'suites/later.json.suitecase-old'), join(path, 'later.json'))
  for (const name of names) next.write(name, ['new'])
  next.removeOthers(names)

  for (const name of ['copy.json', 'later.json']) expect(await readFile(join(path, name), 'utf8')).toBe('old')
  expect(await readFile(join(path, 'mine.txt'), 'utf8')).toBe('mine')
  for (const name of names) expect(await readFile(join(path, name), 'utf8')).toBe('new')
  expect(await readdir(join(path, 'suites'))).toHaveLength(3)
})

test('a file that is not a report is not replaced, and a page whose list is gone is', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'suitecase-foreign-'))
  try {
    const page = join(directory, 'index.html')
    await writeFile(page, '<title>Shop</title>')
    const folder = openFolder(directory)
    folder.write('performance.json', [])
    expect(() => folder.write('index.html', ['new'])).toThrow('the `index.html` there is not a report')
    expect(await readFile(page, 'utf8')).toBe('<title>Shop</title>')
    await mkdir(join(directory, 'suites'))
    for (const name of ['failures.json', 'report.har', 'suites/x.json']) {
      await writeFile(join(directory, name), '{"mine": 1}')
      expect(() => folder.write(name, [])).toThrow(`the \`${name}\` there is not a report`)
    }
    openFolder(directory).removeOthers([])
    expect(await readdir(join(directory, 'suites'))).toEqual(['x.json'])
    await writeFile(page, '<title>Test report</title>')
    folder.write('index.html', ['new'])
    expect(await readFile(page, 'utf8')).toBe('new')
    // Windows does not replace an open file, so none may stay open. Linux tells which are.
    const descriptors = await readdir('/proc/self/fd').catch(() => [])
    const opened = descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => ''))
    expect((await Promise.all(opened)).filter((path) => path.startsWith(page))).toEqual([])
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
  const folder = busy.openFolder(directory)
  folder.write('index.html', ['text'])
  expect(await readFile(join(directory, 'index.html'), 'utf8')).toBe('text')
  folder.removeOthers([])
  expect(refusals).toEqual({ renameSync: [], rmSync: [] })
  expect(await readdir(directory)).toEqual(['.written-by-suitecase'])
  refusals.renameSync = ['ENOSPC']
  const page = join(directory, 'index.html')
  expect(() => folder.write('index.html', [])).toThrow(`ENOSPC: ${page},${page}`)
  refusals.renameSync = Array<string>(20).fill('EPERM')
  expect(() => folder.write('index.html', [])).toThrow('EPERM')
  expect(await readdir(directory)).toEqual(['.written-by-suitecase'])
})
