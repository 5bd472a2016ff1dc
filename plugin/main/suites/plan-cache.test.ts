import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { SuitePlan } from '../../../src/suite/plan/plan.ts'
import { PlanCache } from './plan-cache.ts'

test('a plan that another version of the package kept is not read, whatever the times of its files', async () => {
  const root = await mkdtemp(join(tmpdir(), 'suitecase-'))
  onTestFinished(() => rm(root, { recursive: true }))
  await writeFile(join(root, 'package.json'), '{}')
  const plan = { nodeId: 'a', files: [] as string[] } as SuitePlan
  await new PlanCache(root, {}).keep('a.suite.yaml', 'text', plan)
  expect(await new PlanCache(root, {}).read('a.suite.yaml', 'text')).toEqual(plan)
  vi.resetModules()
  vi.doMock('../../../src/version.ts', () => ({ version: '999.0.0' }))
  const other = await import('./plan-cache.ts')
  expect(await new other.PlanCache(root, {}).read('a.suite.yaml', 'text')).toBeUndefined()
})
