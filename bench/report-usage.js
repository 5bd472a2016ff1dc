// Loaded into measured processes: writes what the main process has used when it exits.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const file = process.env['BENCH_USAGE']
// Child processes do not write a file of their own.
delete process.env['BENCH_USAGE']
if (file !== undefined && isMainThread) process.on('exit', () => writeUsage(file))

/** @param {string} path */
function writeUsage(path) {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  const processor = (userCPUTime + systemCPUTime) / 1e6 + readChildTime()
  writeFileSync(path, JSON.stringify({ processor, memory: maxRSS / 1024, descriptors: countOpen() }))
}

/** Seconds that ended child processes have used: fields 16 and 17 of proc(5)'s stat, in hundredths. Unknown, and left out, elsewhere than on Linux. */
function readChildTime() {
  if (process.platform !== 'linux') return 0
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}

/** Files and sockets that are open. Unknown, and none, elsewhere than on Linux. */
function countOpen() {
  return process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0
}
