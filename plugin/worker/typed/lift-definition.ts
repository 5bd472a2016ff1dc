import { types } from 'node:util'
import { operatorNames, operators } from '../../../src/assertion/operators/operators.ts'
import { giveSchema } from '../../../src/assertion/json-schema/load-schemas.ts'
import { isLiteral, type Json, type JsonObject } from '../../../src/json.ts'
import { refuseHandler } from '../../../src/mock/refuse-handler.ts'
import { formatPath, type ValuePath } from '../../../src/suite/source-tree.ts'
import { copyData } from '../copy-data.ts'
import { findFunctionPlace, type FunctionPlace } from './functions/function-places.ts'
import { isHandler, nameHandler } from './handlers.ts'
import { nameFunction, showFunction, type LiftedFunction } from './functions/lift-functions.ts'
import { findReads, listReads } from './functions/find-reads.ts'
import { adaptSchema, describeSchema, isStandardSchema } from './functions/standard-schema.ts'
import type { StandardSchema } from './functions/standard-schema.ts'

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

/** The lists and maps of a definition as they are now: what its file makes of them later is for suites defined later. */
export function keepDefinition<Part>(part: Part, kept = new Map<object, unknown>(), level = 0): Part {
  if (typeof part !== 'object' || part === null || isStandardSchema(part) || level > MAX_LEVELS) return part
  if (!Array.isArray(part) && !isLiteral(part)) return part
  if (kept.has(part)) return kept.get(part) as Part
  const copy: object = Array.isArray(part) ? [] : {}
  kept.set(part, copy)
  for (const [key, member] of Object.entries<PropertyDescriptor>(Object.getOwnPropertyDescriptors(part))) {
    // What a getter gives is read, or refused, with the rest of the suite.
    if ('value' in member) member.value = keepDefinition(member.value as unknown, kept, level + 1)
    Object.defineProperty(copy, key, member)
  }
  return copy as Part
}

/**
 * Replaces the functions, Standard Schemas and MSW handlers of a definition by data that stands for them, so that the
 * rest is a suite like any other.
 */
export function liftDefinition(definition: unknown): Lifted {
  const [functions, handlers, problems]: [LiftedFunction[], object[], LiftProblem[]] = [[], [], []]
  const report = (path: ValuePath, message: string, hint: string): undefined =>
    void problems.push({ path, message, hint })

  function take(part: unknown, path: ValuePath): { value: Json | undefined } | undefined {
    if (part === undefined) refuseUndefined(path)
    if (isStandardSchema(part)) return { value: liftSchema(part, path) }
    if (typeof part === 'function') return { value: liftFunction(part as LiftedFunction['call'], path) }
    if (part instanceof RegExp) return { value: liftPattern(part, path) }
    if (typeof path.at(-1) === 'number' && path.at(-2) === 'mocks' && isHandler(part))
      return { value: liftHandler(part, path) }
    return undefined
  }

  /** Elsewhere a member that is undefined is as good as none: here a check would be lost without a word. */
  function refuseUndefined(path: ValuePath): void {
    const place = findFunctionPlace(path)
    const isPart = place?.role === 'value' && place.afterResponse
    if (ALL_CHECKS.test(path.join('/')) || (isPart && path.at(-1) !== 'optional' && !isInOperand(path)))
      report(
        path,
        `\`${formatPath(path)}\` is undefined, which says nothing.`,
        'Write a value, `exists: false` for one that must not be there, or leave it out.',
      )
  }

  function liftHandler(handler: object, path: ValuePath): Json {
    const refusal = refuseHandler(handler)
    if (refusal !== undefined) report(path, `${refusal}.`, 'Use `http` or `graphql` of MSW.')
    return { url: nameHandler(handlers.push(handler) - 1) }
  }

  function liftFunction(call: LiftedFunction['call'], path: ValuePath): Json | undefined {
    const place = findFunctionPlace(path)
    const refused = refuseFunction(call, path, place)
    if (!place || refused) return refused && report(path, ...refused)
    const index = functions.push({ ...place, call, shown: showFunction(call) }) - 1
    const name = nameFunction(index, listReads(call, path, definition))
    if (place.role === 'condition') return name
    if (place.role === 'map') return { [MAP_ENTRY]: `{{${name}}}` }
    return `{{${name}}}`
  }

  /** A schema stands for the `schema` check of the value at its place. */
  function liftSchema(schema: StandardSchema, path: ValuePath): Json | undefined {
    const operand = describeSchema(schema) as JsonObject
    giveSchema(operand, adaptSchema(schema))
    return placeCheck(path, 'schema', operand) ?? refuseCheck(path, 'A Standard Schema', 'schema')
  }

  /** A pattern stands for the `pattern` check: its source, or `/source/flags`. */
  function liftPattern({ source, flags }: RegExp, path: ValuePath): Json | undefined {
    const kept = flags.replaceAll(/[gyd]/g, '')
    const operand = kept === '' ? source : `/${source}/${kept}`
    return placeCheck(path, 'pattern', operand) ?? refuseCheck(path, 'A regular expression', 'pattern')
  }

  function refuseCheck(path: ValuePath, what: string, operator: string): undefined {
    const key = String(path.at(-1))
    return report(
      path,
      `${what} is not allowed at \`${formatPath(path)}\`.`,
      path.includes('assert') && operatorNames.includes(key)
        ? `\`${key}\` compares with data: write it as the check \`${operator}\`.`
        : 'It judges a value of the response: `assert.body`, a field below it, or the elements of `each`.',
    )
  }

  const value = copyData(definition, {
    levels: MAX_LEVELS,
    take,
    refuse: (path, reason) =>
      report(
        path,
        `Expected ${path.length === 0 ? 'the suite' : `\`${formatPath(path)}\``} to be data, got ${reason}.`,
        reason === 'a promise'
          ? 'Write `await` before it.'
          : 'Use texts, numbers, booleans, null, lists and object literals.',
      ),
  })
  return { value, functions, handlers, problems }
}

/** The checks of a step, and those of all steps. */
const ALL_CHECKS =
  /^(?:defaults\/assert|(?:setup|steps|teardown)\/\d+\/(?:scenarios\/\d+\/(?:then|else)\/)?assert)$/

function refuseFunction(
  call: LiftedFunction['call'],
  path: ValuePath,
  place: FunctionPlace | undefined,
): [message: string, hint: string] | undefined {
  const field = formatPath(path) || 'the suite'
  if (!place)
    return [
      `A function is not allowed at \`${field}\`.`,
      path.includes('mocks')
        ? 'For an answer that is computed use an MSW handler such as `http.get(url, resolver)`.'
        : 'Parts of a request, conditions, captures and expected values can be functions.',
    ]
  if (types.isAsyncFunction(call) || types.isGeneratorFunction(call))
    return [
      `The function at \`${field}\` is ${types.isAsyncFunction(call) ? 'asynchronous' : 'a generator'}.`,
      'Functions of a suite give their value at once: get what has to be waited for in a step of its own.',
    ]
  // A step runs only after those that give what its defaults read.
  if (path[0] === 'defaults' && !findReads(call))
    return [
      `The text of the function at \`${field}\` does not tell which variables it reads.`,
      'Name them in it, as in `({ variables }) => variables.token`.',
    ]
  return undefined
}

const CHECKED =
  /^(?:setup|steps|teardown)\/\d+\/(?:scenarios\/\d+\/(?:then|else)\/)?assert\/(?:body|headers)(?:[.[/]|$)/

/**
 * Writes the check that a Standard Schema or regular expression stands for at its place: the operand alone below the
 * operator's own name, else the operator with it. Undefined where no value of the response is judged.
 */
function placeCheck(path: ValuePath, operator: 'schema' | 'pattern', operand: Json): Json | undefined {
  const below = path.slice(path.indexOf('assert') + 1)
  if (!CHECKED.test(path.join('/')) || below.some((key) => typeof key === 'number') || isInOperand(path))
    return undefined
  const names = listNames(path)
  const key = names.at(-1) as string
  if (names.length === 1 || names.at(-2) === 'field' || !operatorNames.includes(key))
    return { [operator]: operand }
  if (key === operator || (operator === 'pattern' && key === 'regex')) return operand
  return operators[key]?.nested ? { [operator]: operand } : undefined
}

/** True inside of what a check compares with as a whole, such as the map of an `equals`. */
function isInOperand(path: ValuePath): boolean {
  const names = listNames(path).slice(0, -1)
  return names.some(
    (name, index) =>
      Object.hasOwn(operators, name) && !operators[name]?.nested && names[index - 1] !== 'field',
  )
}

/** The fields and operators that lead to a value below `assert`, those of flat keys one by one; names of headers and in quotes are whole. */
function listNames(path: ValuePath): string[] {
  const below = path.slice(path.indexOf('assert') + 1)
  const flat = below.map((key, index) => (index === 1 && below[0] === 'headers' ? 'header' : key)).join('.')
  return flat.replaceAll(/\["[^"]*"\]/g, '.quoted').split('.')
}
