// Compares the speed of the echo server with plain Koa and a router that does the same work, interleaved in one run.
import { deepStrictEqual } from 'node:assert'
import { once } from 'node:events'
import { connect } from 'node:net'
import { request } from 'undici'
import { median } from './measure.ts'
import { startServerProcess, type ServerProcess } from './server-process.ts'

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
const head =
  'HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench/1\r\nAccept: */*\r\nAccept-Encoding: gzip, deflate, br\r\nConnection: keep-alive\r\n'
const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
const workloads = {
  'GET /get?a=1': `GET /get?a=1 ${head}\r\n`,
  [`POST /post, ${body.length} bytes`]: `POST /post ${head}${type}\r\n${body}`,
}

/** The cost of answering `COUNT` requests: time in ms, and processor time in µs. */
type Cost = { wall: number; processor: number }

await using plain = await startServerProcess('koa + router')
await using own = await startServerProcess('suitecase')
// Makes sure that neither server gains from doing less work.
deepStrictEqual(await askOnce(own), await askOnce(plain))
for (const [workload, bytes] of Object.entries(workloads)) {
  const rounds: { plain: Cost; own: Cost }[] = []
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const costs = { plain: await measureRequests(plain, bytes), own: await measureRequests(own, bytes) }
    if (round >= 0) rounds.push(costs)
  }
  console.log(`\n${workload}`)
  for (const [name, who] of [['koa + router', 'plain'] as const, ['suitecase', 'own'] as const]) {
    const perSecond = (COUNT / median(rounds.map((each) => each[who].wall))) * 1000
    const micros = median(rounds.map((each) => each[who].processor)) / COUNT
    console.log(
      `  ${name.padEnd(14)} ${perSecond.toFixed(0).padStart(6)} requests/s  ${micros.toFixed(1).padStart(6)} µs of processor time each`,
    )
  }
  // Compared within a round: other load on the machine slows both.
  const wall = median(rounds.map((each) => each.plain.wall / each.own.wall))
  const processor = median(rounds.map((each) => each.plain.processor / each.own.processor))
  console.log(`  speed of suitecase: ${wall.toFixed(2)}× (processor ${processor.toFixed(2)}×), target ≥ 1×`)
}

async function measureRequests({ port, processorTime }: ServerProcess, bytes: string): Promise<Cost> {
  const before = await processorTime()
  const started = performance.now()
  await sendRequests(port, bytes)
  const wall = performance.now() - started
  return { wall, processor: (await processorTime()) - before }
}

/** What a server answers to a request that has a little of everything. */
async function askOnce({ port }: ServerProcess): Promise<object> {
  const {
    statusCode,
    headers,
    body: answer,
  } = await request(`http://127.0.0.1:${port}/post?a=1&a=2&b`, {
    method: 'POST',
    headers: { host: 'echo.test' },
    body: '{"é": ["\\u007f", 1], "a": {"c": 1, "b": 2}}',
  })
  return { statusCode, headers: { ...headers, date: '', 'keep-alive': '' }, body: await answer.text() }
}

/** Sends a request repeatedly on keep-alive connections, one at a time on each. Resolves at the end. */
async function sendRequests(port: number, bytes: string): Promise<void> {
  let left = COUNT
  const sendInTurn = async (): Promise<void> => {
    const socket = connect(port, '127.0.0.1').setNoDelay()
    // All responses to one request have the same length.
    let expected = 0
    let received = 0
    socket.on('data', (chunk) => {
      expected ||= answerLength(chunk)
      received += chunk.length
      if (received < expected) return
      received = 0
      if (--left >= CONNECTIONS - 1) socket.write(bytes)
      else socket.end()
    })
    socket.write(bytes)
    await once(socket, 'close')
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, sendInTurn))
}

function answerLength(chunk: Buffer): number {
  const end = chunk.indexOf('\r\n\r\n')
  const length = /content-length: (\d+)/i.exec(chunk.toString('latin1', 0, end))?.[1]
  return end + 4 + Number(length)
}
