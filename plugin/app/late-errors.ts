/** Errors of the application that nobody handled while a step ran. */
export type LateErrors = {
  /** Waits for what is about to be thrown, stops listening and returns what came. */
  stop(): Promise<unknown[]>
}

const EVENTS = ['unhandledRejection', 'uncaughtException'] as const

/**
 * Takes unhandled rejections and exceptions until `stop`, so that they fail the step that caused them. Whoever listens
 * otherwise (Vitest, which fails the whole run) does so again afterwards. `onError` is told of each.
 */
export function watchLateErrors(onError: () => void): LateErrors {
  const errors: unknown[] = []
  const note = (error: unknown): void => {
    errors.push(error)
    onError()
  }
  const others = EVENTS.map((event) => [event, process.rawListeners(event)] as const)
  for (const event of EVENTS) {
    process.removeAllListeners(event)
    process.on(event, note)
  }
  return {
    async stop() {
      // A rejection is reported once the microtasks of its turn have run.
      await new Promise((resolve) => setImmediate(resolve))
      for (const [event, listeners] of others) {
        process.removeListener(event, note)
        for (const listener of listeners) process.on(event, listener as () => void)
      }
      return errors
    },
  }
}
