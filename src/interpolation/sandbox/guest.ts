import type { EngineErrorCode } from '../errors.ts'

/** What can cross the boundary of a sandbox. */
export type Primitive = null | boolean | number | string | undefined

/**
 * How an evaluation ended: a primitive, JSON (`marked` if it holds a bigint: every string then starts with a letter),
 * undefined, a result that is not data (in words), or what was thrown.
 */
export type Outcome = readonly [
  kind: 'value' | 'json' | 'marked' | 'undefined' | 'refused' | 'threw',
  payload: boolean | number | string | null,
]

/** A sandbox. It must not be used again after an `EngineError`. */
export type Guest = {
  /** Stores data, given as JSON (`marked` or not), under a number. Number 0 clears all that was stored before. */
  load(id: number, marked: boolean, text: string): void
  /**
   * Calls the function that a source text evaluates to. Each argument is a kind and a payload: `value` and the primitive,
   * `bigint` and digits, `loaded` and a number, `global` and a name.
   */
  evaluate(program: string, passed: readonly Primitive[]): Outcome
  /** Ends the sandbox's process, if it has one. */
  dispose?(): void
}

/** How an expression process is set up: `timeout` in ms for an evaluation, `memory` in MB. */
export type ProcessOptions = { sandbox: 'vm' | 'quickjs'; timeout: number; memory: number }

/** An evaluation, with the data that is new to the process; `now` is the time it sees, in ms since 1970. */
export type Request = {
  loads: readonly Parameters<Guest['load']>[]
  program: string
  passed: readonly Primitive[]
  now: number
}

/** A process's answer. `ended`: it is gone, `elapsed` ms after it got the request. */
export type Answer =
  | { kind: 'outcome'; outcome: Outcome }
  | { kind: 'failed'; code: EngineErrorCode; message: string }
  | { kind: 'ended'; elapsed: number; reason: string }
