// Speed of the echo server against plain Koa with a router that does the same work, interleaved in one run.
import { median } from './measure.ts'
import { CANDIDATES, type Candidate } from './server-candidates.ts'
import { sendRequests } from './server-load.ts'
import { startServerProcess } from './server-process.ts'

const ROUNDS = 9
const LOAD = { count: 8000, connections: 16 }

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

const running = new Map(
  await Promise.all(
    CANDIDATES.map(async (candidate) => [candidate, await startServerProcess(candidate)] as const),
  ),
)
for (const [workload, bytes] of Object.entries(workloads)) {
  const times = new Map(
    CANDIDATES.map((candidate) => [candidate, { wall: [] as number[], processor: [] as number[] }]),
  )
  for (let round = -2; round < ROUNDS; round++) {
    for (const [candidate, { port, processorTime }] of running) {
      const before = await processorTime()
      const started = performance.now()
      await sendRequests(port, bytes, LOAD)
      const wall = performance.now() - started
      const processor = (await processorTime()) - before
      // The first rounds only warm up.
      if (round < 0) continue
      times.get(candidate)?.wall.push(wall)
      times.get(candidate)?.processor.push(processor)
    }
  }
  const wall = (candidate: Candidate): number => median(times.get(candidate)?.wall ?? [])
  const processor = (candidate: Candidate): number => median(times.get(candidate)?.processor ?? [])
  console.log(`\n${workload}`)
  for (const candidate of CANDIDATES) {
    const perSecond = Math.round((LOAD.count / wall(candidate)) * 1000)
    const micros = (processor(candidate) / LOAD.count).toFixed(1)
    console.log(
      `  ${candidate.padEnd(14)} ${String(perSecond).padStart(6)} requests/s  ${micros.padStart(6)} µs of processor time each`,
    )
  }
  const ratio = wall('koa + router') / wall('suitecase')
  const processorRatio = processor('koa + router') / processor('suitecase')
  console.log(
    `  speed of suitecase: ${ratio.toFixed(2)}× (processor ${processorRatio.toFixed(2)}×), target ≥ 1×`,
  )
}
for (const { stop } of running.values()) stop()
