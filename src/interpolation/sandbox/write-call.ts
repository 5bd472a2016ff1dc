import type { Json } from '../../json.ts'
import type { ExpressionValues } from '../expression-engine.ts'
import type { Expression } from '../syntax/expression.ts'
import { documentedGlobals } from './documented-globals.ts'
import type { Primitive } from './guest.ts'
import type { LoadedValues } from './loaded-values.ts'

/** An expression, where its names are read, and what its sandbox holds already. */
export type Call = { expression: Expression; values: ExpressionValues; loaded: LoadedValues }

/** Writes the call of a program with the values of its parameters, as `Guest` describes it; loads what is not loaded yet. */
export function writeCall(program: number, call: Call): Primitive[] {
  const spec: Primitive[] = [program]
  for (const name of call.expression.parameters) pushParameter(spec, name, call)
  return spec
}

function pushParameter(spec: Primitive[], name: string, { expression, values, loaded }: Call): void {
  const { members } = expression
  if (name === 'variables') {
    if (!members.variables) pushValue(spec, values.readAllVariables(), loaded)
    else
      pushNames(
        spec,
        members.variables.map((key) => [key, values.readVariable(key)]),
        loaded,
      )
  } else if (name === '$env') {
    pushNames(
      spec,
      members.$env.map((key) => [key, values.readEnv(key)]),
      loaded,
    )
  } else {
    const value = values.read(name)
    if (value === undefined && documentedGlobals.has(name)) spec.push('global', name)
    else pushValue(spec, value, loaded)
  }
}

type Named = readonly [name: string, value: Json | undefined]

function pushNames(spec: Primitive[], names: readonly Named[], loaded: LoadedValues): void {
  const present = names.filter(([, value]) => value !== undefined)
  spec.push('names', present.length)
  for (const [name, value] of present) {
    spec.push(name)
    pushValue(spec, value, loaded)
  }
}

function pushValue(spec: Primitive[], value: Json | undefined, loaded: LoadedValues): void {
  if (typeof value === 'object' && value !== null) spec.push('loaded', loaded.load(value))
  else spec.push('value', loaded.pass(value))
}
