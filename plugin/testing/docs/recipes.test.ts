import { beforeAll, describe, expect, test } from 'vitest'
import { VITEST } from '../fixtures/installed-package.ts'
import type { RunOutcome } from '../fixtures/processes.ts'
import { createProject, type Project } from '../fixtures/project.ts'
import { runWarm } from '../fixtures/warm-vitest.ts'
import { startApi, type Api } from './api.ts'
import { pages, type Page } from './read-pages.ts'

/** Pages that are complete projects: their suites run. */
const recipes = pages.filter(
  ({ name, examples }) =>
    name.startsWith('docs/recipes/') && examples.some(({ file }) => file?.endsWith('.suite.yaml')),
)
const [printing = [], silent = []] = [true, false].map((prints) =>
  recipes.filter(({ examples }) => examples.some(({ language }) => language === 'text') === prints),
)

test.each(printing)('$name runs as it is written, and prints what it says', async (page) => {
  await using api = await startApi()
  await using project = await createRecipes([page], api)
  const [, commands = 'npx vitest run'] = /```sh\n([^]*?)\n```/.exec(page.text) ?? []
  for (const command of commands.split('\n')) {
    const { code, output } = await runCommand(project, [page], command)
    expect({ code, output }).toMatchObject({ code: 0 })
    const printed = page.examples.filter(({ language }) => language === 'text')
    for (const example of printed) expect(output).toContain(example.code.trimEnd())
  }
  // Each run logs in at most once, however many suites read the token.
  expect(api.counts.get('POST /login') ?? 0).toBeLessThanOrEqual(2)
})

describe('in one run', () => {
  let outcome: RunOutcome
  const passed: string[] = []
  beforeAll(async () => {
    await using api = await startApi()
    await using project = await createRecipes(silent, api)
    outcome = await runCommand(project, silent, 'npx vitest run')
    for (const file of await project.results()) {
      const { node_id, status } = await project.result(file.replace('.json', ''))
      if (status === 'success') passed.push(node_id)
    }
  })

  test.each(silent)('$name runs as it is written', (page) => {
    const suites = page.examples.flatMap(({ file = '' }) => /([^/]+)\.suite\.yaml$/.exec(file)?.[1] ?? [])
    expect(passed).toEqual(expect.arrayContaining(suites.map((suite) => idOf(page, suite))))
  })

  test('nothing else in them fails', () => {
    expect(outcome).toMatchObject({ code: 0 })
  })
})

/** Tells apart the suites of pages, some of which have the same names. */
function idOf({ name }: Page, suite: string): string {
  return `${name.slice('docs/recipes/'.length, -'.md'.length)}-${suite}`
}

/** The application of the recipe on databases. */
const USERS = `export default (db) => async (request) => {
  const id = new URL(request.url).pathname.split('/')[2] ?? null
  if (request.method === 'DELETE') db.prepare('UPDATE users SET deleted_at = ? WHERE id = ?').run(new Date().toISOString(), id)
  else if (db.prepare('SELECT id FROM users WHERE email = ?').get((await request.json()).email)) return new Response('', { status: 409 })
  return new Response(null, { status: 204 })
}`

/** A project with the files of pages, in which a real server's address replaces those of the examples. */
function createRecipes(chosen: readonly Page[], api: Api): Promise<Project> {
  const files = chosen.flatMap((page) =>
    page.examples.flatMap(({ file, code }) => {
      if (file === undefined) return []
      const name =
        chosen.length > 1 ? file.replace(/[^/]+(?=\.suite\.yaml$)/, (suite) => idOf(page, suite)) : file
      return [[name, code.replaceAll(/https:\/\/\w+\.example\.com/g, api.url)]]
    }),
  )
  return createProject(
    {
      'src/app.ts': files.some(([name]) => name === 'src/app.tests.ts')
        ? USERS
        : `export default { url: '${api.url}', close() {} }`,
      'tests/files/me.png': 'PNG',
      ...(Object.fromEntries(files) as Record<string, string>),
    },
    { suites: "{ app: './src/app.ts' }" },
  )
}

async function runCommand({ root }: Project, chosen: readonly Page[], command: string) {
  const [, settings = '', words = ''] = /^((?:\w+=\S+ )*)npx vitest (.+)$/.exec(command) ?? []
  const secrets = chosen
    .flatMap(({ text }) => [...text.matchAll(/\$env\.(\w+)/g)])
    .map(([, name = '']) => [name, `${name}-of-a-test`])
  const given = settings.split(' ').flatMap((pair) => (pair === '' ? [] : [pair.split('=')]))
  const env = Object.fromEntries([...secrets, ...given]) as Record<string, string>
  const args = words.split(' ')
  expect(args[0]).toBe('run')
  return runWarm({ root, script: VITEST, args, env })
}
