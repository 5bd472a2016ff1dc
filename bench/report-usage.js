// Loaded into measured processes. When the main process exits, this writes what it has used.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const file = process.env['BENCH_USAGE']
// Child processes must not write their own file.
delete process.env['BENCH_USAGE']
if (file !== undefined && isMainThread) process.on('exit', () => writeUsage(file))

/** @param {string} path */
function writeUsage(path) {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  const processor = (userCPUTime + systemCPUTime) / 1e6 + readChildTime()
  writeFileSync(path, JSON.stringify({ processor, memory: maxRSS / 1024, descriptors: countOpen() }))
}

/** Seconds used by ended child processes: fields 16 and 17 of proc(5)'s stat, in hundredths. Zero outside Linux. */
function readChildTime() {
  if (process.platform !== 'linux') return 0
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}

/** How many files and sockets are open. Zero outside Linux. */
function countOpen() {
  return process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0
}
