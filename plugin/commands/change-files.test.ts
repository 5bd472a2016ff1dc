import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { replaceFs } from '../../src/fixtures/replace-fs.ts'

test('a file that cannot be written, as on a full disk, keeps what it held', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'suitecase-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'package.json'), '{ "name": "shop" }')
  await replaceFs((fs) => ({
    writeFileSync: (path: string, text: string | Buffer) => {
      fs.writeFileSync(path, '')
      if (String(text).includes('edited')) throw new Error('ENOSPC: no space left on device, write')
      fs.writeFileSync(path, text)
    },
  }))
  const { makeChanges, planChange } = await import('./change-files.ts')
  const change = planChange(folder, 'package.json', () => ({ text: 'edited' }))
  expect(() => makeChanges(folder, [change])).toThrow(
    'package.json could not be written: ENOSPC: no space left on device, write',
  )
  expect(await readFile(join(folder, 'package.json'), 'utf8')).toBe('{ "name": "shop" }')
})
