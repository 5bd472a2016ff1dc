import { Router } from '@koa/router'
import type { EchoContext, EchoRouter } from '../context.ts'
import { describe, expect, test } from '../fixture.ts'
import { startServer } from '../start-server.ts'
import { addStatusRoutes } from './status.ts'

describe('status', () => {
  test.for<[code: number, headers: object, body: string]>([
    [301, { location: '/redirect/1' }, ''],
    [307, { location: '/redirect/1' }, ''],
    [308, { 'content-type': 'text/html; charset=utf-8' }, ''],
    [401, { 'www-authenticate': 'Basic realm="Fake Realm"' }, ''],
    [402, { 'x-more-info': 'http://vimeo.com/22053820', 'content-length': '17' }, 'Fuck you, pay me!'],
    [
      406,
      { 'content-type': 'application/json', 'content-length': '142' },
      expect.stringContaining('"accept": ["image/webp"'),
    ],
    [
      418,
      { 'x-more-info': 'http://tools.ietf.org/html/rfc2324', 'content-length': '135' },
      expect.stringContaining('-=[ teapot ]=-'),
    ],
    [599, { 'content-length': '0' }, ''],
  ])('%i', async ([code, headers, body], { echo }) => {
    const answer = await fetch(`${echo.url}/status/${code}`, { redirect: 'manual' })
    expect({ status: answer.status, body: await answer.text() }).toEqual({ status: code, body })
    expect(Object.fromEntries(answer.headers)).toMatchObject(headers)
  })

  test('picks one of several by weight', async ({ echo }) => {
    for (let round = 0; round < 10; round++) {
      expect([200, 404]).toContain((await fetch(`${echo.url}/status/200,404`)).status)
      expect((await fetch(`${echo.url}/status/200:0.0,500:3`)).status).toBe(500)
    }
  })
})

test('status 407 has a challenge for proxies', async ({ echo }) => {
  await echo.request.get('/status/407').expect(407).expect('proxy-authenticate', 'Basic realm="Fake Realm"')
})

describe('retry routes', () => {
  test('flaky fails as often as asked, then succeeds, until it is reset', async () => {
    await using server = await startServer()
    const url = `${server.url}/flaky/job-1?fail=2&status=502`
    const run = async (): Promise<number[]> => [
      (await fetch(url)).status,
      (await fetch(url, { method: 'POST' })).status,
      (await fetch(url)).status,
      (await fetch(url)).status,
    ]
    expect(await run()).toEqual([502, 502, 200, 200])
    expect(await (await fetch(url)).json()).toEqual({ attempt: 5, key: 'job-1', remaining: 0, status: 200 })
    expect((await fetch(`${server.url}/flaky/job-2`)).status).toBe(503)
    expect(await (await fetch(url, { method: 'DELETE' })).json()).toEqual({ key: 'job-1', requests: 5 })
    expect(await run()).toEqual([502, 502, 200, 200])
  })

  test('sequence gives its statuses in turn and stays at the last', async () => {
    await using server = await startServer()
    const url = `${server.url}/sequence/a?statuses=500,429,204,200`
    const statuses: number[] = []
    for (let round = 0; round < 6; round++) statuses.push((await fetch(url)).status)
    expect(statuses).toEqual([500, 429, 204, 200, 200, 200])
    expect((await fetch(`${server.url}/sequence/a`)).status).toBe(400)
    expect((await fetch(`${server.url}/sequence/a?statuses=500,99`)).status).toBe(400)
  })

  test('the key that was used the longest ago is forgotten after 10,000 others', async () => {
    const router: EchoRouter = new Router()
    addStatusRoutes(router)
    const answer = router.routes()
    const ask = async (method: string, key: number): Promise<unknown> => {
      const ctx = { method, path: `/flaky/${key}`, originalUrl: `/flaky/${key}`, request: {} } as EchoContext
      await answer(ctx, () => Promise.resolve())
      return ctx.body
    }
    for (let key = 0; key < 10_000; key++) await ask('GET', key)
    for (const key of [0, 10_000]) await ask('GET', key)
    expect(await ask('DELETE', 0)).toMatchObject({ requests: 2 })
    expect(await ask('DELETE', 1)).toMatchObject({ requests: 0 })
    expect(await ask('DELETE', 2)).toMatchObject({ requests: 1 })
  })

  test('servers share nothing', async () => {
    await using one = await startServer()
    await using other = await startServer()
    expect([
      await status(`${one.url}/flaky/a`),
      await status(`${other.url}/flaky/a`),
      await status(`${one.url}/flaky/a`),
    ]).toEqual([503, 503, 200])
  })
})

test('/unstable and /problem fail as asked', async ({ echo }) => {
  await echo.request.get('/unstable?failure_rate=1').expect(500)
  await echo.request.get('/unstable?failure_rate=0').expect(200)
  await echo.request.get('/problem').expect(400).expect('content-type', 'application/problem+json')
})

async function status(url: string): Promise<number> {
  return (await fetch(url)).status
}
