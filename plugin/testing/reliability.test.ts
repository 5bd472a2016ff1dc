import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const repository = join(import.meta.dirname, '../..')

test('every promise of docs/reliability.md names a test that exists', () => {
  const rows = readFileSync(join(repository, 'docs/reliability.md'), 'utf8').match(/^\| \d+ \|.*$/gm) ?? []
  expect(rows).toHaveLength(40)
  const missing = rows.filter((row) => {
    const [, title = '', file = ''] = /\| ([^|]+) \(`([^`]+\.test\.ts)`\) \|$/.exec(row) ?? []
    return title === '' || !readFileSync(join(repository, file), 'utf8').includes(`'${title}'`)
  })
  expect(missing).toEqual([])
})
