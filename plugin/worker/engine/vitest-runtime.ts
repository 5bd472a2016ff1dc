import { AsyncLocalStorage } from 'node:async_hooks'
import type { RunnerTask, WorkerGlobalState } from 'vitest'
import {
  startCoverageInsideWorker,
  stopCoverageInsideWorker,
  takeCoverageInsideWorker,
} from 'vitest/internal/browser'
import { runBaseTests, type init } from 'vitest/worker'
import { hideInConsole } from '../session/hide-secrets.ts'

type Worker = Parameters<typeof init>[0]
type ModuleRunner = Parameters<NonNullable<Worker['onModuleRunner']>>[0]
type Traces = Parameters<Worker['runTests']>[1]

/** The time for Vitest's reporters, which a suite's `clock` does not change. */
export const readNow: () => number = Date.now

/** Vitest's runtime in the worker, set up on first use: imports through Vite, coverage, console, snapshots. */
export class VitestRuntime {
  #state: WorkerGlobalState
  #traces: Traces
  /** Vitest's module runner, once it is there. */
  runner: ModuleRunner | undefined
  #ready: Promise<void> | undefined
  #current = new AsyncLocalStorage<RunnerTask>()
  #running = new Set<RunnerTask>()

  constructor(state: WorkerGlobalState, traces: Traces) {
    this.#state = state
    this.#traces = traces
  }

  attribute<Value>(task: RunnerTask, run: () => Promise<Value>): Promise<Value> {
    this.#running.add(task)
    return this.#current.run(task, run).finally(() => this.#running.delete(task))
  }

  /** The task of the running code. In a connection it is the one that opened it, unless that has ended. */
  #findTask(): RunnerTask | undefined {
    const opener = this.#current.getStore()
    if (opener && this.#running.has(opener)) return opener
    const [first, ...others] = this.#running
    return [first, ...others].find((task) => task?.file === opener?.file) ?? (others[0] ? undefined : first)
  }

  print(text: string): void {
    const [content, taskId] = [`${text}\n`, this.#findTask()?.id]
    const log = { content, size: content.length, time: readNow(), type: 'stdout' } as const
    void this.#state.rpc.onUserConsoleLog({ ...log, ...(taskId !== undefined && { taskId }) })
  }

  open(): Promise<void> {
    return (this.#ready ??= this.#open())
  }

  async #open(): Promise<void> {
    const state = this.#state
    // Vitest keeps one current test for the whole thread. Here each running suite has its own.
    Object.defineProperty(state, 'current', { get: () => this.#findTask(), set() {}, configurable: true })
    hideInConsole(state)
    // A run without files sets up the same things as a run with some.
    const files = state.ctx.files
    state.ctx.files = []
    await runBaseTests('run', state, this.#traces)
    state.ctx.files = files
    await startCoverageInsideWorker(state.config.coverage, this.runner as never, { isolate: false })
  }

  /** Imports a module as the project's tests do. */
  async import(path: string): Promise<unknown> {
    await this.open()
    return (this.runner as ModuleRunner).import(path)
  }

  async close(): Promise<void> {
    // If the setup failed, so did the suites that needed it.
    const isReady = await this.#ready?.then(() => true).catch(() => false)
    if (!isReady) return
    const loader = this.runner as never
    const { config, ctx, rpc } = this.#state
    const coverage = await takeCoverageInsideWorker(config.coverage, loader)
    if (coverage)
      await rpc.onAfterSuiteRun({
        coverage,
        testFiles: ctx.files.map(({ filepath }) => filepath),
        environment: 'ssr',
        projectName: ctx.projectName,
      })
    await stopCoverageInsideWorker(config.coverage, loader, { isolate: false })
  }
}
