import type { Listening } from './listen.ts'
import { describeApp, recogniseApp } from './recognise-app.ts'

/**
 * Starts an application on a free loopback port: a Koa, Express, Hono, Fastify or NestJS application, a Node request listener
 * or server, a fetch handler, a `{ url, close }`, or a (possibly async) function that returns one of these. Rejects with
 * the application's own error, or with a `TypeError` for what is none of these. The limits are ms until it listens and
 * until its own close has ended.
 */
export async function startApp(
  exported: unknown,
  limits: { start?: number; close?: number } = {},
): Promise<Listening> {
  const { start = 30_000, close = 10_000 } = limits
  const listening = await within(
    openApp(exported),
    start,
    `The app did not start within ${start} ms: its function or its \`ready\` has not come to an end.`,
  )
  let closing: Promise<void> | undefined
  return {
    url: listening.url,
    close: () =>
      (closing ??= within(
        listening.close(),
        close,
        `The app did not close within ${close} ms: its own \`close\` has not come to an end.`,
      )),
  }
}

async function openApp(exported: unknown): Promise<Listening> {
  // A promise of an application is awaited; so is Fastify, which then has loaded its plugins.
  const value = await exported
  const app = recogniseApp(value)
  if (!app) throw new TypeError(`${EXPECTED}, got ${describeApp(value)}`)
  if ('open' in app) return app.open()
  const created = await app.create()
  const product = recogniseApp(created)
  if (product && 'open' in product) return product.open()
  throw new TypeError(`${EXPECTED}; the function returned ${describeApp(created)}`)
}

const EXPECTED =
  'Expected the app’s default export to be a Koa, Express, Hono, Fastify or NestJS application, a Node request listener or ' +
  'server, a fetch handler, `{ url, close }`, or a function without parameters that returns one of these'

/** Waits for a promise, at most `limit` ms; rejects with an error of this message after that. What the promise does later is ignored. */
async function within<Value>(promise: Promise<Value>, limit: number, message: string): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(message)), limit)
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
