// Memory of the echo server over 200,000 requests of all kinds, one in ten aborted. Prints the resident size on the way.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { sendRequests } from './server-load.ts'

const ROUNDS = 20
const HOST = 'Host: 127.0.0.1\r\n'
const json = JSON.stringify({ b: [1, 2.5, 'x'.repeat(800)], a: { deep: null } })
const complete = [
  `GET /get?a=1 HTTP/1.1\r\n${HOST}\r\n`,
  `POST /post HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`,
  `GET /status/503 HTTP/1.1\r\n${HOST}\r\n`,
  `GET /nothing/here HTTP/1.1\r\n${HOST}\r\n`,
  `POST /flaky/key?fail=1000000&status=500 HTTP/1.1\r\n${HOST}Content-Length: 0\r\n\r\n`,
].map((text) => Buffer.from(text))
const aborted = [
  `GET /delay/10 HTTP/1.1\r\n${HOST}\r\n`,
  `POST /post HTTP/1.1\r\n${HOST}Content-Length: 100000\r\n\r\n${'x'.repeat(1000)}`,
  `GET /drip?duration=10&numbytes=1000 HTTP/1.1\r\n${HOST}\r\n`,
  'nonsense\r\n\r\n',
]

async function abort(port: number, bytes: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => socket.destroy())
  socket.write(bytes)
  setTimeout(() => socket.destroy(), 5)
  await once(socket, 'close')
}

async function abortMany(port: number, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 50) {
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => abort(port, aborted[index % aborted.length] ?? '')),
    )
  }
}

const child = new URL('server-child.ts', import.meta.url).pathname
const server = spawn(process.execPath, ['--expose-gc', child, 'suitecase', 'small'], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
const read = async (): Promise<number> => Number(String((await once(server.stdout, 'data'))[0]))
const port = await read()
const memory = async (): Promise<number> => {
  server.stdin.write('memory\n')
  return (await read()) / 1e6
}

const sizes: number[] = []
for (let round = 1; round <= ROUNDS; round++) {
  for (const bytes of complete)
    await sendRequests(port, bytes, { count: 9000 / complete.length, connections: 8 })
  await abortMany(port, 1000)
  sizes.push(await memory())
  if (round % 2 === 0)
    console.log(`${String(round * 10_000).padStart(6)} requests: ${sizes.at(-1)?.toFixed(1)} MB`)
}
// The first tenth warms up.
const settled = sizes.slice(2)
console.log(
  `from ${Math.min(...settled).toFixed(1)} to ${Math.max(...settled).toFixed(1)} MB; target: within 40 MB`,
)
server.kill()
