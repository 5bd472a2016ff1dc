import { giveSchema } from '../../../src/assertion/json-schema/load-schemas.ts'
import type { Json, JsonObject } from '../../../src/json.ts'
import { readHandlers } from '../../../src/mock/create-mock-server.ts'
import { formatPath, type ValuePath } from '../../../src/suite/source-tree.ts'
import { copyData } from '../user-code/copy-data.ts'
import { findFunctionPlace } from './functions/function-places.ts'
import { isHandler, nameHandler } from './handlers.ts'
import { nameFunction, showFunction, type LiftedFunction } from './functions/lift-functions.ts'
import { isInOperand, placeCheck } from './place/place-check.ts'
import { listReads } from './functions/list-reads.ts'
import { refuseFunction } from './functions/refuse-function.ts'
import {
  adaptSchema,
  describeSchema,
  isStandardSchema,
  type StandardSchema,
} from './functions/standard-schema.ts'

/** Something in a definition that cannot be used, by its place in the definition. */
export type LiftProblem = { path: ValuePath; message: string; hint: string }

/** A definition as plain data, what in it was not data, and what is wrong with it. */
export type Lifted = {
  value: Json | undefined
  functions: LiftedFunction[]
  /** MSW handlers by the number in the url of the mock that stands for them. */
  handlers: object[]
  problems: LiftProblem[]
}

/** As deep as a suite file may nest. */
export const MAX_LEVELS = 100

/** Key of the one entry of a map that a function gives. */
export const MAP_ENTRY = '__suitecase_map'

/**
 * Replaces the functions, Standard Schemas and MSW handlers of a definition by data that stands for them, so that the
 * rest is a suite like any other.
 */
export function liftDefinition(definition: unknown): Lifted {
  const lifted: Lifted = { value: undefined, functions: [], handlers: [], problems: [] }
  lifted.value = copyData(definition, {
    levels: MAX_LEVELS,
    take: (part, path) => takePart(part, path, { definition, lifted }),
    refuse: (path, reason) =>
      report(lifted, path, {
        message: `Expected \`${formatPath(path) || 'the suite'}\` to be data, got ${reason}.`,
        hint: 'Use texts, numbers, booleans, null, lists and object literals.',
      }),
  })
  return lifted
}

type Lift = { definition: unknown; lifted: Lifted }

function takePart(part: unknown, path: ValuePath, lift: Lift): { value: Json | undefined } | undefined {
  const { lifted } = lift
  if (part === undefined) refuseUndefined(path, lifted)
  if (isStandardSchema(part)) return { value: liftSchema(part, path, lifted) }
  if (typeof part === 'function') return { value: liftFunction(part as LiftedFunction['call'], path, lift) }
  if (part instanceof RegExp) return { value: liftPattern(part, path, lifted) }
  if (typeof path.at(-1) === 'number' && path.at(-2) === 'mocks' && isHandler(part))
    return { value: liftHandler(part, path, lifted) }
  return undefined
}

/** Elsewhere a member that is undefined is as good as none: here a check would be lost without a word. */
function refuseUndefined(path: ValuePath, lifted: Lifted): void {
  const place = findFunctionPlace(path)
  if (place?.role === 'value' && place.afterResponse && !isInOperand(path))
    report(lifted, path, {
      message: `\`${formatPath(path)}\` is undefined, which says nothing.`,
      hint: 'Write a value, `exists: false` for one that must not be there, or leave it out.',
    })
}

function liftHandler(handler: object, path: ValuePath, lifted: Lifted): Json {
  try {
    readHandlers([handler])
  } catch (error) {
    report(lifted, path, { message: `${(error as Error).message}.`, hint: 'Use `http` or `graphql` of MSW.' })
  }
  return { url: nameHandler(lifted.handlers.push(handler) - 1) }
}

function liftFunction(
  call: LiftedFunction['call'],
  path: ValuePath,
  { definition, lifted }: Lift,
): Json | undefined {
  const place = findFunctionPlace(path)
  const refused = refuseFunction(call, path, place)
  if (refused || !place) {
    if (refused) report(lifted, path, refused)
    return undefined
  }
  const index = lifted.functions.push({ ...place, call, shown: showFunction(call) }) - 1
  const name = nameFunction(index, listReads(call, path, definition))
  if (place.role === 'condition') return name
  if (place.role === 'map') return { [MAP_ENTRY]: `{{${name}}}` }
  return `{{${name}}}`
}

/** A schema stands for the `schema` check of the value at its place. */
function liftSchema(schema: StandardSchema, path: ValuePath, lifted: Lifted): Json | undefined {
  const operand = describeSchema(schema) as JsonObject
  giveSchema(operand, adaptSchema(schema))
  return placeCheck(path, { operator: 'schema', operand }) ?? refuseCheck(lifted, path, 'A Standard Schema')
}

/** A pattern stands for the `pattern` check: its source, or `/source/flags`. */
function liftPattern({ source, flags }: RegExp, path: ValuePath, lifted: Lifted): Json | undefined {
  const kept = flags.replaceAll(/[gyd]/g, '')
  const operand = kept === '' ? source : `/${source}/${kept}`
  return (
    placeCheck(path, { operator: 'pattern', operand }) ?? refuseCheck(lifted, path, 'A regular expression')
  )
}

function refuseCheck(lifted: Lifted, path: ValuePath, what: string): undefined {
  report(lifted, path, {
    message: `${what} is not allowed at \`${formatPath(path)}\`.`,
    hint: 'It judges a value of the response: `assert.body`, a field below it, or the elements of `each`.',
  })
  return undefined
}

function report({ problems }: Lifted, path: ValuePath, problem: { message: string; hint: string }): void {
  problems.push({ path, ...problem })
}
