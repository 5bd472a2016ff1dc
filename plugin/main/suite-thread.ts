import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { MessageChannel, Worker } from 'node:worker_threads'
import type { PoolOptions } from 'vitest/node'
import { resolvePath } from '../../src/resolve-path.ts'
import type { Launch, ThreadData } from '../contract/parcel.ts'

type Settings = Pick<PoolOptions, 'env' | 'execArgv'>

/** A thread that loads nothing before it is launched. `beats` is counted up as long as it is not blocked. */
type SuiteThread = {
  thread: Worker
  beats: Int32Array<SharedArrayBuffer>
  launch: (settings: Launch) => void
}

/** The thread that waits for Vitest's pool, with its settings as far as they only apply at its start. */
let early: (SuiteThread & { settings: object }) | undefined

/**
 * Starts the thread of a run on the command line while Vitest still reads its configuration. It has the Node options
 * that Vitest gives by default, and ends unused if others are configured.
 */
export function startEarly(): void {
  const [, program = '', command] = process.argv
  if (early || !/[\\/]vitest(?:\.mjs)?$/.test(program) || command === 'list') return
  const quiet = new URL('../suppress-warnings.cjs', import.meta.resolve('vitest/node'))
  const conditions = ['--conditions', 'node', '--conditions', 'development']
  const required = ['--require', resolvePath(fileURLToPath(quiet))]
  const execArgv = ['--experimental-import-meta-resolve', ...required, ...conditions]
  const started = { ...createThread(execArgv), settings: pickFixed({ execArgv, env: process.env }) }
  early = started
  started.thread.unref()
  // What ends it, as a module of `--import` can, ends the thread in its place too, and is reported then.
  const forget = (): void => void (early = early === started ? undefined : early)
  started.thread.on('error', forget).on('exit', forget)
}

/** A thread with the settings of Vitest's pool: the one that was started early, if it has them. */
export function launchThread({ env, execArgv }: Settings, cache: string | undefined): SuiteThread {
  const [waiting, isRight] = [early, isDeepStrictEqual(early?.settings, pickFixed({ execArgv, env }))]
  early = undefined
  if (!isRight) void waiting?.thread.terminate()
  const taken = waiting && isRight ? waiting : createThread(execArgv)
  taken.thread.ref()
  taken.launch({ env, compiled: cache && join(cache, 'suitecase-compiled') })
  return taken
}

/** What cannot be changed once a thread runs: its Node options, and the variables that Node itself reads. */
function pickFixed({ env, execArgv }: { env: NodeJS.ProcessEnv; execArgv: string[] }): object {
  const variables = Object.entries(env).filter(([name]) => name.startsWith('NODE_') && name !== 'NODE_ENV')
  return { execArgv, variables: Object.fromEntries(variables) }
}

/** Creates a thread, without Node options that only a process accepts, such as `--expose-gc`. */
function createThread(execArgv: string[]): SuiteThread {
  const { port1, port2 } = new MessageChannel()
  const beats = new Int32Array(new SharedArrayBuffer(4))
  const options = {
    stdout: true,
    stderr: true,
    // Twice the default: running suites hold data for a short time. It must not pile up until a full GC.
    resourceLimits: { maxYoungGenerationSizeMb: 96 },
    workerData: { beats, port: port2 } satisfies ThreadData,
    transferList: [port2],
  }
  const path = new URL('./thread.js', import.meta.url)
  const launch = (settings: Launch): void => port1.postMessage(settings)
  try {
    return { thread: new Worker(path, { ...options, execArgv }), beats, launch }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_WORKER_INVALID_EXEC_ARGV') throw error
    const refused = message.replace(/^.*: /, '').split(', ')
    return createThread(execArgv.filter((option) => !refused.includes(option)))
  }
}
