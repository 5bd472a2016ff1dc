import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SuitePlan } from '../../../src/suite/plan/plan.ts'
import { loadExtension } from '../extension/load-extension.ts'
import { linkApp, startServices } from './started-services.ts'
import { defaultLimits } from '../../../src/limits.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = (): Promise<never> => new Promise(() => {})

test('a module of an application that is never loaded is given up, once for all suites', async () => {
  const load = vi.fn<typeof never>(never)
  const app = linkApp({ app: { path: './app.ts', per: 'run' }, root: '/' }, load)
  const all = Promise.allSettled([app?.load(), app?.load()])
  await vi.advanceTimersByTimeAsync(120_000)
  const reason = new Error(
    'The app did not start: its module ./app.ts was not loaded within 120000 ms. Does it await something that never resolves?',
  )
  expect(await all).toEqual([
    { status: 'rejected', reason },
    { status: 'rejected', reason },
  ])
  expect(load).toHaveBeenCalledOnce()
})

test('so is that of the option `extend`', async () => {
  const loading = Promise.allSettled([
    loadExtension(never, { path: '/a/ext.ts', shownFrom: '/a', limits: defaultLimits }),
  ])
  await vi.advanceTimersByTimeAsync(120_000)
  const message =
    'ext.ts could not be loaded: timed out after 120000 ms. Does it await something that never resolves?'
  // The rest is a place in these sources: only the built package knows its own files.
  expect(await loading).toEqual([
    { status: 'rejected', reason: expect.objectContaining({ message: expect.stringContaining(message) }) },
  ])
})

const plan = { usesGiven: ['app_url'], setup: [], steps: [{}], teardown: [] } as unknown as SuitePlan

test('what an application throws that is no error becomes one that names it', async () => {
  const app = linkApp({ app: { path: './app.ts', per: 'run' }, root: '/' }, () => Promise.reject())
  await expect(startServices(plan, app)).rejects.toThrow('The app did not start: it threw undefined.')
})
