import type { Position } from './source.ts'

/** Keys and indexes that lead to a value inside a YAML node, as the author wrote them. */
export type NodePath = readonly (string | number)[]

/** Says where the value at a path of the node being parsed is written. */
export type Locate = (path: NodePath) => Position

/** One thing wrong with a part of a suite, found while it is loaded. */
export type Problem = {
  /** Where, below the node being parsed. */
  path: (string | number)[]
  code:
    | 'unknown-field'
    | 'missing-field'
    | 'bad-value'
    | 'bad-check'
    | 'bad-pattern'
    | 'bad-path'
    | 'bad-expression'
    | 'ignored'
  /** What is wrong, with the value it got. */
  message: string
  /** What to do about it. */
  hint?: string
  /** Absent: an error, and what it is about is left out. With a doubt it can be tried. */
  severity?: 'doubt' | 'warning'
}

/** Something the author should know that did not fail the step. */
export type ResultWarning = { message: string; line?: number; column?: number }

/** A warning at a place of the suite file. */
export function warnAt([line, column]: Position, message: string): ResultWarning {
  return { message, line, column }
}

/** True for what a step says of a variable without a value when loading its suite said so already. */
export function isSaidAtLoad({ message, line }: ResultWarning, atLoad: readonly ResultWarning[]): boolean {
  const name = /^(`[^`]+`) has no value/.exec(message)?.[1]
  return name !== undefined && atLoad.some((one) => line === one.line && one.message.includes(name))
}
