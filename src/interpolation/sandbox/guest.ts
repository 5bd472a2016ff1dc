import type { EngineErrorCode } from '../errors.ts'

/** How an evaluation ended: a primitive, JSON (`bigints` if it holds one), undefined, a result that is not data (in words), or what was thrown. */
export type Outcome = readonly [
  kind: 'value' | 'json' | 'bigints' | 'undefined' | 'refused' | 'threw',
  payload: boolean | number | string | null,
]

/** A sandbox. What `global` and `load` return stands for a value inside it, and is only ever handed back to it. */
export type Guest = {
  /** A global that expressions may use; undefined if there is none of that name. */
  global(name: string): unknown
  /** Copies data, as `writeData` writes it, into the sandbox. */
  load(text: string): unknown
  /** Gives up what `load` returned. */
  forget?(data: unknown): void
  /** Calls the function that a source text evaluates to. */
  evaluate(program: string, passed: readonly unknown[]): Outcome
}

/** How an expression process is set up: `timeout` in ms for an evaluation, `memory` in MB. */
export type ProcessOptions = { sandbox: 'vm' | 'quickjs'; timeout: number; memory: number }

/** An evaluation, with the data that is new to the process; `now` is the time it sees, in ms since 1970. */
export type Request = {
  /** True if the process has to forget all that it loaded before. */
  forgets: boolean
  loads: readonly string[]
  program: string
  /** Names of globals, and numbers of data in the order in which it was loaded. */
  passed: readonly (string | number)[]
  now: number
}

/** A process's answer. `ended`: it is gone, `elapsed` ms after it got the request. */
export type Answer =
  | { kind: 'outcome'; outcome: Outcome }
  | { kind: 'failed'; code: EngineErrorCode; message: string }
  | { kind: 'ended'; elapsed: number; reason: string }
