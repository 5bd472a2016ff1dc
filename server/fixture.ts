import type Koa from 'koa'
import supertest from 'supertest'
import { test as base, type TestAPI } from 'vitest'
import { startServer } from './start-server.ts'

export { describe, expect } from 'vitest'

/** The echo server of a worker. */
export interface Echo {
  /** Its address, without a trailing slash. */
  url: string
  app: Koa
  /** A supertest agent for it: `await echo.request.get('/get').expect(200)`. */
  request: ReturnType<typeof supertest.agent>
}

/** Vitest's `test` with an `echo` server. It starts when a test of the worker first uses it, and closes with the worker. */
export const test: TestAPI<{ echo: Echo }> = base.extend<{ $worker: { echo: Echo } }>({
  echo: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the names of needed fixtures from the pattern.
    async ({}, use) => {
      await using server = await startServer()
      await use({ url: server.url, app: server.app, request: supertest.agent(server.url) })
    },
    { scope: 'worker' },
  ],
})
