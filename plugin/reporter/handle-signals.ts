import type { Vitest } from 'vitest/node'

// Reports have to be there five seconds after the signal; this leaves one for writing them.
const patience = 4000

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * Makes SIGINT and SIGTERM stop the run in an orderly way instead of ending the process at once, as Vitest does outside of a
 * terminal: requests are aborted, reports written, exit code 130 or 143. `writeReports` is called when the run does not stop by
 * itself within 4 s. A second signal ends the process. Returns a function that gives the signals back to Vitest.
 */
export function handleSignals(vitest: Vitest, writeReports: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined
  const restore = Object.entries(exitCodes).map(([name, exitCode]) => {
    const signal = name as keyof typeof exitCodes
    // All listeners of a signal are called, and Vitest's would end the process: they step aside meanwhile.
    const others = process.listeners(signal)
    for (const other of others) process.off(signal, other)
    const stop = (): void => {
      process.exitCode = exitCode
      process.off(signal, stop)
      for (const other of others) process.on(signal, other)
      vitest.logger.log(`\n${signal}: stopping the run and writing reports. Send it again to end at once.\n`)
      timer = setTimeout(() => void endStuckRun(vitest, writeReports), patience)
      void vitest
        .cancelCurrentRun('keyboard-input')
        .catch((error: unknown) => vitest.logger.printError(error))
    }
    process.on(signal, stop)
    return () => {
      if (!process.listeners(signal).includes(stop)) return
      process.off(signal, stop)
      for (const other of others) process.on(signal, other)
    }
  })
  return () => {
    clearTimeout(timer)
    for (const one of restore) one()
  }
}

async function endStuckRun(vitest: Vitest, writeReports: () => Promise<void>): Promise<void> {
  await writeReports()
  const closed = vitest.close().catch((error: unknown) => vitest.logger.printError(error))
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 500))])
  process.exit()
}
