import { operatorNames, operators } from '../../../src/assertion/operators/operators.ts'
import { givenSchemas } from '../../../src/assertion/json-schema/load-schemas.ts'
import type { Json, ValuePath } from '../../../src/json.ts'
import { keepHandler, refuseHandler } from '../../../src/mock/handlers.ts'
import { formatFieldPath } from '../../../src/path/field-path.ts'
import { copyData, MATCHER } from '../../contract/copy-data.ts'
import { findRole, isJudged } from './functions/function-places.ts'
import { liftFunction, showFunction, type LiftedFunction } from './functions/lift-functions.ts'
import { findReads } from './functions/find-reads.ts'
import { adaptSchema, isStandardSchema, type StandardSchema } from './functions/standard-schema.ts'

/** Something in a definition that cannot be used, with its place. */
export type LiftProblem = { path: ValuePath; message: string; hint: string }

/** What to do instead, by what a value is. */
const HINTS: Readonly<Record<string, string>> = {
  'a promise': 'Write `await` before it.',
  [MATCHER]: "Write a check, such as `{ type: 'string' }` for `expect.any(String)`, or a Standard Schema.",
}

/** Keys of the parts of a suite that hold checks, or decide which are made. */
const CHECKED = new Set(['assert', 'capture', 'scenarios', 'exchange', 'until', 'events', 'when', 'times'])

/** Copies a definition. Functions, Standard Schemas, regular expressions and MSW handlers become data. */
export class DefinitionLifter {
  readonly problems: LiftProblem[] = []

  /** Copies a part of the definition. `place` is where it is. What cannot be copied is added to the problems. */
  lift(part: unknown, place: ValuePath = []): Json | undefined {
    return copyData(part, {
      take: (value, below) => this.#take(value, [...place, ...below]),
      refuse: (below, reason) => {
        const path = [...place, ...below]
        this.#report(
          path,
          `Expected ${path.length === 0 ? 'the suite' : `\`${formatFieldPath(path)}\``} to be data, got ${reason}.`,
          HINTS[reason] ?? 'Use strings, numbers, booleans, null, lists and object literals.',
        )
      },
    })
  }

  #report(path: ValuePath, message: string, hint: string): undefined {
    this.problems.push({ path, message, hint })
  }

  /** Handles what is not data, and what would silently get lost. */
  #take(part: unknown, path: ValuePath): { value: Json | undefined } | undefined {
    if (part === undefined) this.#refuseUndefined(path)
    if (isStandardSchema(part)) return { value: this.#liftSchema(part, path) }
    if (typeof part === 'function') return { value: this.#liftFunction(part as LiftedFunction['call'], path) }
    if (part instanceof RegExp) return { value: this.#liftPattern(part, path) }
    const isMock = typeof path.at(-1) === 'number' && path.at(-2) === 'mocks'
    const isHandler = typeof (part as { run?: unknown } | null)?.run === 'function'
    return isMock && isHandler ? { value: this.#liftHandler(part as object, path) } : undefined
  }

  /** Refuses undefined where a check might silently get lost. In other parts it means to leave the member out. */
  #refuseUndefined(path: ValuePath): void {
    const part = path.map(String).find((key) => CHECKED.has(key) || key === 'request' || key === 'variables')
    if (part !== undefined && CHECKED.has(part))
      this.#report(
        path,
        `\`${formatFieldPath(path)}\` is undefined, which checks nothing.`,
        'Write a value, or leave it out. To require that a field is absent, use `exists: false`.',
      )
  }

  #liftHandler(handler: object, path: ValuePath): Json {
    const refusal = refuseHandler(handler)
    if (refusal !== undefined) this.#report(path, `${refusal}.`, 'Use `http` or `graphql` of MSW.')
    return { url: keepHandler(handler) }
  }

  #liftFunction(call: LiftedFunction['call'], path: ValuePath): Json | undefined {
    const role = findRole(path)
    if (!role)
      return this.#report(
        path,
        `A function is not allowed at \`${formatFieldPath(path)}\`.`,
        'Conditions, captures, expected values and single values of a request can be functions, and mocks MSW handlers.',
      )
    const isEarly = role === 'value' || path.includes('skip')
    const reads = findReads(call) ?? (isEarly ? ['variables'] : ['variables', 'body'])
    const name = liftFunction({ role, call, shown: showFunction(call) }, reads)
    return role === 'condition' ? name : `{{${name}}}`
  }

  #liftSchema(schema: StandardSchema, path: ValuePath): Json | undefined {
    const operand = { schema: schema['~standard'].vendor }
    givenSchemas.set(operand, adaptSchema(schema))
    return this.#placeCheck(path, 'schema', operand)
  }

  /** Replaces a pattern with the `pattern` check: its source, or `/source/flags`. */
  #liftPattern({ source, flags }: RegExp, path: ValuePath): Json | undefined {
    const kept = flags.replaceAll(/[gyd]/g, '')
    return this.#placeCheck(path, 'pattern', kept === '' ? source : `/${source}/${kept}`)
  }

  /** Places a check: the operand alone under the operator's own name, elsewhere a map with both. */
  #placeCheck(path: ValuePath, operator: 'schema' | 'pattern', operand: Json): Json | undefined {
    const key = String(path.at(-1))
    // Below `field` the key is the name of a field, not an operator.
    const isOwn = path.at(-2) !== 'field' && (key === operator || (operator === 'pattern' && key === 'regex'))
    const holder = isOwn ? path.slice(0, -1) : path
    if (isJudged(path) && !isWithinOperand(holder)) return isOwn ? operand : { [operator]: operand }
    return this.#report(
      path,
      `${operator === 'schema' ? 'A Standard Schema' : 'A regular expression'} is not allowed at \`${formatFieldPath(path)}\`.`,
      `It is the check \`${operator}\` of a value of the response, beside other checks: of \`assert.body\`, \`data\` or \`events\`, a field below it, or the elements of \`each\`.`,
    )
  }
}

/** True for the operand of a comparison, such as the map of an `equals`, and everything in it. */
function isWithinOperand(path: ValuePath): boolean {
  const names = path
    .slice(path.indexOf('assert') + 1)
    .join('.')
    .split('.')
  return names.some((name, at) => isComparison(name) && names[at - 1] !== 'field')
}

/** True for an operator whose operand is a value, or checks on a number. */
function isComparison(name: string): boolean {
  return operatorNames.includes(name) && [undefined, 'count'].includes(operators[name]?.nested)
}
