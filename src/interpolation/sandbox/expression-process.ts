/** The program of the process that runs expensive expressions. It can be killed at any time. */
import { Worker } from 'node:worker_threads'
import { toEngineError } from '../errors.ts'
import { answerSandbox } from './host-functions.ts'
import type { Answer, Guest, ProcessOptions, Request } from './guest.ts'
import { createQuickjsGuest } from './quickjs-guest.ts'
import { createVmGuest } from './vm-guest.ts'

const { sandbox, timeout, memory } = JSON.parse(process.argv[2] as string) as ProcessOptions

// The process kills itself at the time limit, even if its parent is gone: nothing else stops a built-in
// function of V8. The cell holds the number of the current run, or 0 between runs.
const cell = new Int32Array(new SharedArrayBuffer(4))
const watchdog = `const { cell, timeout } = require('node:worker_threads').workerData
for (;;) {
  Atomics.wait(cell, 0, 0)
  const run = Atomics.load(cell, 0)
  if (run !== 0 && Atomics.wait(cell, 0, run, timeout) === 'timed-out') process.kill(process.pid, 'SIGKILL')
}`
new Worker(watchdog, { eval: true, workerData: { cell, timeout } }).unref()

// The time is the requester's, which may have its own clock; it stands still while an expression runs.
let now = 0
const answer: typeof answerSandbox = (name, ...passed) =>
  name === 'now' ? `=${now}` : answerSandbox(name, ...passed)
const starting =
  sandbox === 'vm' ? Promise.resolve(createVmGuest(answer)) : createQuickjsGuest(answer, memory)
const loaded: unknown[] = []
let runs = 0

process.on('message', async (request: Request) => process.send?.(evaluate(await starting, request)))
process.on('disconnect', () => process.exit())

function evaluate(guest: Guest, { loads, program, passed, now: told }: Request): Answer {
  try {
    for (const text of loads) loaded.push(guest.load(text))
    const values = passed.map((one) => (typeof one === 'string' ? guest.global(one) : loaded[one]))
    now = told
    setRun((runs += 1))
    return { kind: 'outcome', outcome: guest.evaluate(program, values) }
  } catch (error) {
    const { code, message } = toEngineError(error)
    return { kind: 'failed', code, message }
  } finally {
    setRun(0)
  }
}

function setRun(run: number): void {
  Atomics.store(cell, 0, run)
  Atomics.notify(cell, 0)
}
