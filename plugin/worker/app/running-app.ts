import type supertest from 'supertest'

/** An application that listens. */
export type RunningApp = {
  /** Its address, without a final slash. */
  url: string
  /** A supertest agent on it; loads supertest. */
  request(): Promise<ReturnType<typeof supertest.agent>>
  /** Ends the application's own close, and all connections; a second call waits for the first. */
  close(): Promise<void>
}

/** Limits in ms on what an application may take. */
export type AppLimits = {
  /** Until it listens. @default 30000 */
  start?: number
  /** Until its own close has ended. @default 10000 */
  close?: number
}
