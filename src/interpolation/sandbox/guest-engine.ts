import type { Json } from '../../json.ts'
import { EngineError } from '../errors.ts'
import { measureSize } from '../expressions/measure.ts'
import { parseExpression, type Expression } from '../syntax/expression.ts'
import { documentedGlobals, isExtensionFunction } from './extension-functions.ts'
import type { Guest, Outcome, Primitive } from './guest.ts'
import { dropLocals, lookup, mergeVariables, type ExpressionEngine, type Names } from '../variables/scope.ts'
import { createLoadedValues, readMarked, type LoadedValues } from './loaded-values.ts'

/** A guest with what it has been given so far. */
type Session = { guest: Guest; values: LoadedValues; programs: Map<string, number>; nextProgram: number }

/** What makes guests: `contained` ones end at the limits, `direct` ones only run what surely stays far below them. */
export type GuestMakers = { direct?: () => Guest; contained: () => Guest }

const maxPrograms = 5000

/** What a direct run may cost: a tenth of a second and some 100 MB, and less where the time limit is short. */
const mostCost = 1e7
const costPerMillisecond = 1e4

/**
 * Builds `evaluate` on sandboxes: compiled programs and loaded values are kept, a spent sandbox is replaced. An expression
 * that is cheap over the data it reads runs directly, every other one contained.
 */
export function createGuestEngine(
  make: GuestMakers,
  timeout: number,
): Pick<ExpressionEngine, 'evaluate' | 'dispose'> {
  const sessions: { direct?: Session; contained?: Session } = {}
  const budget = Math.min(mostCost, timeout * costPerMillisecond)
  const end = (kind: keyof GuestMakers): void => {
    sessions[kind]?.guest.dispose()
    delete sessions[kind]
  }
  const run = (expression: Expression, names: Names): Outcome => {
    // Functions of the user's own are here, and no limit holds for them.
    const isDirect =
      make.direct &&
      (expression.parameters.some(isExtensionFunction) ||
        expression.estimateCost((root, path) => measureRead(names, root, path)) <= budget)
    const kind = isDirect ? 'direct' : 'contained'
    const isUsed = sessions[kind] !== undefined
    try {
      return runProgram((sessions[kind] ??= openSession((make[kind] ?? make.contained)())), expression, names)
    } catch (error) {
      const code = error instanceof EngineError ? error.code : undefined
      // Data that cannot be loaded has not reached the sandbox.
      if (code !== 'not_data') end(kind)
      // What earlier runs left must not make the difference: once more in an empty sandbox.
      if (!isUsed || (code !== 'memory' && code !== 'crashed')) throw error
      return run(expression, names)
    }
  }
  return {
    evaluate(source, names) {
      const expression = parseExpression(source)
      if (expression.refusal) {
        throw new EngineError('not_data', `The result is a promise: ${expression.refusal}`, 'a promise')
      }
      return readOutcome(run(expression, names), expression, names)
    },
    dispose() {
      end('direct')
      end('contained')
    },
  }
}

function openSession(guest: Guest): Session {
  return { guest, values: createLoadedValues(guest), programs: new Map(), nextProgram: 1 }
}

function runProgram(session: Session, expression: Expression, names: Names): Outcome {
  const spec: Primitive[] = [defineProgram(session, expression)]
  for (const name of expression.parameters)
    pushParameter(spec, name, { expression, names, loaded: session.values })
  const outcome = session.guest.evaluate(spec)
  session.values.trim()
  return outcome
}

function defineProgram(session: Session, { source, parameters }: Expression): number {
  const known = session.programs.get(source)
  if (known !== undefined) return known
  if (session.programs.size >= maxPrograms) session.programs.clear()
  const program = session.nextProgram++ % maxPrograms
  // Names from outside are parameters, so nothing is ever looked up in the sandbox's own global object.
  session.guest.define(program, `"use strict";(function(${parameters.join(',')}){return (${source}\n)})`)
  session.programs.set(source, program)
  return program
}

/** An expression, where its names are read, and what its sandbox holds already. */
type Call = { expression: Expression; names: Names; loaded: LoadedValues }

function pushParameter(spec: Primitive[], name: string, { expression, names, loaded }: Call): void {
  const { members } = expression
  const pushNames = (names: readonly string[], read: (name: string) => Json | undefined): void => {
    const present = names.flatMap((key) => {
      const value = read(key)
      return value === undefined ? [] : [[key, value] as const]
    })
    spec.push('names', present.length)
    for (const [key, value] of present) {
      spec.push(key)
      pushValue(spec, value, loaded)
    }
  }
  if (name === '$env') pushNames(members.$env, (key) => readEnv(names, key))
  else if (name === 'variables' && members.variables) {
    const variables = dropLocals(names)
    pushNames(members.variables, (key) => lookup(variables, key, []))
  } else if (name === 'variables') pushValue(spec, mergeVariables(names), loaded)
  else {
    const value = lookup(names, name, [])
    if (value === undefined && documentedGlobals.has(name)) spec.push('global', name)
    else pushValue(spec, value, loaded)
  }
}

function pushValue(spec: Primitive[], value: Json | undefined, loaded: LoadedValues): void {
  if (typeof value === 'object' && value !== null) spec.push('loaded', loaded.load(value))
  else if (typeof value === 'bigint') spec.push('bigint', String(value))
  else spec.push('value', value)
}

/** The size of what an expression reads: the deepest part of the path that there is. */
function measureRead(names: Names, root: string, path: readonly (string | number)[]): number {
  const [first, ...rest] = path
  if (root === '$env') return measureSize(readEnv(names, String(first)))
  if (root === 'variables')
    return first === undefined
      ? measureSize(mergeVariables(names))
      : measureRead(dropLocals(names), String(first), rest)
  let value = lookup(names, root, [])
  for (const key of path) {
    if (typeof value !== 'object' || value === null) break
    value = Object.hasOwn(value, key) ? (value as { [key: string]: Json })[key] : undefined
  }
  return measureSize(value)
}

function readEnv({ env }: Names, name: string): string | undefined {
  return env && Object.hasOwn(env, name) ? env[name] : undefined
}

function readOutcome(outcome: Outcome, expression: Expression, names: Names): Json | undefined {
  const [kind, payload] = outcome
  if (kind === 'value') return payload
  if (kind === 'bigint') return BigInt(payload as string)
  if (kind === 'undefined') return undefined
  if (kind === 'json') return JSON.parse(payload as string) as Json
  if (kind === 'marked') return readMarked(payload as string)
  if (kind === 'refused') {
    const shown = String(payload)
    const hint = shown === 'NaN' ? ': a value in it is missing or is not a number' : ''
    throw new EngineError('not_data', `The result is ${shown}, not data${hint}`, shown)
  }
  throw new EngineError('threw', dropExcerpt(String(payload)) + listUnknown(expression, names))
}

/** V8 quotes some characters of a long text that is not JSON: part of a secret would not be recognised as one. */
function dropExcerpt(message: string): string {
  return message.replace(
    /, (?:\.\.\.".*"(?:\.\.\.)?|".*"\.\.\.) is not valid JSON$/s,
    ' in a text that is not valid JSON',
  )
}

/** Names that do not exist explain most errors. */
function listUnknown({ parameters }: Expression, names: Names): string {
  const unknown = parameters.filter(
    (name) =>
      name !== 'variables' &&
      name !== '$env' &&
      !documentedGlobals.has(name) &&
      lookup(names, name, []) === undefined,
  )
  return unknown.length === 0 ? '' : ` (not defined here: ${unknown.map((name) => `\`${name}\``).join(', ')})`
}
