import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startHttpServer } from '../../src/request/fixtures/http-server.ts'
import { wait } from '../../src/run/wait.ts'
import { createProject } from './fixtures/project.ts'

const CACHE = 'node_modules/.cache/suitecase'

test('a plan is kept until its suite or a file that went into it changes, and a broken one is made anew', async () => {
  await using server = await startHttpServer(
    (_request, response) => void response.setHeader('content-type', 'application/json').end('{ "user": {} }'),
  )
  const suite = (id: string, step: string): string =>
    `suite_name: ${id}\nbase_url: ${server.url}\nsteps:\n  - { name: ${step}, request: { url: / }, assert: { body: { user: { schema: ./${id}.json } } } }\n`
  const ids = ['kept', 'broken', 'schema', 'text']
  const files = ids.flatMap((id) => [
    [`${id}.suite.yaml`, suite(id, 'First')],
    [`${id}.json`, '{ "type": "object" }'],
  ])
  await using project = await createProject(Object.fromEntries(files) as Record<string, string>)
  const runSuites = async (): Promise<string[]> => {
    // A file that was edited less than 20 ms before it is loaded is not kept.
    await wait(50)
    await project.run()
    const results = await Promise.all(ids.map((id) => project.result(id)))
    return results.flatMap(
      ({ suite_name, steps_results: [step] }) => `${suite_name}: ${step?.step_name} ${step?.status}`,
    )
  }
  expect(await runSuites()).toEqual(ids.map((id) => `${id}: First success`))
  const plans = (await readdir(join(project.root, CACHE))).filter((name) => name.endsWith('.json'))
  expect(plans).toHaveLength(ids.length)
  for (const name of plans) {
    const text = (await project.read(`${CACHE}/${name}`)).replaceAll('First', 'Kept')
    await project.write({
      [`${CACHE}/${name}`]: text.includes('broken.suite.yaml') ? text.slice(0, 100) : text,
    })
  }
  await project.write({ 'schema.json': '{ "type": "array" }', 'text.suite.yaml': suite('text', 'Second') })
  expect(await runSuites()).toEqual([
    'kept: Kept success',
    'broken: First success',
    'schema: First failure',
    'text: Second success',
  ])
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
