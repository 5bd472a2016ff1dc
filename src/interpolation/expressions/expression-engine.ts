import type { Json, JsonObject } from '../../json.ts'

/** A regular expression in JavaScript syntax. */
export type RegExpSpec = { source: string; flags?: string }

/**
 * The names an expression can read. Objects are handed to the sandbox once and known by identity afterwards, so a
 * response body read by ten conditions is copied once.
 */
export type ExpressionValues = {
  /** A bare name: a local, a variable, else the exports of a node. */
  read(name: string): Json | undefined
  /** `variables.name`: the same without locals. */
  readVariable(name: string): Json | undefined
  /** All of `variables`, merged. */
  readAllVariables(): JsonObject
  readEnv(name: string): string | undefined
}

/** Runs JavaScript expressions over data, contained and within a time limit. */
export type ExpressionEngine = {
  /**
   * Evaluates one expression. Gives plain data: a date becomes its ISO text, a bigint a number where one holds it, `undefined` stays.
   * Throws a `TemplateError` for bad syntax and an `EngineError` for everything else, NaN and infinities included.
   */
  evaluate(source: string, values: ExpressionValues): Json | undefined
  /** Whether a pattern matches anywhere in a text. Throws an `EngineError` for a bad pattern or one that runs too long. */
  test(pattern: RegExpSpec, subject: string): boolean
  dispose(): void
}
