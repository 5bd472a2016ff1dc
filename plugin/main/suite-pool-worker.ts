import { EventEmitter, once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { PoolOptions, PoolWorker, WorkerRequest } from 'vitest/node'
import { noteDeath } from './report/fail-crashed-tests.ts'
import { launchThread } from './suite-thread.ts'
import { packSuite, type PackTools } from './suites/pack-suite.ts'
import { findCache } from './suites/plan-cache.ts'

/** Name of the pool in Vitest's configuration. */
export const POOL = 'suitecase'

type RunRequest = WorkerRequest & { type: 'run' }

/** The one worker of suites in Vitest's pool. If its thread dies or is blocked, a new one runs what is left. */
export class SuitePoolWorker extends EventEmitter implements PoolWorker {
  readonly name = POOL
  #options: PoolOptions
  #tools: PackTools
  #thread: Worker | undefined
  /** Counted up by the thread every 100 ms, as long as its event loop is not blocked. */
  #beats = new Int32Array(new SharedArrayBuffer(4))
  #start: WorkerRequest | undefined
  #run: RunRequest | undefined
  /** Files that were running when a thread of the run ended. */
  #dead: string[] = []
  #isStopping = false
  /** True once the run is cancelled, which a new thread would not hear of. */
  #isCancelled = false
  #watchdog: NodeJS.Timeout | undefined
  #blockedFor: string | undefined

  constructor(options: PoolOptions, tools: PackTools) {
    super()
    this.#options = options
    this.#tools = tools
  }

  deserialize(data: unknown): unknown {
    return data
  }

  async start(): Promise<void> {
    // Before the suites run, Vitest's own message about this would reach nobody in the thread.
    this.#options.project.vitest.onCancel((reason) => {
      this.#isCancelled = true
      this.#thread?.postMessage({ suitecase: { kind: 'stop', reason } })
    })
    this.#spawn()
    this.#tools.files.loadAhead()
  }

  send(message: WorkerRequest): void {
    if (message.type === 'start') this.#start = message
    if (message.type === 'run') {
      this.#run = message
      this.#dead = []
      this.#watch()
    }
    if (message.type === 'run' || message.type === 'collect')
      this.#sendSuites(message.context.files.map(({ filepath }) => filepath))
    if (message.type === 'stop') this.#isStopping = true
    if (this.#thread) this.#thread.postMessage(message)
    // A thread that is gone has nothing left to stop.
    else if (message.type === 'stop') this.#answer('stopped')
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#watchdog)
    const thread = this.#thread
    this.#thread = undefined
    if (!thread) return
    // Output on its way must still reach the terminal.
    const flushed = [thread.stdout, thread.stderr].map((stream) => once(stream, 'close'))
    await thread.terminate()
    await Promise.all(flushed)
  }

  #spawn(): void {
    const { logger } = this.#options.project.vitest
    const { thread, beats } = launchThread(this.#options, findCache(this.#tools.files.root))
    this.#beats = beats
    this.#thread = thread
    thread.stdout.on('data', (chunk: Buffer) => logger.outputStream.write(chunk))
    thread.stderr.on('data', (chunk: Buffer) => logger.errorStream.write(chunk))
    let failure: Error | undefined
    // An application can post anything here. Only null and undefined would break Vitest.
    thread.on('message', (message: unknown) => message && this.emit('message', message))
    thread.on('error', (error: Error) => void (failure = error))
    thread.on('exit', (code) => {
      if (thread === this.#thread && !this.#isStopping) this.#replace(failure, code)
    })
  }

  /** Sends each suite as soon as it is loaded, followed by the suites that it names. */
  #sendSuites(paths: readonly string[]): void {
    const run = new Set(paths)
    const sent = new Set<string>()
    const thread = this.#thread
    const send = async (path: string): Promise<void> => {
      if (sent.has(path)) return
      sent.add(path)
      const parcel = await packSuite(path, run, this.#tools)
      thread?.postMessage({ suitecase: { kind: 'suite', parcel } })
      if ('needs' in parcel) await Promise.all(Array.from(parcel.needs.values(), send))
    }
    const sendAll = async (): Promise<void> => {
      for (const path of paths) {
        await send(path)
        // Lets requests from the worker through.
        await setImmediate()
      }
    }
    sendAll().catch((error: unknown) => this.emit('error', error))
  }

  /** A file of the run, as far as Vitest knows it. */
  #find(path: string) {
    const { name, vitest } = this.#options.project
    return vitest.state.getFiles([path]).find(({ projectName }) => projectName === name)
  }

  /** True for a file whose tests or failure Vitest knows. */
  #hasStarted(path: string): boolean {
    const { tasks = [], result } = this.#find(path) ?? {}
    return tasks.length > 0 || result !== undefined
  }

  /** True for a file that has started and not reported its end. */
  #isOpen(path: string): boolean {
    const { state = 'run' } = this.#find(path)?.result ?? {}
    return state === 'run' && this.#hasStarted(path)
  }

  /** Ends a thread whose event loop is blocked, unless a debugger is on: it may stand at a breakpoint. */
  #watch(): void {
    clearInterval(this.#watchdog)
    const { inspector } = this.#options.project.vitest.config
    const { blocked } = this.#tools.options.limits
    const debugging = process.getBuiltinModule('node:inspector')
    let [beats, since] = [Atomics.load(this.#beats, 0), performance.now()]
    this.#watchdog = setInterval(() => {
      const now = Atomics.load(this.#beats, 0)
      if (now !== beats || inspector.enabled || debugging?.url() !== undefined)
        [beats, since] = [now, performance.now()]
      else if (performance.now() - since > blocked) {
        this.#blockedFor = `its thread was blocked for ${blocked} ms (option \`limits.blocked\`): something in it, such as the application, ran without a pause`
        clearInterval(this.#watchdog)
        void this.#thread?.terminate()
      }
    }, 250).unref()
  }

  #answer(type: 'stopped' | 'testfileFinished'): void {
    this.emit('message', { __vitest_worker_response__: true, type })
  }

  #replace(failure: Error | undefined, code: number): void {
    const run = this.#run
    const files = run?.context.files ?? []
    const rest = files.filter(({ filepath }) => !this.#isCancelled && !this.#hasStarted(filepath))
    const reason = this.#blockedFor ?? describeEnd(failure, code)
    this.#blockedFor = undefined
    // A new thread would end in the same way, again and again.
    if (!run || !this.#start || rest.length === files.length) {
      this.#thread = undefined
      const told = `The worker of the suites ended before it ran any, because ${reason}. If you set the option \`extend\`, check its module.`
      this.emit('error', new Error(told))
      return
    }
    const open = files.map(({ filepath }) => filepath).filter((path) => this.#isOpen(path))
    noteDeath(this.#options.project.vitest, { reason, files: open })
    this.#dead.push(...open)
    if (rest.length === 0) {
      this.#thread = undefined
      this.#answer('testfileFinished')
      return
    }
    this.#spawn()
    const thread = this.#thread as unknown as Worker
    thread.postMessage(this.#start)
    const next: RunRequest = { ...run, context: { ...run.context, files: rest } }
    this.#run = next
    // The answer to `start`. Vitest's pool has had one before and will not send the run again.
    thread.prependOnceListener('message', () => {
      this.#sendSuites(rest.map(({ filepath }) => filepath))
      thread.postMessage({ suitecase: { kind: 'dead', paths: this.#dead } })
      thread.postMessage(next)
      this.#watch()
    })
  }
}

function describeEnd(failure: Error | undefined, code: number): string {
  if (!failure)
    return `its thread ended with exit code ${code}: something in it called \`process.exit\` or closed \`parentPort\``
  const { code: name } = failure as NodeJS.ErrnoException
  if (name === 'ERR_WORKER_OUT_OF_MEMORY') return 'its thread ran out of memory'
  return `its thread ended with an error: ${failure.message}`
}
