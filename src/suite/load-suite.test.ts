import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SuiteError } from '../errors.ts'
import { loadSuite } from './load-suite.ts'

const folder = join(import.meta.dirname, 'fixtures')
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => name.replace(/\.yaml$/, ''))

async function loadBroken(name: string, text: string): Promise<SuiteError> {
  const error: unknown = await loadSuite({ path: `${name}.yaml`, text }, { folder }).catch(
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(SuiteError)
  return error as SuiteError
}

describe('a broken suite prints all that is wrong with it, each with its place', () => {
  test.each(names)('%s', async (name) => {
    const text = readFileSync(join(folder, `${name}.yaml`), 'utf8')
    const error = await loadBroken(name, text)
    await expect(`${error.message.replaceAll(folder, '<folder>')}\n`).toMatchFileSnapshot(
      join(folder, `${name}.txt`),
    )
    // Line ends as Git writes them on Windows.
    const other = await loadBroken(name, text.replaceAll(/\r?\n/g, '\r\n'))
    expect(other.message).toBe(error.message)
  })
})
