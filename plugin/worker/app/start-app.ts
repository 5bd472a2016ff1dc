import { createServer } from 'node:http'
import { watchConnections } from '../../../src/mock/intercept/stale-sockets.ts'
import { listen, type Listening } from './listen.ts'
import { describeApp, recogniseApp, type AppKind, type FastifyLike } from './recognise-app.ts'
import type { AppLimits, RunningApp } from './running-app.ts'
import { serveFetch } from './serve-fetch.ts'
import { within } from './within.ts'

/**
 * Starts an application on a free loopback port: a Koa, Express, Hono or Fastify application, a Node request listener
 * or server, a fetch handler, a `{ url, close }`, or a (possibly async) function that returns one of these. Rejects with
 * the application's own error, or with a `TypeError` for what is none of these.
 */
export async function startApp(exported: unknown, limits: AppLimits = {}): Promise<RunningApp> {
  watchConnections()
  const startLimit = limits.start ?? 30_000
  const closeLimit = limits.close ?? 10_000
  const listening = await within(
    openApp(exported),
    startLimit,
    `The app did not start within ${startLimit} ms: its function or its \`ready\` has not come to an end.`,
  )
  let closing: Promise<void> | undefined
  return {
    url: listening.url,
    request: async () => (await import('supertest')).default.agent(listening.url),
    close: () =>
      (closing ??= within(
        listening.close(),
        closeLimit,
        `The app did not close within ${closeLimit} ms: its own \`close\` has not come to an end.`,
      )),
  }
}

async function openApp(exported: unknown): Promise<Listening> {
  // A promise of an application is awaited; so is Fastify, which then has loaded its plugins.
  const value = await exported
  const app = recogniseApp(value)
  if (app?.kind !== 'factory') return openKind(app, value)
  const created = await app.create()
  const product = recogniseApp(created)
  if (product !== undefined && product.kind !== 'factory') return openKind(product, created)
  throw new TypeError(`${EXPECTED}; the function returned ${describeApp(created)}`)
}

async function openKind(
  app: Exclude<AppKind, { kind: 'factory' }> | undefined,
  value: unknown,
): Promise<Listening> {
  switch (app?.kind) {
    case 'listener':
      return listen(createServer(app.listener))
    case 'fetch':
      return listen(createServer(serveFetch(app.fetch)))
    case 'server':
      return listen(app.server)
    case 'fastify':
      return openFastify(app.app)
    case 'address':
      return { url: app.url.replace(/\/$/, ''), close: async () => void (await app.close?.()) }
    default:
      throw new TypeError(`${EXPECTED}, got ${describeApp(value)}`)
  }
}

async function openFastify(app: FastifyLike): Promise<Listening> {
  await app.ready()
  const listening = await listen(app.server, (address) => app.listen(address))
  // Its close runs the hooks and waits for connections, which therefore end at the same time.
  return { url: listening.url, close: async () => void (await Promise.all([listening.close(), app.close()])) }
}

const EXPECTED =
  'Expected the app’s default export to be a Koa, Express, Hono or Fastify application, a Node request listener or ' +
  'server, a fetch handler, `{ url, close }`, or a function without parameters that returns one of these'
