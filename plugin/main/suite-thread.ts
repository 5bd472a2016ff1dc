import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { MessageChannel, Worker } from 'node:worker_threads'
import type { PoolOptions } from 'vitest/node'
import { tryTo } from '../../src/errors.ts'
import type { Launch, ThreadData } from '../contract/parcel.ts'
import { findCache } from './suites/plan-cache.ts'

/** Name of the file with the Node options of the last thread. */
const NODE_OPTIONS = 'node-options'

type Settings = Pick<PoolOptions, 'env' | 'execArgv'>

/** A thread that loads nothing before it is launched. `beats` is counted up as long as it is not blocked. */
type SuiteThread = { thread: Worker; beats: Int32Array<SharedArrayBuffer>; launch: (settings: Launch) => void }

/** The thread that waits for Vitest's pool, with its settings as far as they only apply at its start. */
let early: (SuiteThread & { settings: object }) | undefined

/**
 * Starts the next thread while Vitest still reads its configuration, with the Node options of the last run in `root`.
 * Does nothing on the first run there, or in another program than Vitest's command line.
 */
export function startEarly(root: string): void {
  const [, program = '', command] = process.argv
  if (early || !/[\\/]vitest(?:\.mjs)?$/.test(program) || command === 'list') return
  const cache = findCache(root)
  const text = cache && tryTo(() => readFileSync(join(cache, NODE_OPTIONS), 'utf8'))
  const started = tryTo(() => {
    const execArgv = JSON.parse(text ?? '') as string[]
    return { ...createThread(execArgv), settings: pickFixed({ execArgv, env: process.env }) }
  })
  if (!started) return
  early = started
  started.thread.unref()
  started.thread.on('error', () => undefined)
  started.thread.once('exit', () => early === started && (early = undefined))
}

/** A thread with the settings of Vitest's pool: the one that was started early, if it has them. */
export function launchThread({ env, execArgv }: Settings, cache: string | undefined): SuiteThread {
  const settings = pickFixed({ execArgv, env })
  const [waiting, isRight] = [early, isDeepStrictEqual(early?.settings, settings)]
  early = undefined
  if (!isRight) {
    void waiting?.thread.terminate()
    tryTo(() => {
      if (cache === undefined) return
      mkdirSync(cache, { recursive: true })
      writeFileSync(join(cache, NODE_OPTIONS), JSON.stringify(execArgv))
    })
  }
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
