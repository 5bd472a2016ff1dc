import { resolve } from 'node:path'
import { expect, test, vi } from 'vitest'
import { resolvePath } from './resolve-path.ts'

test('a path is as the system has it', () => {
  expect(resolvePath('/shop/tests', '../data/a\\b.json')).toBe(resolve('/shop/data/a\\b.json'))
  expect(resolvePath('a.yaml')).toBe(resolve('a.yaml'))
})

test.each([
  ['C:/shop/tests', 'auth.suite.yaml', 'C:/shop/tests/auth.suite.yaml'],
  ['C:/shop/tests', '..\\data/rows.csv', 'C:/shop/data/rows.csv'],
  ['c:\\shop\\tests', 'a b.yaml', 'C:/shop/tests/a b.yaml'],
  ['C:/shop', 'd:\\elsewhere\\a.yaml', 'D:/elsewhere/a.yaml'],
  ['\\\\server\\share\\shop', 'a.yaml', '//server/share/shop/a.yaml'],
])('on Windows %j and %j are the file that Vitest calls %j', async (folder, name, path) => {
  vi.resetModules()
  vi.doMock('node:path', async () => (await vi.importActual<typeof import('node:path')>('node:path')).win32)
  const windows = await import('./resolve-path.ts')
  vi.doUnmock('node:path')
  expect(windows.resolvePath(folder, name)).toBe(path)
  expect(windows.relativePath(path.replace(/[^/]+$/, ''), `${path}/sub\\x.json`)).toMatch(
    /^[^/]+\/sub\/x\.json$/,
  )
})
