import { createRequire } from 'node:module'
import { TestRunner, type WorkerGlobalState } from 'vitest'
import * as runtime from 'vitest/internal/browser'
import { createVitest } from 'vitest/node'
import { expect, test } from 'vitest'

// Vitest internals in use. After an update: run this, then change the release below. `filters.test.ts` shows the rules of
// `only` and of filters.
const checkedWith = '5.1'

test('the release is the one that was checked', () => {
  const { version } = createRequire(import.meta.url)('vitest/package.json') as { version: string }
  expect(version.split('.').slice(0, 2).join('.')).toBe(checkedWith)
})

test('its test runner compares snapshots in hooks, and its runtime is there in parts', () => {
  for (const hook of ['onBeforeRunSuite', 'onBeforeTryTask', 'onAfterRunSuite'])
    expect(TestRunner.prototype).toHaveProperty(hook, expect.any(Function))
  for (const name of ['probeExpectedSnapshot', 'markSnapshotsAsCheckedForTest', 'snapshotUpdateState'])
    expect(expect.getState().snapshotState).toHaveProperty(name)
  expect(TestRunner.createFileTask).toBeTypeOf('function')
  for (const name of [
    'collectTests',
    'processError',
    'startCoverageInsideWorker',
    'takeCoverageInsideWorker',
    'stopCoverageInsideWorker',
  ])
    expect(runtime).toHaveProperty(name, expect.any(Function))
})

test('a test file can reach what runs it: the calls to the main process, among them that of the console, and Vitest itself', () => {
  const state = Reflect.get(globalThis, '__vitest_worker__') as WorkerGlobalState
  expect(state.rpc.onUserConsoleLog).toBeTypeOf('function')
  expect(state.providedContext).toBeTypeOf('object')
  expect(Reflect.get(globalThis, '__vitest_index__')).toMatchObject({ TestRunner })
})

test('its main process asks the logger for lines around errors, and lets projects be replaced', async () => {
  const vitest = await createVitest('test', { config: false, watch: false, root: import.meta.dirname })
  try {
    expect(vitest.logger.highlight).toBeTypeOf('function')
    expect(vitest.logger.highlight('a.ts', 'const a = 1')).toContain('const')
    expect(vitest.matchesProjectFilter('suites')).toBe(true)
    const [project] = vitest.projects
    // The method that makes the project of suites.
    expect(Reflect.get(project?.constructor ?? {}, '_spawnSibling')).toBeTypeOf('function')
    vitest.projects = vitest.projects.filter((one) => one !== project)
    expect(vitest.projects).toHaveLength(0)
  } finally {
    await vitest.close()
  }
})
