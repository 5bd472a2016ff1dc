import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProject } from '../fixtures/project.ts'
import { pages, repository } from './read-pages.ts'

/** Building takes several seconds of both processors, and a minute where others need them. */
const BUILD = 600_000

// Nothing here looks at the colours of code, or at how small scripts are.
const plain = `import config from '${repository}/docs/.vitepress/config.ts'
const highlight = (code) => '<pre v-pre>' + code.replaceAll('&', '&amp;').replaceAll('<', '&lt;') + '</pre>'
const markdown = { ...config.markdown, highlight }
const vite = { build: { minify: false, rollupOptions: { treeshake: false } } }
export default { ...config, srcDir: '${repository}/docs', markdown, vite }
`

test(
  'the site has every page, a search index of its own, and a list for language models',
  async () => {
    await using project = await createProject({ '.vitepress/config.ts': plain })
    const script = join(repository, 'node_modules/vitepress/bin/vitepress.js')
    const { code, output } = await project.execute(script, 'build', '--outDir', 'site')
    expect({ code, output }).toMatchObject({ code: 0 })
    const folder = join(project.root, 'site')
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
  },
  BUILD,
)
