import type { FunctionPlace } from './function-places.ts'

/** A function of a definition with the expression that calls it in its place. */
export type LiftedFunction = FunctionPlace & {
  call: (values: never) => unknown
  /** Its text, as results show it. */
  shown: string
}

const MAX_SHOWN = 200

/**
 * The expression that calls a lifted function. Its arguments are what the function reads, so that the analysis of
 * expressions (needed steps, exports of other suites, unused captures) sees them; they are not evaluated.
 */
export function nameFunction(index: number, reads: readonly string[]): string {
  return `__suitecase_function_${index}(${reads.join(', ')})`
}

/** True for the name of a lifted function, which the analysis of expressions takes for that of a variable. */
export function isFunctionName(name: string): boolean {
  return /^__suitecase_function_\d+$/.test(name)
}

/** The index of the lifted function that an expression calls, or undefined. */
export function readFunctionIndex(source: string): number | undefined {
  const index = /^\s*__suitecase_function_(\d+)\([^()]*\)\s*$/.exec(source)?.[1]
  return index === undefined ? undefined : Number(index)
}

/** Puts the texts of functions in the place of the expressions that call them, of those that were cut too. */
export function showFunctions(text: string, functions: readonly LiftedFunction[]): string {
  return text.replaceAll(
    /__suitecase_function_(\d+)\([^()…]*[)…]/g,
    (written, index: string) => functions[Number(index)]?.shown ?? written,
  )
}

/** The text of a function on one line; how Vitest writes imported names is undone. */
export function showFunction(call: LiftedFunction['call']): string {
  const text = Function.prototype.toString
    .call(call)
    .replaceAll(/\(0,\s*(?:__\w+__\.)?([\w$]+)\)/g, '$1')
    .replaceAll(/\b__vi_import_\d+__\./g, '')
    .replaceAll(/\s+/g, ' ')
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text
}
