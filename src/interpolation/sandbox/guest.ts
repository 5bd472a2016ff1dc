import type { EngineErrorCode } from '../errors.ts'

/** What crosses the border of a sandbox. */
export type Primitive = null | boolean | number | bigint | string | undefined

/**
 * How an evaluation ended: a primitive, the digits of a bigint, JSON text (`marked`: as `markBigints` writes it), nothing,
 * a result that is not data (in words), or what was thrown.
 */
export type Outcome = readonly [
  kind: 'value' | 'bigint' | 'json' | 'marked' | 'undefined' | 'refused' | 'threw',
  payload: boolean | number | string | null,
]

/** One prepared sandbox. Programs and loaded values are known by numbers. After an `EngineError` it is spent. */
export type Guest = {
  /** Takes the source of a function expression. */
  define(program: number, source: string): void
  /** Takes data as JSON text, `marked` or not. */
  load(value: number, text: string, marked: boolean): void
  drop(value: number): void
  /**
   * Calls a program. `spec` is its number, then for each argument a kind and a payload: `value` and the primitive,
   * `bigint` and digits, `loaded` and a number, `global` and a name, or `names`, a count, and as many times a name with
   * kind and payload.
   */
  evaluate(spec: readonly Primitive[]): Outcome
  dispose(): void
}

/** How an expression process is set up: `timeout` in ms for an evaluation, `memory` in MB. */
export type ProcessOptions = { sandbox: 'vm' | 'quickjs'; timeout: number; memory: number }

/** What a guest is to do before an evaluation. */
export type Preparation = {
  [Name in 'define' | 'load' | 'drop']: readonly [Name, ...Parameters<Guest[Name]>]
}['define' | 'load' | 'drop']

/** One evaluation; `now` is what the time is for it, in ms since 1970. */
export type Request = { preparations: readonly Preparation[]; spec: readonly Primitive[]; now: number }

/** `ended`: the process is gone, `elapsed` ms after it got the request. */
export type Answer =
  | { kind: 'outcome'; outcome: Outcome }
  | { kind: 'failed'; code: EngineErrorCode; message: string }
  | { kind: 'ended'; elapsed: number; reason: string }
