import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
