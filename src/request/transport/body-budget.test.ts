import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createClient, type RequestClient } from '../send-request.ts'
import type { RequestSpec } from '../exchange.ts'
import type { SendOptions } from '../send-request.ts'
import { startHttpServer } from '../fixtures/http-server.ts'

/** What one suite sends, and what counts the memory of its answers. */
function share(client: RequestClient) {
  const hold = client.openHold()
  const send = (spec: RequestSpec, options?: SendOptions) => client.send(spec, { ...options, hold })
  return { hold, send }
}

test('above the budget a body waits until the suite that came first lets go of its own, and so does its time limit', async () => {
  const size = 5_000_000
  const server = await startHttpServer((_request, response) => void response.end('x'.repeat(size)))
  const budget = createClient({ bodyBudget: 100_000 })
  const [first, second] = [share(budget), share(budget)]
  const spec = { method: 'GET', url: `${server.url}/`, headers: [], timeout: 1500, maxRedirects: 0 }

  const early = await first.send(spec)
  let isDone = false
  const late = second.send(spec).finally(() => (isDone = true))
  await expect.poll(() => second.hold.readWaited(), { timeout: 10_000 }).toBeGreaterThan(1700)
  expect(isDone).toBe(false)
  // The suite whose turn it is may continue.
  expect((await first.send(spec)).response?.body).toHaveLength(size)
  first.hold.release()

  expect(early.response?.body).toHaveLength(size)
  expect((await late).response?.body).toHaveLength(size)
  expect((await late).timings.blocked).toBeGreaterThan(1700)
  second.hold.release()
  await budget.close()
  await server.close()
})

test('bodies that fill the budget to the last byte wait for nobody', async () => {
  const server = await startHttpServer((_request, response) => void response.end('x'.repeat(50_000)))
  const budget = createClient({ bodyBudget: 100_000 })
  const shares = [share(budget), share(budget)]
  const spec = { method: 'GET', url: `${server.url}/`, headers: [], timeout: 20_000, maxRedirects: 0 }
  for (const { send, hold } of shares) {
    expect((await send(spec)).response?.body).toHaveLength(50_000)
    expect(hold.readWaited()).toBe(0)
  }
  for (const { hold } of shares) hold.release()
  await budget.close()
  await server.close()
})

test('a body that waits can be aborted, and the others go on', async () => {
  const server = await startHttpServer((_request, response) => void response.end('x'.repeat(5_000_000)))
  const budget = createClient({ bodyBudget: 100_000 })
  const [first, second, third] = [share(budget), share(budget), share(budget)]
  const spec = { method: 'GET', url: `${server.url}/`, headers: [], timeout: 20_000, maxRedirects: 0 }
  const abort = new AbortController()

  await first.send(spec)
  const aborted = second.send(spec, { signal: abort.signal })
  await expect.poll(() => second.hold.readWaited()).toBeGreaterThan(0)
  const last = third.send(spec)
  abort.abort()
  expect((await aborted).failure?.code).toBe('ABORTED')
  second.hold.release()
  const waited = second.hold.readWaited()
  await setTimeout(50)
  expect(second.hold.readWaited()).toBe(waited)
  first.hold.release()

  expect((await last).response?.body).toHaveLength(5_000_000)
  await budget.close()
  await server.close()
})
