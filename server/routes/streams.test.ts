import { describe, expect, test } from '../fixture.ts'

describe('bytes and streams', () => {
  test('the same seed gives the same bytes', async ({ echo }) => {
    const get = async (path: string): Promise<Buffer> =>
      Buffer.from(await (await fetch(echo.url + path)).arrayBuffer())
    expect(await get('/bytes/1000?seed=7')).toEqual(await get('/stream-bytes/1000?seed=7&chunk_size=10'))
    expect(await get('/bytes/1000')).toHaveLength(1000)
    expect(await get('/bytes/1000')).not.toEqual(await get('/bytes/1000'))
  })

  test.for([
    '/bytes/102401',
    '/bytes/-1',
    '/stream/101',
    '/range/0',
    '/links/0',
    '/drip?duration=11',
    '/drip?numbytes=0',
    '/sse?count=0',
    '/redirect/0',
    '/base64/%21',
    '/unstable?failure_rate=2',
    '/drip?code=100',
  ])('%s is out of range', async (path, { echo }) => {
    await echo.request.get(path).redirects(0).expect(400)
  })

  test.for<[range: string, status: number, contentRange: string | undefined, body: string]>([
    ['bytes=1-3', 206, 'bytes 1-3/30', 'bcd'],
    ['bytes=25-', 206, 'bytes 25-29/30', 'zabcd'],
    ['bytes=-2', 206, 'bytes 28-29/30', 'cd'],
    ['bytes=5-100', 206, 'bytes 5-29/30', 'fghijklmnopqrstuvwxyzabcd'],
    ['bytes=30-', 416, 'bytes */30', '{"error": '],
    ['bytes=3-1', 200, undefined, 'abcdefghijklmnopqrstuvwxyzabcd'],
    ['lines=1-2', 200, undefined, 'abcdefghijklmnopqrstuvwxyzabcd'],
  ])('/range with %s', async ([range, status, contentRange, body], { echo }) => {
    const answer = await fetch(`${echo.url}/range/30`, { headers: { range } })
    const text = (await answer.text()).replace('{\n  ', '{')
    expect([
      answer.status,
      answer.headers.get('content-range') ?? undefined,
      text.slice(0, body.length),
    ]).toEqual([status, contentRange, body])
  })

  test('/stream gives lines of JSON', async ({ echo }) => {
    const text = await (await fetch(`${echo.url}/stream/3?a=1%0A2`)).text()
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ id, args }) => [id, args])).toEqual([0, 1, 2].map((id) => [id, { a: '1\n2' }]))
  })

  test('/drip and /sse spread their parts over the time asked for', async ({ echo }) => {
    const started = performance.now()
    const drip = await fetch(`${echo.url}/drip?numbytes=20&duration=0.2&delay=0.1&code=201`)
    expect([drip.status, drip.headers.get('content-length'), await drip.text()]).toEqual([
      201,
      '20',
      '*'.repeat(20),
    ])
    expect(performance.now() - started).toBeGreaterThan(250)
    const events = await (await fetch(`${echo.url}/sse?count=3&duration=0.1`)).text()
    expect(events.match(/^event: ping\nid: \d\ndata: \{"id":\d,"timestamp":\d+\}$/gm)).toHaveLength(3)
  })

  test('/trailers sends trailers', async ({ echo }) => {
    const { get } = await import('node:http')
    const trailers = await new Promise((resolve) => {
      get(`${echo.url}/trailers?X-A=1&X-B=2`, (response) => {
        response.resume().on('end', () => resolve(response.trailers))
      })
    })
    expect(trailers).toEqual({ 'x-a': '1', 'x-b': '2' })
    await echo.request.get('/trailers?Content-Length=1').expect(400)
  })
})
