import { once } from 'node:events'
import http from 'node:http'
import http2 from 'node:http2'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Koa from 'koa'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { afterEach, describe, expect, test } from 'vitest'
import { startApp, type Listening } from './start-app.ts'

let running: Listening | undefined
afterEach(async () => {
  await running?.close()
  running = undefined
})

async function start(exported: unknown, limits?: { start?: number; close?: number }): Promise<Listening> {
  running = await startApp(exported, limits)
  return running
}

const hello: http.RequestListener = (_, response) => response.end('hello')

function createKoa(): Koa {
  const app = new Koa()
  app.use((context) => {
    context.body = 'hello'
  })
  return app
}

function createExpress(): express.Express {
  return express().get('/', (_, response) => void response.send('hello'))
}

function createFastify(): ReturnType<typeof fastify> {
  const app = fastify()
  app.get('/', () => 'hello')
  return app
}

function createHono(): Hono {
  return new Hono().get('/', (context) => context.text('hello'))
}

/** The members that identify a NestJS application. Its hooks run in `init` and `close`. */
class NestLike {
  readonly ran: string[] = []
  readonly #server = http.createServer((request, response) => {
    if (this.ran.includes('init')) hello(request, response)
  })
  async init(): Promise<this> {
    this.ran.push('init')
    return this
  }
  getHttpServer(): http.Server {
    return this.#server
  }
  async listen(port: number, host: string): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, host, resolve))
  }
  async close(): Promise<void> {
    this.ran.push('close')
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

/** A NestJS application with its Fastify adapter, whose `init` does not make Fastify ready. */
class NestOnFastify extends NestLike {
  readonly #fastify = createFastify()
  getHttpAdapter(): { getInstance(): unknown } {
    return { getInstance: () => this.#fastify }
  }
  override getHttpServer(): http.Server {
    return this.#fastify.server
  }
  override async close(): Promise<void> {
    await this.#fastify.close()
  }
}

async function startNest(): Promise<NestLike> {
  const app = await new NestLike().init()
  await app.listen(0, 'localhost')
  return app
}

function inner(): void {}

class Shop {
  name = 'shop'
}

class Handler {
  readonly #text = 'hello'
  fetch(): Response {
    return new Response(this.#text)
  }
}

describe('accepts', () => {
  test.each<[string, () => unknown]>([
    ['a Koa application', createKoa],
    ['an Express application', createExpress],
    ['a Fastify application', createFastify],
    ['a Hono application', createHono],
    ['a NestJS application', () => new NestLike()],
    ['a NestJS application that listens', () => startNest()],
    ['a NestJS application on Fastify', () => new NestOnFastify()],
    ['a Node request listener', () => hello],
    ['an http.Server', () => http.createServer(hello)],
    ['an http.Server that listens', () => http.createServer(hello).listen(0)],
    ['an http.Server that is about to listen', () => http.createServer(hello).listen(0, 'localhost')],
    ['a fetch handler', () => (request: Request) => new Response(request.method === 'GET' ? 'hello' : '')],
    ['an object with fetch, called as its method', () => new Handler()],
    ['a module compiled from `export default`', () => ({ __esModule: true, default: createKoa() })],
    ['a promise', () => Promise.resolve(createExpress())],
    ['a function', () => () => createKoa()],
    ['an async function', () => async () => createFastify()],
    ['a function that returns a listener', () => () => hello],
  ])('%s', async (_, create) => {
    const app = await start(create())
    expect(app.url).toMatch(/^http:\/\/(127\.0\.0\.1|\[::1\]):\d+$/)
    await expect(fetch(app.url).then((response) => response.text())).resolves.toBe('hello')
  })

  test('a NestJS application, whose hooks run', async () => {
    const nest = new NestLike()
    const app = await start(async () => nest)
    await app.close()
    expect(nest.ran).toEqual(['init', 'close'])
  })

  test('Fastify with HTTP/2, whose server ends its connections differently', async () => {
    const app = await start(fastify({ http2: true }).get('/', () => 'hello'))
    const session = http2.connect(app.url)
    const [{ ':status': status }] = (await once(session.request(), 'response')) as [http2.IncomingHttpHeaders]
    expect(status).toBe(200)
    const ended = once(session, 'close')
    await app.close()
    await ended
  })

  test('a `{ url, close }`, and closes it', async () => {
    let closed = 0
    const app = await start(() => ({ url: 'http://127.0.0.1:9/', close: () => closed++ }))
    expect(app.url).toBe('http://127.0.0.1:9')
    await app.close()
    expect(closed).toBe(1)
  })
})

describe('refuses', () => {
  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'got `undefined`'],
    ['a text', 'app', 'got `app`'],
    ['an object of another kind', { get: 1, post: 2 }, 'got an object with the members get, post'],
    [
      'a restify server, whose address is none before it listens',
      { server: http.createServer(), url: 'http://169.254.0.1:0' },
      'got an object with the members server, url',
    ],
    [
      'a restify server of release 11',
      { server: http.createServer(), url: 'http://169.254.0.1:0000' },
      'got an object with the members server, url',
    ],
    ['a class', Shop, 'got the class `Shop`'],
    ['a function that returns nothing', () => {}, 'the function returned `undefined`'],
    [
      'a function that returns a function without parameters',
      () => inner,
      'the function returned the function `inner`',
    ],
    ['an address that is not one', { url: '/x', close() {} }, 'got an object with the members url, close'],
    [
      'an endless module',
      Object.assign(Object.create(null), { default: { default: {} } }),
      'got an object with the members default',
    ],
  ])('%s', async (_, exported, got) => {
    await expect(startApp(exported)).rejects.toThrow(got)
    await expect(startApp(exported)).rejects.toThrow('Expected the app’s default export to be a Koa')
  })

  test('a function that does not come to an end, after its limit', async () => {
    await expect(startApp(() => new Promise(() => {}), { start: 20 })).rejects.toThrow(
      'did not start within 20 ms',
    )
  })
})

describe('an application that fails to start', () => {
  class ConfigError extends Error {
    override name = 'ConfigError'
    code = 'NO_DATABASE'
  }

  test.each<[string, (error: Error) => unknown]>([
    [
      'throwing',
      (error) => () => {
        throw error
      },
    ],
    [
      'rejecting',
      (error) => async () => {
        throw error
      },
    ],
    [
      'with a Fastify plugin that rejects',
      (error) =>
        fastify().register(async () => {
          throw error
        }),
    ],
  ])('%s rejects with its own error', async (_, create) => {
    const error = new ConfigError('DATABASE_URL is not set')
    await expect(startApp(create(error))).rejects.toBe(error)
  })

  test('on a port that is taken rejects with the error of the port', async () => {
    const taken = http.createServer(hello).listen(0)
    await new Promise((resolve) => taken.once('listening', resolve))
    const { port } = taken.address() as net.AddressInfo
    await expect(startApp(() => http.createServer(hello).listen(port))).rejects.toMatchObject({
      code: 'EADDRINUSE',
    })
    taken.close()
  })
})

describe('close', () => {
  test('ends requests that hang, sockets kept alive and upgraded ones', async () => {
    const server = http.createServer((request, response) => {
      if (request.url !== '/hang') response.end()
    })
    server.on('upgrade', (_, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'))
    const app = await startApp(server)
    const hanging = fetch(`${app.url}/hang`).catch((error: Error) => error.message)
    await fetch(app.url)
    const upgraded = net.connect(Number(new URL(app.url).port), '127.0.0.1')
    upgraded.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n')
    await new Promise((resolve) => upgraded.once('data', resolve))
    const ended = new Promise((resolve) => upgraded.once('close', resolve))
    await app.close()
    await ended
    await expect(hanging).resolves.toBe('fetch failed')
  })

  test('runs the close hooks of Fastify', async () => {
    const seen: string[] = []
    const instance = createFastify()
    instance.addHook('onClose', async () => void seen.push('close'))
    const app = await startApp(instance)
    await fetch(app.url)
    await app.close()
    expect(seen).toEqual(['close'])
  })

  test('calls the `close` of an object with fetch once no request can come', async () => {
    let answer: unknown
    const database = { isOpen: true }
    const app = await startApp({
      database,
      fetch: () => new Response('hello'),
      async close(this: { database: { isOpen: boolean } }) {
        answer = await fetch(app.url).catch((error: Error) => error.message)
        this.database.isOpen = false
      },
    })
    await fetch(app.url)
    await app.close()
    expect([answer, database.isOpen]).toEqual(['fetch failed', false])
  })

  test('is content with a server that the application has closed itself', async () => {
    const server = http.createServer(hello)
    const app = await startApp(server)
    await new Promise((resolve) => server.close(resolve))
    await expect(app.close()).resolves.toBeUndefined()
  })

  test('rejects when the close of the application does not come to an end', async () => {
    const app = await startApp(
      { url: 'http://127.0.0.1:9', close: () => new Promise(() => {}) },
      { close: 20 },
    )
    await expect(app.close()).rejects.toThrow('did not close within 20 ms')
  })

  test('a close that fails after its limit causes no unhandled rejection', async () => {
    const app = await startApp(
      { url: 'http://127.0.0.1:9', close: () => sleep(40).then(() => Promise.reject(new Error('late'))) },
      { close: 10 },
    )
    await expect(app.close()).rejects.toThrow('did not close within 10 ms')
    await sleep(60)
  })
})
