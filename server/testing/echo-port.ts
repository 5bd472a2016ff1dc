import type { TestAPI } from 'vitest'
import { type Echo, test as base } from '../fixture.ts'

/** The `echo` fixture with its port, for raw sockets. */
export const test: TestAPI<{ echo: Echo; port: number }> = base.extend<{ port: number }>({
  port: async ({ echo }, use) => {
    await use(Number(new URL(echo.url).port))
  },
})
