import { afterEach, expect, test, vi } from 'vitest'
import { createCookieJar } from './cookies.ts'

afterEach(() => vi.useRealTimers())

test('the age of a cookie counts from its answer, not from its last use', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 })
  const jar = createCookieJar()
  const url = 'http://a.example/'
  const sendAt = async (seconds: number): Promise<unknown> => {
    vi.setSystemTime(seconds * 1000)
    return (await jar.addTo({ method: 'GET', url, headers: [] })).headers[0]?.[1]
  }
  const lines = [
    'old=1; Max-Age=60; Expires=Thu, 01 Jan 1970 01:00:00 GMT',
    'far=2; Max-Age=99999999999999',
    'out=3; Max-Age=0',
  ]
  expect(await jar.store(url, lines)).toEqual([])
  expect(await sendAt(50)).toBe('old=1; far=2')
  expect(await sendAt(70)).toBe('far=2')
})
