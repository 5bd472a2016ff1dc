import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SuiteError } from '../errors.ts'
import { loadSuite } from './load-suite.ts'

const folder = join(import.meta.dirname, 'fixtures')
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => name.replace(/\.yaml$/, ''))

describe('a broken suite prints all that is wrong with it, each with its place', () => {
  test.each(names)('%s', async (name) => {
    const text = readFileSync(join(folder, `${name}.yaml`), 'utf8')
    const error: unknown = await loadSuite({ path: `${name}.yaml`, text }, { folder }).catch(
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(SuiteError)
    await expect(`${(error as SuiteError).message.replaceAll(folder, '<folder>')}\n`).toMatchFileSnapshot(
      join(folder, `${name}.txt`),
    )
  })
})
