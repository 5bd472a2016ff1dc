import { extname } from 'node:path'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { EngineError } from '../errors.ts'
import type { BridgeData } from './process-bridge.ts'
import type { Json } from '../../json.ts'
import type { Answer, ProcessOptions, Request } from './guest.ts'
import { writeData, type Sandbox } from './session.ts'

/** Milliseconds for the process to start or load data, on top of the limit of the expression itself. */
const longestStart = 20_000

/** A process that holds more characters of data than this is replaced before the next run. */
const mostHeld = 16_000_000
/** What each value takes in addition to its characters. */
const sizeOfEntry = 200

// The programs are beside this file. In the built package, this code is in a folder beside `src`.
const folder = extname(import.meta.url) === '.ts' ? '.' : '../src/interpolation/sandbox'
const findProgram = (name: string): URL =>
  new URL(`${folder}/${name}${extname(import.meta.url)}`, import.meta.url)

/** Starts a sandbox in its own process, which ends at the limits whatever it is doing. Calls block this thread until there is an answer. */
export function startProcess(options: ProcessOptions): Sandbox {
  const { port1: port, port2 } = new MessageChannel()
  const signal = new Int32Array(new SharedArrayBuffer(4))
  const program = findProgram('expression-process').href
  const workerData: BridgeData = { port: port2, signal, program, options }
  const bridge = findProgram('process-bridge')
  // If the thread cannot start, no answer comes, and `evaluate` reports that.
  new Worker(bridge, { workerData, transferList: [port2], execArgv: [] }).on('error', () => {}).unref()
  const take = (): Answer | undefined => receiveMessageOnPort(port)?.message as Answer | undefined
  /** The numbers of the values that the process holds; arrays and objects by identity. */
  const held = new Map<Json, number>()
  let size = 0
  let loads: string[] = []
  return {
    isFull: () => size > mostHeld,
    global: (name) => name,
    copy(data) {
      const known = held.get(data)
      if (known !== undefined) return known
      const text = writeData(data)
      loads.push(text)
      size += text.length + sizeOfEntry
      held.set(data, held.size)
      return held.size - 1
    },
    evaluate(source, passed) {
      Atomics.store(signal, 0, 0)
      // A message is here already: the process ended after the last call, so `elapsed` means nothing.
      const told = take()
      if (told) throw describeEnd({ ...told, elapsed: 0 } as Answer, options)
      const given = passed as Request['passed']
      port.postMessage({ loads, program: source, passed: given, now: Date.now() } satisfies Request)
      loads = []
      Atomics.wait(signal, 0, 0, options.timeout + longestStart)
      const answer = take()
      if (answer?.kind === 'outcome') return answer.outcome
      throw describeEnd(answer, options)
    },
    end() {
      port.postMessage('end')
      port.close()
    },
  }
}

function describeEnd(answer: Answer | undefined, { timeout, memory }: ProcessOptions): EngineError {
  if (!answer || answer.kind === 'outcome')
    return new EngineError('crashed', 'The process that runs it does not respond')
  const outOfMemory = new EngineError('memory', `It needs more than ${memory} MB (option \`limits.memory\`)`)
  if (answer.kind === 'failed')
    return answer.code === 'memory' ? outOfMemory : new EngineError(answer.code, answer.message)
  const { elapsed, reason } = answer
  const isAborted = /^SIG(?:ABRT|TRAP|ILL|SEGV|BUS)$|^exit code 134$/u.test(reason)
  if (!isAborted && elapsed >= timeout)
    return new EngineError('timeout', `It ran longer than ${timeout} ms (option \`limits.expression\`)`)
  // The system kills processes that use up its memory.
  if (isAborted || reason === 'SIGKILL') return outOfMemory
  return new EngineError('crashed', `The process that runs it ended (${reason})`)
}
