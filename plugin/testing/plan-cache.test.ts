import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startHttpServer } from '../../src/request/fixtures/http-server.ts'
import { wait } from '../../src/run/wait.ts'
import { createProject } from './fixtures/project.ts'

test('a plan is kept until its suite or a file that went into it changes, and a broken one is made anew', async () => {
  await using server = await startHttpServer(
    (_request, response) => void response.setHeader('content-type', 'application/json').end('{ "user": {} }'),
  )
  const suite = (name: string): string =>
    `suite_name: A\nbase_url: ${server.url}\nsteps:\n  - { name: ${name}, request: { url: / }, assert: { body: { user: { schema: ./s.json } } } }\n`
  await using project = await createProject({
    'a.suite.yaml': suite('First'),
    's.json': '{ "type": "object" }',
  })
  const folder = 'node_modules/.cache/suitecase'
  const readName = async (): Promise<string> =>
    join(folder, (await readdir(join(project.root, folder))).find((name) => name.endsWith('.json')) as string)
  const edit = async (change: (text: string) => string): Promise<void> => {
    const name = await readName()
    await project.write({ [name]: change(await project.read(name)) })
  }
  const listSteps = async (): Promise<string[]> => {
    // A file that was edited less than 20 ms before it is loaded is not kept.
    await wait(50)
    await project.run()
    return (await project.result('a')).steps_results.map(({ step_name, status }) => `${step_name}: ${status}`)
  }

  expect(await listSteps()).toEqual(['First: success'])
  await edit((text) => text.replaceAll('First', 'Kept'))
  expect(await listSteps()).toEqual(['Kept: success'])
  await edit((text) => text.slice(0, 100))
  expect(await listSteps()).toEqual(['First: success'])
  await edit((text) => text.replaceAll('First', 'Kept'))
  await project.write({ 's.json': '{ "type": "array" }' })
  expect(await listSteps()).toEqual(['First: failure'])
  await edit((text) => text.replaceAll('First', 'Kept'))
  await project.write({ 'a.suite.yaml': suite('Second') })
  expect(await listSteps()).toEqual(['Second: failure'])
})

test('the cache holds no secret of the options, which may be one of the environment', async () => {
  const suite = `suite_name: A\nsteps:\n  - { name: First, request: { url: '{{echo_url}}/get' } }\n`
  await using project = await createProject({ 'a.suite.yaml': suite })
  await wait(50)
  for (const [options, count] of [
    [`{ variables: { user: 'ann' } }`, 1],
    [`{ variables: { api_token: 'canary-1234' } }`, 1],
    [`{ variables: { user: 'ann', api_token: 'canary-1234-{{user}}' } }`, 0],
    [`{ variables: { headers: { 'x-api-key': 'canary-{{echo_url}}' } }, defaults: { headers: {} } }`, 0],
    [`{ defaults: { headers: { 'x-api-key': 'canary-1234' } } }`, 0],
    [`{ defaults: { auth: { bearer: 'canary-1234' } } }`, 0],
  ] as const) {
    await project.write({
      'vitest.config.ts': `import { suites } from 'suitecase/plugin'\nexport default { plugins: [suites(${options})] }\n`,
    })
    await rm(join(project.root, 'node_modules/.cache'), { recursive: true, force: true })
    expect((await project.run()).code).toBe(0)
    const kept = await readdir(join(project.root, 'node_modules/.cache/suitecase')).catch(() => [])
    const plans = kept.filter((name) => name.endsWith('.json'))
    expect(plans).toHaveLength(count)
    for (const name of plans)
      expect(await project.read(`node_modules/.cache/suitecase/${name}`)).not.toContain('canary')
  }
})

test('compiled code is kept beside the plans, but not that of what an application starts', async () => {
  await using project = await createProject(
    {
      'a.suite.yaml':
        'suite_name: A\nsteps:\n  - { name: First, request: { url: / }, assert: { body: unset } }\n',
      'app.ts': `export default { fetch: () => new Response(process.env.NODE_COMPILE_CACHE ?? 'unset') }\n`,
    },
    // In its own process, since all others have a cache already.
    { suites: `{ app: './app.ts' }`, env: { CI: 'true', NODE_COMPILE_CACHE: undefined } },
  )
  const { code } = await project.run()
  expect(code).toBe(0)
  const folder = join(project.root, 'node_modules/.cache/suitecase/suitecase-compiled')
  expect((await readdir(folder, { recursive: true })).length).toBeGreaterThan(10)
})

test('the thread that starts early has the environment and the Node options of the run', async () => {
  await using project = await createProject(
    {
      'app.ts': `const { GONE, SEEN: seen } = process.env
const options = process.execArgv.join(' ').replace(/ \\S*suppress-warnings.cjs/, '')
export default { fetch: () => Response.json({ options, seen, isGone: GONE === undefined }) }
`,
      'vitest.config.ts': `import { suites } from 'suitecase/plugin'
delete process.env.GONE
export default { plugins: [suites({ app: './app.ts' })], test: { env: { SEEN: 'here' } } }
`,
    },
    { env: { GONE: 'still there' } },
  )
  // Vitest's own. If it changes them, no thread fits that starts early: `startEarly` has to follow.
  const usual = '--experimental-import-meta-resolve --require --conditions node --conditions development'
  for (const more of [[], ['--conditions=more']]) {
    const options = [usual, ...more].join(' ')
    await project.write({
      'a.suite.yaml': `suite_name: A
steps:
  - { name: First, request: { url: / }, assert: { body: { options: ${options}, seen: here, isGone: true } } }
`,
    })
    expect(await project.run(...more.map((option) => `--execArgv=${option}`))).toMatchObject({ code: 0 })
  }
})
