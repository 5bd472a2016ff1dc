import type { EngineErrorCode } from '../errors.ts'

/** How an evaluation ended. `bigints`: JSON that contains some. `refused`: not data, described in words. */
export type Outcome = readonly [
  kind: 'value' | 'json' | 'bigints' | 'undefined' | 'refused' | 'threw',
  payload: boolean | number | string | null,
]

/** A sandbox. What `global` and `load` return stands for a value in it and can only be passed back. */
export type Guest = {
  /** The global with this name that expressions may use, or undefined. */
  global(name: string): unknown
  /** Copies data, as `writeData` writes it, into the sandbox. */
  load(text: string): unknown
  /** Calls the function that a program evaluates to. */
  evaluate(program: string, passed: readonly unknown[]): Outcome
}

/** How an expression process is set up: `timeout` in ms for an evaluation, `memory` in MB. */
export type ProcessOptions = { sandbox: 'vm' | 'quickjs'; timeout: number; memory: number }

/** An evaluation, with the data that is new to the process; `now` is the time it sees, in ms since 1970. */
export type Request = {
  loads: readonly string[]
  program: string
  /** Names of globals, and numbers of data in the order in which it was loaded. */
  passed: readonly (string | number)[]
  now: number
}

/** What a process answers. `ended`: it ended, `elapsed` ms after it received the request. */
export type Answer =
  | { kind: 'outcome'; outcome: Outcome }
  | { kind: 'failed'; code: EngineErrorCode; message: string }
  | { kind: 'ended'; elapsed: number; reason: string }
