import { randomBytes } from 'node:crypto'
import { allowWaiting } from '../../../../src/interpolation/sandbox/wait-for-calls.ts'
import { cut } from '../../../../src/text/show-value.ts'
import type { FunctionRole } from './function-places.ts'

/** A function of a definition, which was replaced by an expression that calls it. */
export type LiftedFunction = {
  role: FunctionRole
  call: (values: never) => unknown
  shown: string
}

/** The functions of all definitions in this thread. */
const functions: LiftedFunction[] = []

const MAX_SHOWN = 200

/** The start of a function's name. No response can guess it, so in results it always means a function. */
const NAME = `__suitecase_${randomBytes(6).toString('hex')}_`

const EXACT = new RegExp(String.raw`^\s*${NAME}(\d+)\([^()]*\)\s*$`)

/** Also matches an expression that was cut. It has no double quotes: no match leaves its JSON string. */
const ANYWHERE = new RegExp(String.raw`${NAME}(\d+)\([^()…"]*[)…]`, 'g')

/** Returns the expression that calls a function. Its arguments only show the analysis of expressions what the function reads. */
export function liftFunction(lifted: LiftedFunction, reads: readonly string[]): string {
  allowWaiting()
  return `${NAME}${functions.push(lifted) - 1}(${reads.join(', ')})`
}

/** True for the name of a lifted function, which the analysis of expressions takes for a variable. */
export function isFunctionName(name: string): boolean {
  return name.startsWith(NAME)
}

export function findFunction(source: string): LiftedFunction | undefined {
  const [, index] = EXACT.exec(source) ?? []
  return functions[Number(index)]
}

/** Replaces the expressions that call functions with the texts of the functions, passed through `write`. */
export function showFunctions(text: string, write = (shown: string): string => shown): string {
  if (functions.length === 0) return text
  return text.replaceAll(ANYWHERE, (written, index: string) => {
    const lifted = functions[Number(index)]
    return lifted ? write(lifted.shown) : written
  })
}

/** The text of a function on one line, with Vitest's rewriting of imported names undone. */
export function showFunction(call: LiftedFunction['call']): string {
  const text = Function.prototype.toString
    .call(call)
    .replaceAll(/\(0,\s*(?:__\w+__\.)?([\w$]+)\)/g, '$1')
    .replaceAll(/\b__vi(?:te_ssr)?_import_\d+__\./g, '')
    .replaceAll(/\s+/g, ' ')
  return cut(text, MAX_SHOWN)
}
