import type { Json } from '../../json.ts'
import type { ExpressionEngine, ExpressionValues } from '../expression-engine.ts'
import { EngineError } from '../errors.ts'
import { parseExpression } from '../syntax/expression.ts'
import type { Expression } from '../syntax/expression.ts'
import { documentedGlobals } from './documented-globals.ts'
import { spentCodes } from './guest.ts'
import type { Guest, Outcome } from './guest.ts'
import { createLoadedValues } from './loaded-values.ts'
import type { LoadedValues } from './loaded-values.ts'
import { writeCall } from './write-call.ts'

/** A guest with what it has been given so far. */
type Session = { guest: Guest; values: LoadedValues; programs: Map<string, number>; nextProgram: number }

/** Above this many steps, counted generously, a run is timed. */
const untimedSteps = 1e8

const maxPrograms = 5000

/** Builds an engine on a sandbox: compiled programs and loaded values are kept, a spent sandbox is replaced. */
export function createGuestEngine(
  createGuest: () => Guest,
  test: ExpressionEngine['test'],
): ExpressionEngine {
  let session: Session | undefined
  const endSession = (): void => {
    session?.guest.dispose()
    session = undefined
  }
  const evaluate = (expression: Expression, values: ExpressionValues): Json | undefined => {
    session ??= openSession(createGuest())
    try {
      return readOutcome(runProgram(session, expression, values), expression, values)
    } catch (error) {
      if (!(error instanceof EngineError) || spentCodes.has(error.code)) endSession()
      throw error
    }
  }
  return {
    evaluate(source, values) {
      const expression = parseExpression(source)
      if (expression.refusal) {
        throw new EngineError('not_data', `The result is a promise: ${expression.refusal}`, 'a promise')
      }
      const isUsed = session !== undefined
      try {
        return evaluate(expression, values)
      } catch (error) {
        // What earlier runs left loaded must not make the difference: once more in an empty sandbox.
        if (!isUsed || !(error instanceof EngineError) || error.code !== 'memory') throw error
        return evaluate(expression, values)
      }
    },
    test,
    dispose: endSession,
  }
}

function openSession(guest: Guest): Session {
  return { guest, values: createLoadedValues(guest), programs: new Map(), nextProgram: 1 }
}

function runProgram(session: Session, expression: Expression, values: ExpressionValues): Outcome {
  const program = defineProgram(session, expression)
  session.values.takeSize()
  const spec = writeCall(program, { expression, values, loaded: session.values })
  const size = session.values.takeSize() + expression.source.length
  const steps =
    expression.degree === undefined ? Infinity : size ** expression.degree * expression.source.length
  const outcome = session.guest.evaluate(spec, steps > untimedSteps)
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

function readOutcome(outcome: Outcome, expression: Expression, values: ExpressionValues): Json | undefined {
  const kind = outcome[0]
  const payload = outcome[1]
  if (kind === 'value') return payload
  if (kind === 'undefined') return undefined
  if (kind === 'json') return JSON.parse(payload as string) as Json
  if (kind === 'refused') {
    const shown = String(payload)
    throw new EngineError('not_data', `The result is ${shown}, not data${hintNumber(shown)}`, shown)
  }
  throw new EngineError('threw', dropExcerpt(String(payload)) + listUnknown(expression, values))
}

/** V8 quotes some characters of a long text that is no JSON: part of a secret would not be recognised as one. */
function dropExcerpt(message: string): string {
  return message.replace(
    /, (?:\.\.\.".*"(?:\.\.\.)?|".*"\.\.\.) is not valid JSON$/s,
    ' in a text that is not valid JSON',
  )
}

function hintNumber(shown: string): string {
  return shown === 'NaN' ? ': a value in it is missing or is not a number' : ''
}

/** Names that do not exist explain most errors. */
function listUnknown({ parameters }: Expression, values: ExpressionValues): string {
  const unknown = parameters.filter(
    (name) =>
      name !== 'variables' &&
      name !== '$env' &&
      !documentedGlobals.has(name) &&
      values.read(name) === undefined,
  )
  return unknown.length === 0 ? '' : ` (not defined here: ${unknown.map((name) => `\`${name}\``).join(', ')})`
}
