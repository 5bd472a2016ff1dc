/** The thread in which all suites of a run run: Vitest's worker protocol around our engine. */
import { parentPort, workerData } from 'node:worker_threads'
import type { WorkerGlobalState } from 'vitest'
import { init } from 'vitest/worker'
import type { FromWorker, ToWorker } from '../../contract/parcel.ts'
import { Pulse } from '../../contract/pulse.ts'
import { Engine } from './engine.ts'
import { VitestRuntime } from './vitest-runtime.ts'

if (!parentPort) throw new Error('This file runs in the worker thread that suitecase starts.')
const port = parentPort
const pulse = new Pulse(workerData as SharedArrayBuffer)
pulse.start()

function tell(suitecase: FromWorker): void {
  port.postMessage({ suitecase })
}

/** Suites that came before the run they belong to. */
const early: ToWorker[] = []
let engine: Engine | undefined
let runtime: VitestRuntime | undefined

port.on('message', (message: { suitecase?: ToWorker }) => {
  if (!message.suitecase) return
  if (engine) take(engine, message.suitecase)
  else early.push(message.suitecase)
})

function take(running: Engine, message: ToWorker): void {
  if (message.kind === 'suite') running.parcels.take(message.parcel)
  else running.earlier = message.suites
}

type Worker = Parameters<typeof init>[0]

async function runTests(state: WorkerGlobalState, traces: Parameters<Worker['runTests']>[1]): Promise<void> {
  runtime = new VitestRuntime(state, traces)
  engine = new Engine(state, { runtime, pulse, tell })
  const running = engine
  for (const message of early.splice(0)) take(running, message)
  const ignore = state.onCancel((reason) => running.stop(reason))
  try {
    await running.run()
  } finally {
    ignore()
    engine = undefined
  }
}

init({
  post: (message) => port.postMessage(message),
  on: (listener) => void port.on('message', listener),
  off: (listener) => void port.off('message', listener),
  teardown: () => port.removeAllListeners('message'),
  setup: async (context) => {
    const { setupEnvironment } = await import('vitest/worker')
    return setupEnvironment(context)
  },
  onModuleRunner(runner) {
    if (runtime) runtime.runner = runner
  },
  runTests,
  // Suites are collected from their plans: there is nothing to run for it.
  collectTests: () => undefined,
})
