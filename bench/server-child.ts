import { keepMemorySmall } from '../server/serve.ts'
import { isCandidate, startCandidate } from './server-candidates.ts'

// A candidate in a process of its own: prints its port, then for every line of input what it asks for: the processor time
// used so far in µs, or the memory in use in bytes (with --expose-gc after a collection).
const candidate = process.argv[2] ?? ''
if (!isCandidate(candidate)) throw new TypeError(`no such candidate: ${candidate}`)
// As `suitecase serve` does.
if (process.argv[3] === 'small') keepMemorySmall()
const port = await startCandidate(candidate)
process.stdout.write(`${port}\n`)
process.stdin.on('data', (question) => {
  if (String(question).trim() === 'memory') {
    globalThis.gc?.()
    process.stdout.write(`${process.memoryUsage.rss()}\n`)
    return
  }
  const { user, system } = process.cpuUsage()
  process.stdout.write(`${user + system}\n`)
})
process.stdin.on('end', () => process.exit())
