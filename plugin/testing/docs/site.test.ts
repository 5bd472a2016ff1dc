import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pages, repository } from './read-pages.ts'

test('the site has every page, a search index of its own, and a list for language models', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docs-site-'))
  try {
    const script = join(repository, 'node_modules/vitepress/bin/vitepress.js')
    execFileSync(process.execPath, [script, 'build', 'docs', '--outDir', folder], {
      cwd: repository,
      stdio: 'pipe',
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
})
