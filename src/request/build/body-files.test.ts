import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, win32 } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readBodyFile, type BodyFiles } from './body-files.ts'

let root: string
let folder: string

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'body-files-'))
  folder = join(root, 'suite')
  for (const name of ['suite/data', 'suite-other', 'shared']) mkdirSync(join(root, name), { recursive: true })
  for (const name of ['suite/data/a.txt', 'suite/..a', 'suite-other/b.txt', 'shared/c.txt', 'secret'])
    writeFileSync(join(root, name), name)
  symlinkSync(join(root, 'secret'), join(folder, 'link'))
  symlinkSync(join(root, 'shared'), join(folder, 'linked'))
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'pipe')])
})
afterAll(() => rmSync(root, { recursive: true }))

function read(name: string, rest: Partial<BodyFiles> = {}): Promise<string> {
  return readBodyFile(name, { folder, written: null, limit: 100_000, ...rest }).then((bytes) =>
    Buffer.from(bytes).toString(),
  )
}

describe('a name from a value', () => {
  test.each(['data/a.txt', './data/../data/a.txt', '..a'])('may lead to %s', async (name) => {
    expect(await read(name)).toMatch(/a(\.txt)?$/)
  })

  test.each(['../secret', 'data/../../secret', '../suite-other/b.txt', 'link', '/etc/hostname'])(
    'may not lead to %s, unless it is written',
    async (name) => {
      await expect(read(name)).rejects.toThrow(
        'its name comes from a value, and it is outside the folder of the suite. Write the name without a template, or allow its folder with the option `files`',
      )
      for (const written of [{ file: name }, { multipart: { f: [{ file: name }] } }])
        await expect(read(name, { written })).resolves.not.toBe('')
      await expect(read(name, { written: { file: '{{x}}' } })).rejects.toThrow('outside the folder')
    },
  )

  test('may lead into the folders that are allowed', async () => {
    const folders = [join(root, 'gone'), join(root, 'shared')]
    expect(await read('../shared/c.txt', { folders })).toBe('shared/c.txt')
    expect(await read(join(root, 'shared/c.txt'), { folders })).toBe('shared/c.txt')
    expect(await read('linked/c.txt', { folders })).toBe('shared/c.txt')
    await expect(read('linked/c.txt')).rejects.toThrow('outside the folder')
    await expect(read('../secret', { folders })).rejects.toThrow('outside the folder')
  })
})

test.each([
  ['C:/suite', String.raw`\\evil.example\share\a.txt`],
  ['C:/suite', '//evil.example/share/a.txt'],
  ['C:/suite', String.raw`..\b.txt`],
  ['//own/share/suite', String.raw`\\evil.example\share\a.txt`],
  ['//own/share/suite', String.raw`\\OWN\share\b.txt`],
])('on Windows a value asks no other computer: from %s of %s', async (folder, name) => {
  const asked: string[] = []
  vi.resetModules()
  vi.doMock('node:path', async () => (await vi.importActual<typeof import('node:path')>('node:path')).win32)
  vi.doMock('node:fs/promises', () => ({ realpath: async (path: string) => (asked.push(path), path) }))
  const windows = await import('./body-files.ts')
  vi.doUnmock('node:path')
  vi.doUnmock('node:fs/promises')
  vi.resetModules()
  const read = (name: string) => windows.readBodyFile(name, { folder, written: null, limit: 100_000 })
  await expect(read(name)).rejects.toThrow(
    'its name comes from a value, and it is outside the folder of the suite',
  )
  expect(asked).toEqual([])
  await read('c.txt').catch(() => undefined)
  expect(asked).toContain(win32.resolve(folder, 'c.txt'))
})

describe('what is not a regular file is refused at once:', () => {
  test.each(['pipe', 'data', '/dev/zero', '/dev/tty'])('%s', async (name) => {
    await expect(read(name, { written: { file: name } })).rejects.toThrow(
      /it is not a regular file|ENXIO|EACCES/,
    )
  })
})

test('a file has the limit of bodies, also if it tells no size', async () => {
  const written = { file: '/proc/self/status' }
  expect(await read('/proc/self/status', { written })).toContain('VmRSS')
  expect(await read('data/a.txt', { limit: 16 })).toBe('suite/data/a.txt')
  for (const name of ['data/a.txt', '/proc/self/status'])
    await expect(read(name, { written: { file: name }, limit: 15 })).rejects.toThrow(
      'it is larger than 15 bytes. The option `limits.body` raises the limit',
    )
})
