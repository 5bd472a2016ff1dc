import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const here = dirname(fileURLToPath(import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'suitecase-optional-'))

/** Copies the sources to a place where only the two required packages are installed. */
beforeAll(() => {
  cpSync(here, join(home, 'src/interpolation'), { recursive: true })
  cpSync(join(here, '../text'), join(home, 'src/text'), { recursive: true })
  for (const file of ['errors.ts', 'escape-control.ts', 'json.ts', 'limits.ts', 'remember.ts', 'source.ts'])
    cpSync(join(here, '..', file), join(home, 'src', file))
  mkdirSync(join(home, 'node_modules'))
  for (const name of ['acorn', 'leven']) {
    symlinkSync(join(here, '../../node_modules', name), join(home, 'node_modules', name))
  }
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

function run(code: string): string {
  return execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: home,
    encoding: 'utf8',
  })
}

test('generated data says which package it needs', () => {
  const code = `import { loadFaker } from './src/interpolation/faker.ts'
    await loadFaker(1).catch((error) => console.log(error.name, error.message))`
  expect(run(code)).toContain(
    'EngineError Generated data needs the package `@faker-js/faker`, which is not installed',
  )
})

test('the usual sandbox needs no optional package', () => {
  const code = `import { createEngine } from './src/interpolation/expressions/engine.ts'
    const engine = createEngine()
    console.log(engine.evaluate('1 + 1', { read() {} }))`
  expect(run(code)).toContain('2\n')
})
