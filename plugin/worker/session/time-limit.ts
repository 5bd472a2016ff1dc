/** Aborts its signal after some ms, with an error that says which limit it was. */
export type TimeLimit = { signal: AbortSignal; end(): void }

/** Starts a limit; it keeps no process alive. */
function startTimeLimit(ms: number, message: string): TimeLimit {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error(message)), ms)
  timer.unref()
  return { signal: controller.signal, end: () => clearTimeout(timer) }
}

/** Teardown after an interrupt must leave time for the reports, which are due after five seconds. */
const AFTER_INTERRUPT = 3000
const AFTER_LIMIT = 10_000

/** The limit of a teardown that could not be left to the limit of its suite. */
export function limitTeardown(interrupted: boolean): TimeLimit {
  const ms = interrupted ? AFTER_INTERRUPT : AFTER_LIMIT
  const why = interrupted ? 'an interrupt' : 'the limit of the suite (option `limits.suite`)'
  return startTimeLimit(ms, `after ${why} the teardown may take ${ms} ms.`)
}

/** ms a suite may take that sets no limit. */
export const DEFAULT_SUITE_LIMIT = 600_000

/** The limit of a whole suite, steps that run first for it included. */
export function limitSuite(ms: number): TimeLimit {
  return startTimeLimit(
    ms,
    `the suite took longer than ${ms} ms. Raise the option \`limits.suite\`, or make two suites of it.`,
  )
}
