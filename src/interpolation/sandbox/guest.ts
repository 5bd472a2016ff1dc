/** What crosses the border of a sandbox. */
export type Primitive = null | boolean | number | bigint | string | undefined

/** How an evaluation ended: a primitive, JSON text, nothing, a result that is no data (in words), or what was thrown. */
export type Outcome = readonly [
  kind: 'value' | 'json' | 'undefined' | 'refused' | 'threw',
  payload: boolean | number | string | null,
]

/** One prepared sandbox. Programs and loaded values are known by numbers. */
export type Guest = {
  /** Takes the source of a function expression. Throws an `EngineError` when the engine cannot compile it. */
  define(program: number, source: string): void
  /** Takes data as JSON text. */
  load(value: number, text: string): void
  drop(value: number): void
  /**
   * Calls a program. `spec` is its number, then for each argument a kind and a payload: `value` and the primitive,
   * `loaded` and a number, `global` and a name, or `names`, a count, and as many times a name with kind and payload.
   * `bounded` runs end at the time limit with an `EngineError`, after which the guest must be disposed of.
   */
  evaluate(spec: readonly Primitive[], bounded: boolean): Outcome
  dispose(): void
}

/** A limit that was hit: the guest that hit it is spent. */
export const spentCodes: ReadonlySet<string> = new Set(['timeout', 'memory', 'crashed'])
