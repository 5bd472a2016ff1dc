/** The program of the thread that talks to an expression process while the thread that asks is blocked. */
import { fork } from 'node:child_process'
import { workerData, type MessagePort } from 'node:worker_threads'
import type { Answer, ProcessOptions, Request } from './guest.ts'

/** Data for the thread: `signal` is set to 1 when an answer is ready in `port`. */
export type BridgeData = { port: MessagePort; signal: Int32Array; program: string; options: ProcessOptions }

/** The only environment variables passed on: they decide how times, numbers and texts are written. */
const passedOn = ['TZ', 'LANG', 'LC_ALL', 'LC_TIME', 'SystemRoot', 'NODE_ICU_DATA']
// Yarn needs this to find packages that it keeps in archives.
if (process.env['NODE_OPTIONS']?.includes('.pnp.')) passedOn.push('NODE_OPTIONS')

/** Heap of the process in MB if the sandbox has a memory limit of its own. */
const processMemory = 512

const { port, signal, program, options } = workerData as BridgeData
// The system may refuse to start a process, for lack of memory for example. Errors of `child` end here too.
process.once('uncaughtException', ({ message }) => end(message))
let sent = performance.now()
const heap = options.sandbox === 'vm' ? options.memory : processMemory
const child = fork(new URL(program), [JSON.stringify(options)], {
  serialization: 'advanced',
  execArgv: [`--max-old-space-size=${heap}`],
  // Node omits those that are undefined.
  env: Object.fromEntries(passedOn.map((name) => [name, process.env[name]])),
  stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
})

function tell(answer: Answer): void {
  port.postMessage(answer)
  Atomics.store(signal, 0, 1)
  Atomics.notify(signal, 0)
}

function end(reason: string): void {
  tell({ kind: 'ended', elapsed: performance.now() - sent, reason })
  process.exit()
}

port.on('message', (request: Request | 'end') => {
  sent = performance.now()
  if (request === 'end') child.kill('SIGKILL')
  // If the write fails, the process has ended, and `exit` reports that.
  else child.send(request, () => {})
})
child.on('message', (answer) => tell(answer as Answer))
child.on('exit', (code, killedBy) => end(killedBy ?? `exit code ${code}`))
