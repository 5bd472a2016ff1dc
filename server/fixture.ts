import type Koa from 'koa'
import supertest from 'supertest'
import * as imported from 'vitest'
import { startServer } from './start-server.ts'

// The Vitest that runs the file. It may be another copy than the one imported here.
const running: typeof imported = Reflect.get(globalThis, '__vitest_index__') ?? imported
export const { describe, expect } = running

/** The echo server of a worker. */
export interface Echo {
  /** Its address, without a trailing slash. */
  url: string
  app: Koa
  /** A supertest agent for it: `await echo.request.get('/get').expect(200)`. */
  request: ReturnType<typeof supertest.agent>
}

/** Vitest's `test` with an `echo` server. It starts when a test of the worker first uses it, and closes with the worker. */
export const test: imported.TestAPI<{ echo: Echo }> = running.test.extend<{ $worker: { echo: Echo } }>({
  echo: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the names of needed fixtures from the pattern.
    async ({}, use) => {
      await using server = await startServer()
      await use({ url: server.url, app: server.app, request: supertest.agent(server.url) })
    },
    { scope: 'worker' },
  ],
})
