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
const agent =
  'Host: 127.0.0.1\r\nUser-Agent: bench/1\r\nAccept: */*\r\nAccept-Encoding: gzip, deflate, br\r\nConnection: keep-alive\r\n'
const workloads: Record<string, Buffer> = {
  'GET /get?a=1': Buffer.from(`GET /get?a=1 HTTP/1.1\r\n${agent}\r\n`),
  [`POST /post, ${body.length} bytes`]: Buffer.from(
    `POST /post HTTP/1.1\r\n${agent}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  ),
}

/** The cost of answering `COUNT` requests: time in ms, and processor time in µs. */
type Cost = { wall: number; processor: number }

const plain = await startServerProcess('koa + router')
const own = await startServerProcess('suitecase')
await checkAnswers()
for (const [workload, bytes] of Object.entries(workloads)) {
  const rounds: { plain: Cost; own: Cost }[] = []
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const costs = { plain: await measureRequests(plain, bytes), own: await measureRequests(own, bytes) }
    if (round >= 0) rounds.push(costs)
  }
  console.log(`\n${workload}`)
  for (const [name, who] of [['koa + router', 'plain'] as const, ['suitecase', 'own'] as const]) {
    const costs = rounds.map((each) => each[who])
    printCosts(name, costs)
  }
  // Compared within a round: other load on the machine slows both.
  const wall = median(rounds.map((each) => each.plain.wall / each.own.wall))
  const processor = median(rounds.map((each) => each.plain.processor / each.own.processor))
  console.log(`  speed of suitecase: ${wall.toFixed(2)}× (processor ${processor.toFixed(2)}×), target ≥ 1×`)
}
plain.stop()
own.stop()

function printCosts(name: string, costs: readonly Cost[]): void {
  const perSecond = Math.round((COUNT / median(costs.map(({ wall }) => wall))) * 1000)
  const micros = (median(costs.map(({ processor }) => processor)) / COUNT).toFixed(1)
  console.log(
    `  ${name.padEnd(14)} ${String(perSecond).padStart(6)} requests/s  ${micros.padStart(6)} µs of processor time each`,
  )
}

async function measureRequests({ port, processorTime }: ServerProcess, bytes: Buffer): Promise<Cost> {
  const before = await processorTime()
  const started = performance.now()
  await sendRequests(port, bytes)
  const wall = performance.now() - started
  return { wall, processor: (await processorTime()) - before }
}

/** Checks that both give the same answer, or the comparison would not be fair. */
async function checkAnswers(): Promise<void> {
  const answers = await Promise.all(
    [plain, own].map(async ({ port }) => {
      const init = {
        method: 'POST',
        headers: { host: 'echo.test' },
        body: '{"é": ["\\u007f", 1], "a": {"c": 1, "b": 2}}',
      }
      const { statusCode, headers, body } = await request(`http://127.0.0.1:${port}/post?a=1&a=2&b`, init)
      return { statusCode, headers: { ...headers, date: '', 'keep-alive': '' }, body: await body.text() }
    }),
  )
  deepStrictEqual(answers[0], answers[1])
}

/** Sends a request repeatedly on keep-alive connections, one at a time on each. Resolves at the end. */
async function sendRequests(port: number, bytes: Buffer): Promise<void> {
  let left = COUNT
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const socket = connect(port, '127.0.0.1').setNoDelay()
      await once(socket, 'connect')
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
    }),
  )
}

/** The length of each answer, read from the first: all answers to one request have the same length. */
function answerLength(chunk: Buffer): number {
  const head = chunk.indexOf('\r\n\r\n')
  const length = /content-length: (\d+)/i.exec(chunk.toString('latin1', 0, head))?.[1]
  return head + 4 + Number(length)
}
