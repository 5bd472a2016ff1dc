import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { cleanEnvironment } from '../plugin/testing/fixtures/processes.ts'

const run = promisify(execFile)
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))

/** Runs the tests of one example as a user would. Resolves to Vitest's output. */
async function runExample(name: string, env: Record<string, string> = {}): Promise<string> {
  const root = fileURLToPath(new URL(name, import.meta.url))
  const options = { env: { ...cleanEnvironment(), ...env }, timeout: 60_000 }
  const { stdout } = await run(process.execPath, [vitest, 'run', '--root', root], options)
  return stdout
}

describe('the examples pass as they are', () => {
  test('suites against the echo server', async () => {
    const output = await runExample('echo')
    expect(output).toContain('Test Files  14 passed (14)')
    expect(output).toContain('Tests  66 passed (66)')
  })

  test('the shop, its payment service mocked', async () => {
    expect(await runExample('shop')).toMatch(/Tests {2}\d+ passed \(\d+\)/)
  })

  test.for(['koa', 'express', 'hono', 'fastify'])('one suite for %s', async (framework) => {
    expect(await runExample('frameworks', { FRAMEWORK: framework })).toContain('Tests  5 passed (5)')
  })
})
