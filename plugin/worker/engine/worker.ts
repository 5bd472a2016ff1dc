/** The thread that runs all suites of a run: Vitest's worker protocol around our engine. */
import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { WorkerGlobalState } from 'vitest'
import { init, setupEnvironment } from 'vitest/worker'
import type { ThreadData, ToWorker } from '../../contract/parcel.ts'
import { Engine } from './engine.ts'
import { Parcels } from './parcels.ts'
import { VitestRuntime } from './vitest-runtime.ts'

if (!parentPort) throw new Error('This file runs in the worker thread that suitecase starts.')
const port = parentPort
// If an application closes the port, this thread can report nothing more. It exits, and another takes over.
port.once('close', process.exit.bind(process, 1))
const { beats } = workerData as ThreadData
setInterval(() => Atomics.add(beats, 0, 1), 100).unref()

let parcels = new Parcels()
let runtime: VitestRuntime | undefined

port.on('message', ({ suitecase }: { suitecase?: ToWorker }) => {
  if (suitecase) parcels.take(suitecase)
})

async function work(
  kind: 'run' | 'collect',
  state: WorkerGlobalState,
  traces: Parameters<Parameters<typeof init>[0]['runTests']>[1],
): Promise<void> {
  runtime = new VitestRuntime(state, traces)
  try {
    await new Engine(state, parcels, runtime)[kind]()
  } finally {
    parcels = new Parcels()
  }
}

init({
  post(message) {
    port.postMessage(message)
    // Vitest does this when the worker stops, and waits for it. Here it happens while the reports are written.
    if ((message as { type?: string }).type === 'testfileFinished') setImmediate(flushCompileCache)
  },
  on: (listener) => void port.on('message', listener),
  off: (listener) => void port.off('message', listener),
  teardown: () => port.removeAllListeners('message'),
  setup: setupEnvironment,
  onModuleRunner(runner) {
    if (runtime) runtime.runner = runner
  },
  runTests: (state, traces) => work('run', state, traces),
  collectTests: (state, traces) => work('collect', state, traces),
})
