import type { Vitest, Reporter } from 'vitest/node'

// In ms. Reports must be complete five seconds after the signal. This leaves one second to write them.
const patience = 4000
// In ms. Signals within this time count as one: `npm` and `timeout` forward what this process got as well.
const sameFor = 500

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/**
 * Makes signals end the run cleanly, where Vitest would end the process at once. If that takes over 4 s, `finish`
 * does the rest. A later signal ends the process. Returns a function that gives Vitest its signals back.
 */
export function handleSignals(vitest: Vitest, finish?: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined
  let received: number | undefined
  // Watch mode ends with its reader.
  if (!vitest.config.watch) outliveReader()
  const replaced = Object.entries(exitCodes).map(([name, exitCode]) =>
    replaceListeners(name as keyof typeof exitCodes, () => {
      if (received !== undefined) return
      received = exitCode
      outliveReader()
      vitest.logger.log(`\n${name}: stopping the run. Send it again to stop immediately.\n`)
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
    // Vitest has set its own exit code by now.
    process.exitCode = received
    // Watch mode would keep waiting for edits.
    if (vitest.config.watch) void vitest.exit(true)
    received = undefined
  }
}

/** Lets teardown and reports finish after a terminal is closed, or a reader leaves, as in `vitest | head`. */
function outliveReader(): void {
  for (const stream of [process.stdout, process.stderr]) stream.off('error', goOn).on('error', goOn)
}

function goOn({ code }: NodeJS.ErrnoException): void {
  // Output is lost that somebody wanted, as on a full disk: such a run must not pass.
  if (code !== 'EPIPE' && code !== 'EIO') process.exitCode = 1
}

/** Makes a listener the only one. There is always one: Node drops a pending signal when the last is removed. */
function replaceListeners(signal: NodeJS.Signals, listener: () => void): () => void {
  const others = process.listeners(signal)
  process.on(signal, listener)
  for (const other of others) process.off(signal, other)
  return () => {
    for (const other of others) process.on(signal, other)
    process.off(signal, listener)
  }
}

/** A reporter that stops a run with suites in an orderly way on a signal, unless `isHandled` says that another reporter does. */
export function stopOnSignals(vitest: Vitest, isHandled: () => boolean): Reporter {
  let release: (() => void) | undefined
  return {
    onTestRunStart() {
      release?.()
      release = isHandled() ? undefined : handleSignals(vitest)
    },
    onTestRunEnd: () => release?.(),
  }
}
