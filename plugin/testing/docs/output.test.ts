import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  printSchema,
  type IntrospectionQuery,
} from 'graphql'
import { expect, test } from 'vitest'
import { createRouter, startServer } from '../../../server/index.ts'
import { createProject } from '../fixtures/project.ts'
import { listExamples, readPage } from './read-pages.ts'

const run = promisify(execFile)
const page = 'docs/application/echo-server.md'

/** Commands of an example, with the output that the page shows below each. */
function readCalls(code: string): { command: string; shown: string[] }[] {
  return code
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...shown] = part.trimEnd().split('\n')
      return { command: command.replace(/ +#.*$/, ''), shown: shown.filter((line) => line !== '') }
    })
}

/** Turns a line of the page into a pattern: `…` matches anything, and generated numbers and curl's version may differ. */
function toPattern(line: string): RegExp {
  const escaped = line.trim().replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
  const open = escaped.replaceAll('…', '.*').replace(/curl\/[\d\\.]+/, String.raw`curl/[\d.]+`)
  return new RegExp(
    open
      .replaceAll(/-\d{10,}/g, String.raw`-\d+`)
      .replace(/access-\w+/, String.raw`access-\w+`)
      .replace(/refresh-\w+/, String.raw`refresh-\w+`),
  )
}

const calls = listExamples('', page).flatMap(({ code }) => readCalls(code))

test('the calls of the page on the echo server are answered as it says', async () => {
  await using server = await startServer()
  expect(calls.length).toBeGreaterThan(4)
  for (const { command, shown } of calls) {
    // A path that fails twice is requested three times before it is reset.
    const times = command.includes('/flaky/') && !command.includes('DELETE') ? 3 : 1
    const answers: string[] = []
    for (let index = 0; index < times; index++) {
      const { stdout } = await run('sh', [
        '-c',
        command.replaceAll('127.0.0.1:8080', new URL(server.url).host),
      ])
      answers.push(stdout.replaceAll(new URL(server.url).host, '127.0.0.1:8080'))
    }
    for (const line of shown) expect(answers[0]).toMatch(toPattern(line))
    expect(answers.at(-1)).not.toBe('')
  }
})

test('the schema of the page is the one by which the echo server answers', async () => {
  await using server = await startServer()
  const answer = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: getIntrospectionQuery() }),
  })
  const { data } = (await answer.json()) as { data: IntrospectionQuery }
  const [shown] = listExamples('graphql', page)
  expect(printSchema(buildSchema(shown?.code ?? ''))).toBe(printSchema(buildClientSchema(data)))
})

test('the page names every route of the echo server', () => {
  // The page shows `/delay/:seconds` as `/delay/1.5`.
  const { stack } = createRouter()
  const routes = stack.flatMap(({ methods, path }) =>
    methods.length > 0 ? String(path).replace(/\/[:*].*/, '/') : [],
  )
  expect(routes).toContain('/delay/')
  const text = readPage(page)
  expect(
    routes.filter((route) => !text.includes(route)),
    `describe these in ${page}`,
  ).toEqual([])
})

test('every answer of the echo server has the headers that the page names', async () => {
  await using server = await startServer()
  const [block] = listExamples('', page)
  const names =
    block?.code
      .trim()
      .split('\n')
      .map((line) => line.split(':')[0] ?? '') ?? []
  expect(names).toContain('x-content-type-options')
  const { headers } = await fetch(`${server.url}/get`)
  expect(names.filter((name) => !headers.has(name))).toEqual([])
})

test.each([
  ['README.md', 'tests/login.suite.yaml', (suite: string) => suite.replace('method: POST', 'metod: POST')],
  [
    'docs/help/errors.md',
    'login.suite.yaml',
    () =>
      "suite_name: Login\nbase_url: 'https://api.example.com'\nsteps:\n  - name: Log in\n    request: { url: /x, metod: POST }\n",
  ],
])('%s shows a mistake as `check` prints it', async (name, file, write) => {
  const shown = listExamples('', name).find(({ code }) => code.includes('unknown-field'))?.code ?? ''
  const [suite] = listExamples('yaml', name)
  await using project = await createProject({ [file]: write(suite?.code ?? '') })
  const { output } = await project.suitecase('check')
  expect(shown).toContain('Did you mean')
  expect(output).toContain(shown.trimEnd())
})
