import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeFolder } from '../../../src/fixtures/make-folder.ts'
import type { SuitePlan } from '../../../src/suite/plan/plan.ts'
import { resolveOptions } from '../../contract/options.ts'
import { findCache, openPlanCache } from './plan-cache.ts'
import { SuiteFiles } from './suite-files.ts'

test('a plan that another version of the package kept is not read, whatever the times of its files', async () => {
  const root = makeFolder({ 'package.json': '{}' })
  const plan = { nodeId: 'a', files: [] as string[] } as SuitePlan
  await openPlanCache(root).keep('a.suite.yaml', 'text', { plan, since: Date.now() })
  expect(await openPlanCache(root).read('a.suite.yaml', 'text')).toEqual(plan)
  vi.resetModules()
  vi.doMock('../../../src/version.ts', () => ({ version: '999.0.0' }))
  const other = await import('./plan-cache.ts')
  expect(await other.openPlanCache(root).read('a.suite.yaml', 'text')).toBeUndefined()
})

test('a plan is kept in the nearest package, until a file that it names changes', async () => {
  const root = makeFolder({ 'package.json': '{}' })
  const cache = openPlanCache(join(root, 'test/api'))
  expect(findCache(join(root, 'test/api'))).toBe(join(root, 'node_modules/.cache/suitecase'))
  const file = join(root, 'schema.json')
  const plan = { nodeId: 'a', files: [file] } as unknown as SuitePlan
  await writeFile(file, '{}')
  // The file was edited while the plan was being made, perhaps from its earlier text.
  await cache.keep('a.suite.yaml', 'text', { plan, since: Date.now() - 1000 })
  expect(await cache.read('a.suite.yaml', 'text')).toBeUndefined()
  await cache.keep('a.suite.yaml', 'text', { plan, since: Date.now() + 1000 })
  expect(await cache.read('a.suite.yaml', 'text')).toEqual(plan)
  expect(await cache.read('a.suite.yaml', 'other')).toBeUndefined()
  await writeFile(file, '[]')
  expect(await cache.read('a.suite.yaml', 'text')).toBeUndefined()
  await writeFile(file, '')
  await cache.keep('a.suite.yaml', 'text', { plan, since: Date.now() + 1000 })
  expect(await cache.read('a.suite.yaml', 'text')).toEqual(plan)
  await rm(file)
  expect(await cache.read('a.suite.yaml', 'text')).toBeUndefined()
})

test('without a folder that can be written, many suites at once load all the same', async () => {
  const root = makeFolder({
    'package.json': '{}',
    node_modules: 'a file in its place',
    'data.json': '{}'.padEnd(1_000_000),
  })
  const cache = openPlanCache(root)
  const loaded = (files: string[]): { plan: SuitePlan; since: number } => ({
    plan: { nodeId: 'a', files } as unknown as SuitePlan,
    since: Date.now() + 1000,
  })
  // The first one gives up the folder while the second one still reads.
  const quick = cache.keep('a.suite.yaml', 'text', loaded([]))
  const slow = cache.keep('b.suite.yaml', 'text', loaded(Array<string>(50).fill(join(root, 'data.json'))))
  const odd = cache.keep('c.suite.yaml', 'text', loaded(['name too long '.repeat(1000)]))
  expect(await Promise.all([quick, slow, odd])).toEqual([undefined, undefined, undefined])
})

test('a plan that cannot be kept, as on a full disk, leaves nothing behind', async () => {
  const root = makeFolder({ 'package.json': '{}' })
  const plan = { nodeId: 'a', files: [] as string[] } as SuitePlan
  const keep = () => openPlanCache(root).keep('a.suite.yaml', 'text', { plan, since: Date.now() })
  await keep()
  const folder = findCache(root) as string
  const names = readdirSync(folder)
  await rm(join(folder, names[0] as string))
  mkdirSync(join(folder, names[0] as string))
  await keep()
  expect(readdirSync(folder)).toEqual(names)
})

test('a kept plan is for the environment variables of the moment, which a `globalSetup` may set', async () => {
  const text = "suite_name: A\nbase_url: '{{late_url}}'\nsteps: [{ name: S, request: { url: / } }]\n"
  const root = makeFolder({ 'package.json': '{}', 'a.suite.yaml': text })
  onTestFinished(() => void vi.unstubAllEnvs())
  const path = join(root, 'a.suite.yaml')
  const load = async (setup: () => void): Promise<string[]> => {
    const options = resolveOptions({ compat: 'flow-test' })
    const files = new SuiteFiles({ root, shownFrom: root }, options, () => Promise.resolve([path]))
    setup()
    const { plan } = await files.load(path)
    return plan.foreign.map((read) => read.root)
  }
  expect(await load(() => {})).toEqual(['late_url'])
  // Plans are saved while the run goes on.
  await expect.poll(() => readdirSync(findCache(root) as string)).toEqual([expect.stringMatching(/\.json$/)])
  expect(await load(() => void vi.stubEnv('FLOW_TEST_LATE_URL', 'http://h'))).toEqual([])
})

test('the cache holds no secret of the options, which may be one of the environment', async () => {
  // Those without a secret in their plans come last: what the others keep is there before.
  const cases = [
    [{ variables: { user: 'ann', api_token: 'canary-1234-{{user}}' } }, 0],
    [{ variables: { headers: { 'x-api-key': 'canary-{{echo_url}}' } }, defaults: { headers: {} } }, 0],
    [{ defaults: { headers: { 'x-api-key': 'canary-1234' } } }, 0],
    [{ defaults: { auth: { bearer: 'canary-1234' } } }, 0],
    [{ variables: { user: 'ann' } }, 1],
    [{ variables: { api_token: 'canary-1234' } }, 1],
  ] as const
  const text = "suite_name: A\nsteps: [{ name: First, request: { url: '{{echo_url}}/get' } }]\n"
  const roots = cases.map(() => makeFolder({ 'package.json': '{}', 'a.suite.yaml': text }))
  for (const [index, root] of roots.entries()) {
    const path = join(root, 'a.suite.yaml')
    const places = { root, shownFrom: root }
    const options = resolveOptions(cases[index]?.[0])
    await new SuiteFiles(places, options, () => Promise.resolve([path])).load(path)
  }
  const read = (): string[][] =>
    roots.map((root) => {
      const folder = findCache(root) as string
      const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
      return names.map((name) => readFileSync(join(folder, name), 'utf8'))
    })
  await expect.poll(() => read().map((plans) => plans.length)).toEqual(cases.map(([, count]) => count))
  expect(read().join()).not.toContain('canary')
})
