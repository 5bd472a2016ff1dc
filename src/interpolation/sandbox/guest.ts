import type { EngineErrorCode } from '../errors.ts'

/** What crosses the border of a sandbox. */
export type Primitive = null | boolean | number | string | undefined

/**
 * How an evaluation ended: a primitive, JSON text (`marked`, where a bigint is in it: with a letter before every text), nothing,
 * a result that is not data (in words), or what was thrown.
 */
export type Outcome = readonly [
  kind: 'value' | 'json' | 'marked' | 'undefined' | 'refused' | 'threw',
  payload: boolean | number | string | null,
]

/** One sandbox. After an `EngineError` it is spent. */
export type Guest = {
  /** Takes data as JSON text, `marked` or not. It stays under its number until there is a new number 0. */
  load(id: number, marked: boolean, text: string): void
  /**
   * Calls the function that a source text gives, with a kind and a payload for each argument: `value` and the primitive,
   * `bigint` and digits, `loaded` and a number, `global` and a name.
   */
  evaluate(program: string, passed: readonly Primitive[]): Outcome
  /** Ends a process. */
  dispose?(): void
}

/** How an expression process is set up: `timeout` in ms for an evaluation, `memory` in MB. */
export type ProcessOptions = { sandbox: 'vm' | 'quickjs'; timeout: number; memory: number }

/** An evaluation with the data that is new; `now` is what the time is for it, in ms since 1970. */
export type Request = {
  loads: readonly Parameters<Guest['load']>[]
  program: string
  passed: readonly Primitive[]
  now: number
}

/** What a process answers. `ended`: it is gone, `elapsed` ms after it got the request. */
export type Answer =
  | { kind: 'outcome'; outcome: Outcome }
  | { kind: 'failed'; code: EngineErrorCode; message: string }
  | { kind: 'ended'; elapsed: number; reason: string }
