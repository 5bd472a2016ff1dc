import type supertest from 'supertest'
import { inject, test as base, vi, type TestAPI } from 'vitest'
import { closeServices, linkApp, startApplication } from '../app/started-services.ts'

/** The application under test, as the `app` option of the plugin names it. */
export type App = {
  /** Its address, without a final slash. */
  url: string
  /** A supertest agent on it: `await app.request.get('/products').expect(200)`. */
  request: ReturnType<typeof supertest.agent>
}

/**
 * Vitest's `test` with an `app`: the application of the option `app`, started when a test of the worker first asks for
 * it (the same one that suites in TypeScript of the worker use) and closed with the worker.
 */
export const test: TestAPI<{ app: App }> = base.extend<{ $worker: { app: App } }>({
  app: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the names of needed fixtures from the pattern.
    async ({}, use) => {
      const options = inject('suitecase')
      const app = options && linkApp(options, (path) => vi.importActual(path))
      if (!app) throw new Error('There is no application to start: set the `app` option of suites().')
      const { url } = await startApplication(app)
      const { default: supertest } = await import('supertest')
      await use({ url, request: supertest.agent(url) })
      await closeServices()
    },
    { scope: 'worker' },
  ],
})
