import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openManifest } from './manifest.ts'

test('what an earlier run wrote is removed, whatever it is, and nothing else', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'suitecase-manifest-'))
  try {
    const earlier = openManifest(directory)
    for (const name of ['performance.json', 'failures.json', 'report.har', 'index.html', 'mine.txt']) {
      earlier.add(name)
      await writeFile(join(directory, name), '')
    }
    await writeFile(join(directory, 'notes.txt'), '')
    const later = openManifest(directory)
    later.removeOthers(new Set(['index.html']))
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
