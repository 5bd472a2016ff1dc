import type { RegExpSpec } from '../interpolation/expressions/expression-engine.ts'
import type { Json } from '../json.ts'
import type { Check } from './check.ts'
import type { Schemas } from './json-schema/load-schemas.ts'

/** What evaluating checks needs from the rest of the run. */
export type CheckTools = {
  /** Fills in `{{…}}`; throws an Error whose message becomes the check's failure. */
  interpolate: (value: Json) => Json
  /** Evaluates a JavaScript condition; `value` shows its result, `error` says why it could not be evaluated, `misspelt` what it may have passed by. */
  condition(source: string): {
    passed: boolean
    value: string
    error?: string
    misspelt?: string | undefined
  }
  /** Tests a pattern with a time limit; throws when the limit is reached. */
  test(pattern: RegExpSpec, subject: string): boolean
  /** Compiled schemas of the `schema` checks, from `loadSchemas`. */
  schemas?: Schemas | undefined
  /** How many answers of a burst pass all of these checks. */
  countResponses?: (where: readonly Check[]) => number
  /** Numbers and booleans equal their texts. */
  isLoose?: boolean
  /** ms one `each` check may take. @default 10000 */
  eachLimit?: number | undefined
}
