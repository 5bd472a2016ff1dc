import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { makeFolder } from '../../src/fixtures/make-folder.ts'
import { loadSuite } from '../../src/suite/load-suite.ts'
import { dropOwnFrames, PACKAGE_FILES, PACKAGE_FOLDER } from './package-files.ts'
import { usesApp } from './parcel.ts'
import { refuse } from './refuse.ts'

test('lines of this package are dropped from a stack', () => {
  expect(PACKAGE_FOLDER).toBe(`${resolve(import.meta.dirname, '..').replaceAll('\\', '/')}/`)
  const stack = `Error: x\n    at a (${PACKAGE_FOLDER}main/a.ts:1:1)\n    at b (/project/b.ts:2:3)`
  expect(dropOwnFrames(stack)).toBe('Error: x\n    at b (/project/b.ts:2:3)')
})

test('lines of this package are dropped where its path has a blank', async () => {
  const folder = makeFolder({
    'my é/dist/a/package-files.ts': await readFile(join(import.meta.dirname, 'package-files.ts'), 'utf8'),
  })
  const path = join(folder, 'my é/dist/a/package-files.ts')
  const elsewhere = (await import(path)) as typeof import('./package-files.ts')
  const stack = `Error: x\n    at a (${path}:1:1)\n    at ${pathToFileURL(path).href}:1:1\n    at b (/b.ts:2:3)`
  expect(elsewhere.dropOwnFrames(stack)).toBe('Error: x\n    at b (/b.ts:2:3)')
})

test('files of this package are known by their folder', () => {
  const of = (path: string): boolean => PACKAGE_FILES.test(path)
  expect(of(join(import.meta.dirname, 'parcel.ts').replaceAll('\\', '/'))).toBe(true)
  expect(of(`/elsewhere${PACKAGE_FOLDER}parcel.ts`)).toBe(false)
  expect(of(PACKAGE_FOLDER.replace(/\/$/, 's/parcel.ts'))).toBe(false)
})

test('what is refused has no stack of this package', () => {
  const refused = (): never => refuse('no such option')
  expect(refused).toThrow(
    expect.objectContaining({ message: 'no such option', stack: 'TypeError: no such option' }),
  )
})

test.each([
  ['', true],
  ['base_url: http://h\n', false],
  ["base_url: 'http://h/?from={{app_url}}'\n", true],
  ["base_url: '{{echo_url}}'\n", false],
])(
  'a suite uses the application if it has no address, or reads that of the application: %j',
  async (head, uses) => {
    const text = `suite_name: S\n${head}steps:\n  - { name: s, request: { url: /x } }\n`
    expect(usesApp(await loadSuite({ path: 'a.suite.yaml', text }, { folder: '/project' }))).toBe(uses)
  },
)
