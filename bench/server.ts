// Compares the processor time of the echo server with that of plain Koa and a router that does the same work, interleaved in one run.
import { deepStrictEqual } from 'node:assert'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Pool, request, type Dispatcher } from 'undici'
import { median } from './measure.ts'

type RequestOptions = Dispatcher.RequestOptions

const WARM_UP = 8
const ROUNDS = 35
const COUNT = 2000
const CONNECTIONS = 16

const body = JSON.stringify({
  event: { type: 'user.created', timestamp: '2026-01-01T00:00:00.000Z', attempt: 1 },
  users: Array.from({ length: 8 }, (_, id) => ({
    name: `User number ${id}`,
    id,
    email: `user${id}@example.org`,
    active: id % 2 === 0,
    tags: ['a', 'b'],
  })),
  note: 'x'.repeat(130),
})
const headers = { 'user-agent': 'bench/1', accept: '*/*', 'accept-encoding': 'gzip, deflate, br' }
const workloads: Record<string, RequestOptions> = {
  'GET /get?a=1': { method: 'GET', path: '/get?a=1', headers },
  [`POST /post, ${body.length} bytes`]: {
    method: 'POST',
    path: '/post',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  },
}

using plain = await startChild('koa + router')
using own = await startChild('suitecase')
// Makes sure that neither server gains from doing less work.
deepStrictEqual(await askOnce(own), await askOnce(plain))
for (const [workload, options] of Object.entries(workloads)) {
  const rounds: { plain: number; own: number }[] = []
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const costs = { plain: await measureRequests(plain, options), own: await measureRequests(own, options) }
    if (round >= 0) rounds.push(costs)
  }
  const show = (who: 'plain' | 'own'): string => median(rounds.map((each) => each[who])).toFixed(1)
  // Compared within a round: other load on the machine slows both.
  const speed = median(rounds.map((each) => each.plain / each.own)).toFixed(2)
  console.log(
    `${workload}: koa + router ${show('plain')} µs, suitecase ${show('own')} µs: ${speed}×, target ≥ 1×`,
  )
}

/** Starts a server in its own process, which ends when it is disposed of. `readTime`: the processor time it has used so far, in µs. */
async function startChild(candidate: 'suitecase' | 'koa + router') {
  const child = fork(new URL('server-child.ts', import.meta.url), [candidate])
  const receive = async (): Promise<number> => Number((await once(child, 'message'))[0])
  const readTime = (): Promise<number> => {
    child.send('time')
    return receive()
  }
  return { port: await receive(), readTime, [Symbol.dispose]: () => child.disconnect() }
}

type Child = Awaited<ReturnType<typeof startChild>>

/** Sends a request repeatedly on keep-alive connections, one at a time on each. Resolves to the processor time of one, in µs. */
async function measureRequests({ port, readTime }: Child, options: RequestOptions): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS, pipelining: 1 })
  const sendInTurn = async (): Promise<void> => {
    for (let sent = 0; sent < COUNT / CONNECTIONS; sent++) await (await pool.request(options)).body.dump()
  }
  const before = await readTime()
  await Promise.all(Array.from({ length: CONNECTIONS }, sendInTurn))
  const cost = (await readTime()) - before
  await pool.close()
  return cost / COUNT
}

/** What a server answers to a request that has a little of everything. */
async function askOnce({ port }: Child): Promise<object> {
  const answer = await request(`http://127.0.0.1:${port}/post?a=1&a=2&b`, {
    method: 'POST',
    headers: { host: 'echo.test' },
    body: '{"é": ["\\u007f", 1], "a": {"c": 1, "b": 2}}',
  })
  const compared = { ...answer.headers, date: '', 'keep-alive': '' }
  return { statusCode: answer.statusCode, headers: compared, body: await answer.body.text() }
}
