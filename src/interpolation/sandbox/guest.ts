/** What crosses the border of a sandbox. */
export type Primitive = null | boolean | number | string | undefined

/**
 * How an evaluation ended: a primitive, the digits of a bigint, JSON text (`marked`: as `markBigints` writes it), nothing,
 * a result that is no data (in words), or what was thrown.
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
