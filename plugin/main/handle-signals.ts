import type { Vitest, Reporter } from 'vitest/node'
import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'

// Reports have to be there five seconds after the signal; this leaves one for writing them.
const patience = 4000
// For so long further signals are the same one: `npm` and `timeout` pass on what has reached this process as well.
const sameFor = 500

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * Makes SIGINT and SIGTERM stop the run in an orderly way instead of ending the process at once, as Vitest does outside of a
 * terminal: requests are aborted, reports written, exit code 130 or 143. `finish` is what a run must still do that does not stop
 * by itself within 4 s. A later signal ends the process. Returns a function that lets go: the signals are Vitest's again.
 */
export function handleSignals(vitest: Vitest, finish?: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined
  let received: number | undefined
  const replaced = Object.entries(exitCodes).map(([name, exitCode]) =>
    replaceListeners(name as keyof typeof exitCodes, () => {
      if (received !== undefined) return
      received = exitCode
      process.once('exit', endForks)
      vitest.logger.log(`\n${name}: stopping the run. Send it again to end at once.\n`)
      setTimeout(restore, sameFor).unref()
      timer = setTimeout(async () => {
        await finish?.()
        const closed = vitest.close().catch((error: unknown) => vitest.logger.printError(error))
        await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 500))])
        process.exit(exitCode)
      }, patience)
      void vitest
        .cancelCurrentRun('keyboard-input')
        .catch((error: unknown) => vitest.logger.printError(error))
    }),
  )
  const restore = (): void => replaced.splice(0).forEach((one) => one())
  return () => {
    clearTimeout(timer)
    restore()
    if (received === undefined) return
    // Vitest has set its own by now.
    process.exitCode = received
    // Watch mode would go on waiting for edits.
    if (vitest.config.watch) void vitest.exit(true)
    received = undefined
  }
}

/**
 * Listens to a signal alone: all listeners of a signal are called, and Vitest's would end the process. Gives what brings
 * them back. There is a listener at every moment: Node forgets a signal that is on its way when the last one goes.
 */
function replaceListeners(signal: NodeJS.Signals, listener: () => void): () => void {
  const others = process.listeners(signal)
  process.on(signal, listener)
  for (const other of others) process.off(signal, other)
  return () => {
    for (const other of others) process.on(signal, other)
    process.off(signal, listener)
  }
}

/** The processes that this one has started. */
const children = new Set<ChildProcess>()
subscribe('child_process', (message) => {
  const { process: child } = message as { process: ChildProcess }
  children.add(child)
  child.once('exit', () => children.delete(child))
})

/** Kills the workers of Vitest that are processes: one in an endless loop hears neither a signal nor that its parent is gone. */
function endForks(): void {
  for (const child of children)
    if (child.spawnargs.some((argument) => /[\\/]workers[\\/]\w*forks\.js$/i.test(argument)))
      child.kill('SIGKILL')
}

/** Stops a run with suites in an orderly way on SIGINT and SIGTERM, unless `isHandled` tells that a reporter does. */
export function stopOnSignals(vitest: Vitest, isHandled: () => boolean): Reporter {
  let release: (() => void) | undefined
  return {
    onTestRunStart() {
      release?.()
      release = isHandled() ? undefined : handleSignals(vitest)
    },
    onTestRunEnd() {
      release?.()
    },
  }
}
