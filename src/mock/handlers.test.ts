import { setTimeout as sleep } from 'node:timers/promises'
import { bypass, http as handle, HttpResponse, passthrough, ws } from 'msw'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { anywhere, post, send, startUpstream } from './fixtures/calls.ts'
import type { HttpServer } from '../request/fixtures/http-server.ts'
import { context, mock, start, stop } from './fixtures/mocks.ts'
import { keepHandler, refuseHandler } from './handlers.ts'

afterEach(stop)

let upstream: HttpServer
beforeAll(async () => {
  upstream = await startUpstream()
})
afterAll(() => upstream.close())

/** The mock that stands in for a handler. */
const keep = (handler: object) => mock({ url: keepHandler(handler) })

function mockPayment(): void {}

describe('MSW handlers', () => {
  test('answer, fall through and take precedence by scope', async () => {
    const mocks = await start()
    mocks.use([mock({ url: '*', respond: { body: 'yaml' } })], context)
    const handlers = [
      handle.get(anywhere, () => HttpResponse.json({ from: 'handler' })),
      handle.get('https://pay.example/pass', () => undefined),
      handle.post('https://pay.example/error', () => HttpResponse.error()),
    ]
    const scope = mocks.use(handlers.map(keep), { ...context, file: 'shop.test.ts' })
    await expect(send(anywhere)).resolves.toBe('200 {"from":"handler"}')
    await expect(send('https://pay.example/pass')).resolves.toBe('200 yaml')
    await expect(send('https://pay.example/error', post({}))).resolves.toBe('ECONNRESET')
    expect(scope.finish()).toMatchObject({
      calls: [{ mock: 'shop.test.ts', status_code: 200 }, {}, {}],
      problems: [],
    })
  })

  test('may let a request through, or send it on themselves', async () => {
    const handlers = [
      handle.get(`${upstream.url}/through`, () => passthrough()),
      handle.get(`${upstream.url}/on`, async ({ request }) => {
        const real = await fetch(bypass(request))
        return new HttpResponse(`changed ${await real.text()}`)
      }),
    ]
    const scope = (await start()).use(handlers.map(keep), context)
    await expect(send(`${upstream.url}/through`)).resolves.toBe('200 real /through')
    await expect(send(`${upstream.url}/on`)).resolves.toBe('200 changed real /on')
    expect(scope.finish()).toMatchObject({
      calls: [{ outcome: 'passed_through' }, { outcome: 'mocked' }],
      problems: [],
    })
  })

  test('with `once` answer once in each scope', async () => {
    const handler = keep(handle.get(anywhere, () => new HttpResponse('once'), { once: true }))
    const mocks = await start()
    for (const _ of ['row 1', 'row 2']) {
      const scope = mocks.use([handler], context)
      expect([await send(anywhere), await send(anywhere)]).toEqual(['200 once', 'ECONNREFUSED'])
      scope.finish()
    }
  })

  test('may send a stream, whose end a client can tell from a broken connection', async () => {
    const stream = (end: (controller: ReadableStreamDefaultController) => void) =>
      new ReadableStream({
        async start(controller) {
          controller.enqueue(new TextEncoder().encode('data: 1\n\n'))
          await sleep(20)
          end(controller)
        },
      })
    const cookies: [string, string][] = [
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ]
    const handlers = [
      handle.get(
        `${anywhere}/whole`,
        () =>
          new HttpResponse(
            stream((to) => to.close()),
            { headers: cookies },
          ),
      ),
      handle.get(`${anywhere}/broken`, () => new HttpResponse(stream((to) => to.error(new Error('broken'))))),
    ]
    const scope = (await start()).use(handlers.map(keep), context)
    const whole = await fetch(`${anywhere}/whole`)
    expect(whole.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    await expect(whole.text()).resolves.toBe('data: 1\n\n')
    const broken = await fetch(`${anywhere}/broken`)
    await expect(broken.text()).rejects.toThrow('terminated')
    expect(scope.finish().problems).toEqual([])
  })

  test('that throw are a problem and a network error', async () => {
    const handler = handle.get(anywhere, () => {
      throw new Error('no data')
    })
    const scope = (await start()).use([keep(handler)], context)
    await expect(send(anywhere)).resolves.toBe('ECONNREFUSED')
    expect(scope.finish().problems).toMatchObject([
      { message: expect.stringContaining('its mock failed: no data') },
    ])
  })

  test('that return something else than a response are a problem', async () => {
    const handler = handle.get(anywhere, () => ({ id: 'ch_1' }) as never)
    const scope = (await start()).use([keep(handler)], context)
    await expect(send(anywhere)).resolves.toBe('ECONNREFUSED')
    expect(scope.finish().problems).toMatchObject([
      { message: expect.stringContaining('a response such as `HttpResponse.json(…)`, got an object') },
    ])
  })

  test.each<[string, object, string]>([
    [
      'an object',
      { run: 1 },
      'Expected a handler to be an MSW request handler such as `http.get(url, resolver)`, got an object',
    ],
    [
      'a WebSocket handler',
      ws.link('wss://a.example').addEventListener('connection', () => {}),
      'got a WebSocket handler, which is not supported',
    ],
  ])('are not %s', (_, handler, message) => {
    expect(refuseHandler(handler)).toContain(message)
  })

  test('are those of MSW', () => {
    expect(refuseHandler(handle.get(anywhere, mockPayment))).toBeUndefined()
  })
})
