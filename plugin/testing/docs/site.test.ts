import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { pages, repository } from './read-pages.ts'

/** Building takes several seconds of both processors, and a minute where others need them. */
const BUILD = 600_000

test(
  'the site has every page, a search index of its own, and a list for language models',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'docs-site-'))
    try {
      const script = join(repository, 'node_modules/vitepress/bin/vitepress.js')
      await promisify(execFile)(process.execPath, [script, 'build', 'docs', '--outDir', folder], {
        cwd: repository,
      })
      const names = pages.flatMap(({ name }) =>
        name === 'README.md' ? [] : [name.slice('docs/'.length, -'.md'.length)],
      )
      expect(globSync('**/*.html', { cwd: folder })).toEqual(
        expect.arrayContaining(names.map((name) => `${name}.html`)),
      )
      const checks = readFileSync(join(folder, 'suites/checks.html'), 'utf8')
      expect(checks).toContain('items[?price &gt; 5].name')
      // A page loads nothing from other sites.
      expect(checks.match(/(?:src|href)="https?:[^"]*\.(?:js|css|woff2?)"/g)).toBeNull()
      const [index = ''] = globSync('assets/chunks/*localSearchIndexroot*.js', { cwd: folder })
      // Compared as a boolean: an index of several hundred kilobytes is no good in a message.
      expect(readFileSync(join(folder, index), 'utf8').includes('sharing.html#exports')).toBe(true)
      const list = readFileSync(join(folder, 'llms.txt'), 'utf8')
      for (const name of names) {
        expect(list).toContain(`](/${name}.md): `)
        expect(readFileSync(join(folder, `${name}.md`), 'utf8')).toMatch(/^# /)
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
  BUILD,
)
