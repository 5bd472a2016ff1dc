import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { VITEST } from '../plugin/testing/fixtures/installed-package.ts'
import { runWarm } from '../plugin/testing/fixtures/warm-vitest.ts'

/** Runs the tests of one example as a user would. Resolves to Vitest's output. */
async function runExample(name: string, env: Record<string, string> = {}): Promise<string> {
  const root = join(import.meta.dirname, name)
  const { code, output } = await runWarm({ root, script: VITEST, args: ['run'], env })
  expect({ code, output }).toMatchObject({ code: 0 })
  return output
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
