import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type DefaultTheme } from 'vitepress'

/** The pages, in the order of the sidebar. Their titles are read from them. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  'Start here': ['index', 'help/troubleshooting'],
  'Suite files': [
    'suites/suite',
    'suites/steps',
    'suites/requests',
    'suites/checks',
    'suites/captures',
    'suites/xml-and-html',
    'suites/templates',
    'suites/authentication',
    'suites/connections',
    'suites/defaults',
    'suites/scenarios',
    'suites/retry',
    'suites/streams',
    'suites/bursts',
    'suites/websockets',
    'suites/data',
    'suites/sharing',
    'suites/environments',
    'suites/yaml',
  ],
  'Running them': [
    'running/options',
    'running/choosing',
    'running/watch',
    'running/terminal',
    'running/ci',
    'running/concurrency',
    'running/limits',
    'running/performance',
    'running/tracing',
  ],
  Recipes: [
    'recipes/log-in-once',
    'recipes/stages',
    'recipes/database',
    'recipes/polling',
    'recipes/pagination',
    'recipes/file-upload',
    'recipes/file-download',
    'recipes/webhooks',
    'recipes/graphql',
    'recipes/openapi',
    'recipes/mcp',
    'recipes/oauth2',
    'recipes/rate-limits',
    'recipes/github',
    'recipes/gitlab',
    'recipes/jenkins',
  ],
  'Moving over': [
    'recipes/from-supertest',
    'recipes/from-postman',
    'recipes/from-bruno',
    'recipes/from-http-files',
    'recipes/from-hurl',
    'recipes/from-tavern',
    'recipes/from-karate',
    'recipes/from-flow-test',
  ],
  'Your application': [
    'application/application',
    'application/server',
    'application/mocks',
    'application/clock',
    'application/define-suite',
    'application/extend',
    'application/echo-server',
  ],
  Results: ['results/results', 'results/page', 'results/figures', 'results/secrets'],
  Help: ['help/errors', 'help/editors', 'help/agents', 'reliability'],
}

const folder = join(import.meta.dirname, '..')

/** Title and first paragraph of a page. */
function readPage(name: string): { title: string; summary: string } {
  const text = readFileSync(join(folder, `${name}.md`), 'utf8')
  const { title = name, summary = '' } =
    /^# (?<title>.+)\n+(?<summary>(?:[^\n#`|].*\n)*)/.exec(text)?.groups ?? {}
  return { title, summary: summary.trim().replaceAll('\n', ' ') }
}

const sidebar: DefaultTheme.SidebarItem[] = Object.entries(SECTIONS).map(([text, names]) => ({
  text,
  items: names.map((name) => ({ text: readPage(name).title, link: `/${name.replace(/index$/, '')}` })),
}))

/** The site as a list of links for language models: see llmstxt.org. */
function writeLlms(outDir: string): void {
  const sections = Object.entries(SECTIONS).map(([heading, names]) => {
    const lines = names.map((name) => {
      const { title, summary } = readPage(name)
      return `- [${title}](/${name}.md): ${summary}`
    })
    return `## ${heading}\n\n${lines.join('\n')}\n`
  })
  writeFileSync(
    join(outDir, 'llms.txt'),
    `# suitecase\n\n> HTTP tests as YAML, inside Vitest. Each \`*.suite.yaml\` file is a test file, each of its steps a test.\n\n${sections.join('\n')}`,
  )
  for (const name of Object.values(SECTIONS).flat())
    writeFileSync(join(outDir, `${name}.md`), readFileSync(join(folder, `${name}.md`)))
}

export default defineConfig({
  title: 'suitecase',
  description: 'HTTP tests as YAML, inside Vitest',
  themeConfig: { sidebar, search: { provider: 'local' }, outline: [2, 3] },
  markdown: {
    config({ renderer: { rules } }) {
      const render = rules.code_inline
      // Vue would take the braces of a template in code for its own.
      if (render) rules.code_inline = (...token) => render(...token).replace('<code', '<code v-pre')
    },
  },
  buildEnd: ({ outDir }) => writeLlms(outDir),
})
