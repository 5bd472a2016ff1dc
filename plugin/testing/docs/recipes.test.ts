import { expect, test } from 'vitest'
import { createProject, type Project } from '../fixtures/project.ts'
import { VITEST } from '../fixtures/installed-package.ts'
import { runWarm } from '../fixtures/warm-vitest.ts'
import { startApi, type Api } from './api.ts'
import { pages, type Page } from './read-pages.ts'

/** Pages that are complete projects: their suites run. */
const recipes = pages.filter(
  ({ name, examples }) =>
    name.startsWith('docs/recipes/') && examples.some(({ file }) => file?.endsWith('.suite.yaml')),
)

test.each(recipes)('$name runs as it is written', async (page) => {
  await using api = await startApi()
  await using project = await createRecipe(page, api)
  const [, commands = 'npx vitest run'] = /```sh\n([^]*?)\n```/.exec(page.text) ?? []
  for (const command of commands.split('\n')) {
    const { code, output } = await runCommand(project, page, command)
    expect({ code, output }).toMatchObject({ code: 0 })
    const printed = page.examples.filter(({ language }) => language === 'text')
    for (const example of printed) expect(output).toContain(example.code.trimEnd())
  }
  // Each run logs in at most once, however many suites read the token.
  expect(api.counts.get('POST /login') ?? 0).toBeLessThanOrEqual(page.name.includes('log-in-once') ? 2 : 3)
})

/** A project with the files of a page, in which a real server's address replaces those of the examples. */
function createRecipe({ examples }: Page, api: Api): Promise<Project> {
  const files = examples.flatMap(({ file, code }) =>
    file === undefined ? [] : [[file, code.replaceAll(/https:\/\/\w+\.example\.com/g, api.url)]],
  )
  return createProject(
    {
      'src/app.ts': `export default { url: '${api.url}', close() {} }`,
      'tests/files/me.png': 'PNG',
      ...(Object.fromEntries(files) as Record<string, string>),
    },
    { suites: "{ app: './src/app.ts' }" },
  )
}

async function runCommand({ root }: Project, { text }: Page, command: string) {
  const [, settings = '', words = ''] = /^((?:\w+=\S+ )*)npx vitest (.+)$/.exec(command) ?? []
  const secrets = [...text.matchAll(/\$env\.(\w+)/g)].map(([, name = '']) => [name, `${name}-of-a-test`])
  const chosen = settings.split(' ').flatMap((pair) => (pair === '' ? [] : [pair.split('=')]))
  const env = Object.fromEntries([...secrets, ...chosen]) as Record<string, string>
  const args = words.split(' ')
  expect(args[0]).toBe('run')
  return runWarm({ root, script: VITEST, args, env })
}
