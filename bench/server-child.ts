import { startCandidate, type Candidate } from './server-candidates.ts'

// A candidate in a process of its own: prints its port, then for every line of input the processor time used so far in µs.
const port = await startCandidate(process.argv[2] as Candidate)
process.stdout.write(`${port}\n`)
process.stdin.on('data', () => {
  const { user, system } = process.cpuUsage()
  process.stdout.write(`${user + system}\n`)
})
process.stdin.on('end', () => process.exit())
