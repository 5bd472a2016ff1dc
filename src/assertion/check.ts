import { toText, type Json } from '../json.ts'
import type { PathStep } from '../path/field-path.ts'
import type { Position } from '../source.ts'
import type { CheckTarget } from './targets.ts'

/** One check of a step. Loading a suite flattens the author's tree of checks into a list of these. */
export type Check = {
  target: CheckTarget
  /** The value as messages name it: `headers.content-type`, `body.items[0].id`; or a custom check's name. */
  field: string
  /** The path below the target. Header names are in lower case; for XPath and CSS it is the expression. */
  path: readonly PathStep[]
  /** Name in the operators table (`equals`, `minLength` …); `condition` for custom checks. */
  operator: string
  /** The operand as written, possibly with `{{…}}` inside; for custom checks the condition's source text. */
  expected: Json
  message?: string
  /** The checks in the operand of `each`, `not` and the like; their paths start at the element or value. */
  checks?: Check[]
  /** True if it is about a count, so that a template in its operand must give one, too. */
  isCount?: true
  /** True if a check beside this one says how many elements there may be, so the list may be empty. */
  mayBeEmpty?: true
  /** With `optional: true`: the lengths of the paths to the values that may be missing. */
  optional?: number[]
  /** True if the author did not write it: errors fail a GraphQL step, unless a check says what to expect. */
  isImplied?: true
  at: Position
}

/** True for a check on the errors of a GraphQL response or on its whole body, even in a `where` of `responses`. */
export function asksOfErrors({ target, path, operator, expected, checks = [] }: Check): boolean {
  if (target === 'responses') return checks.some(asksOfErrors)
  if (target === 'custom') return /\bbody\??\.errors\b/.test(expected as string)
  return target === 'body' && (path.length === 0 ? operator === 'equals' : path[0] === 'errors')
}

/** True if one of the checks looks at a target, or is a condition that mentions its name. */
export function asksFor(checks: readonly Check[], name: string): boolean {
  return checks.some(
    ({ target, expected }) => target === name || (target === 'custom' && (expected as string).includes(name)),
  )
}

/** The OpenAPI documents that checks name. */
export function listContracts(checks: readonly Check[]): string[] {
  return checks.flatMap(({ target, expected }) => (target === 'openapi' ? [expected as string] : []))
}

/** The checks, and those in their operands. */
export function flattenChecks(checks: readonly Check[]): Check[] {
  return checks.flatMap((check) => [check, ...flattenChecks(check.checks ?? [])])
}

const CONTENT = /\b(?:status_code|openapi|headers|cookies|body|xpath|css|events|size_bytes)\b/

/** True if a failed check judged the status, the headers or the content of a response, or could not read its operand there. */
export function isOfResponse({ field, operator, expected, unjudged }: CheckResult): boolean {
  const written = toText(expected)
  if (unjudged === 'operand') return CONTENT.test(/\{\{[^]*/.exec(written)?.[0] ?? '')
  return CONTENT.test(operator === 'condition' ? written : (field.split('[', 1)[0] as string))
}

/** A row of `assertions_results`, exactly the fields of a result file. */
export type AssertionResult = {
  /** `status_code`, `headers.<name>.<check>`, `body.<path>.<check>`, the name of a custom check. */
  field: string
  expected: Json
  actual: Json
  passed: boolean
  /** `OK`, what differs, or the author's message. */
  message: string
}

/** Why a check failed, in addition to its message. */
export type FailureDetails = {
  /** Values whose structural diff shows the failure; absent when only the message tells. */
  diff?: { expected: Json; actual: Json | undefined }
  /** Present on a snapshot check: `passed` stays false until the Vitest adapter has compared this value. */
  snapshot?: { name?: string; value: Json }
  /** What made a comparison impossible (also by being missing), so `not` must not invert the failure. */
  unjudged?: 'operand' | 'value' | undefined
  /** A cause that other checks share: a missing part of the path, a wrong type, an unreadable document. */
  gap?: string | undefined
}

/** A row with what the Vitest adapter needs to turn it into a native failure. */
export type CheckResult = AssertionResult &
  FailureDetails & {
    operator: string
    at: Position
    /** What a failed condition read. */
    reads?: string | undefined
    /** What the author should know although nothing failed. */
    warning?: string
  }
