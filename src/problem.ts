import type { ProblemText } from './errors.ts'
import type { Position } from './source.ts'

/** Keys and indexes that lead to a value inside a YAML node, as the author wrote them. */
export type NodePath = readonly (string | number)[]

/** Where a parser works: where what it reads is written, and whom it tells what is wrong with it. */
export type ParsePlace = {
  locate(path: NodePath): Position
  report(path: NodePath, problem: ProblemText): void
}

/** The same further in. */
export function inside(place: ParsePlace, at: NodePath): ParsePlace {
  return {
    locate: (path) => place.locate([...at, ...path]),
    report: (path, problem) => place.report([...at, ...path], problem),
  }
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
