import { unwrapExpression } from '../interpolation/explain-bad-condition.ts'
import type { PlacedMessage } from '../errors.ts'
import type { Scenario, Branch } from './scenario.ts'
import type { ScenarioEvaluation, ScenariosMeta } from './scenarios-meta.ts'
import { explainUnreadable, type CheckTools, type ResponseContext } from '../assertion/check-context.ts'
import { quoteCode, showValue } from '../text/show-value.ts'
import { compilePath, type CompiledPath } from '../path/compile-path.ts'
import { preparePathData } from '../capture/take-captures.ts'
import { tracePath, type Trace } from '../path/interpreter.ts'
import { explainTypes, findNearMiss } from '../path/walk-path.ts'
import type { Json, JsonObject } from '../json.ts'
import { asksForNothing } from '../interpolation/doubt-condition.ts'
import { findMeant } from '../interpolation/suggest-reference.ts'
import { suggestName } from '../text/suggest.ts'

/**
 * Evaluates conditions in order. The first that matches runs its `then`; those before it run their `else`, if
 * any. With `isLenient`, every matching scenario runs, and any truthy JMESPath value matches. Conditions in
 * `failures` could not be evaluated and fail the step; those in `warnings` may never match.
 */
export function evaluateScenarios(
  scenarios: readonly Scenario[],
  context: ScenarioContext,
  tools: ScenarioTools,
) {
  const branches: Branch[] = []
  const failures: PlacedMessage[] = []
  const evaluations: ScenarioEvaluation[] = []
  const warnings: PlacedMessage[] = []
  let decided = false
  for (const [index, scenario] of scenarios.entries()) {
    const { at, condition } = scenario
    const match: Match = decided ? { matched: false } : matchCondition(scenario, context, tools)
    const { matched, failure, warning } = match
    if (failure !== undefined)
      failures.push({ at, message: `The condition ${quoteCode(condition)} ${failure}` })
    else if (warning !== undefined)
      warnings.push({ at, message: `The condition ${quoteCode(condition)} ${warning}.` })
    const branch = decided || failure !== undefined ? undefined : matched ? scenario.then : scenario.otherwise
    if (branch) branches.push(branch)
    evaluations.push({
      index: index + 1,
      condition,
      matched,
      executed: branch !== undefined,
      branch: branch === undefined ? 'none' : matched ? 'then' : 'else',
      assertions_added: branch?.checks.length ?? 0,
      captures_added: branch?.captures.length ?? 0,
      evaluated: !decided,
    })
    if (matched && !tools.isLenient) decided = true
  }
  const meta: ScenariosMeta = { has_scenarios: true, executed_count: branches.length, evaluations }
  return { branches, meta, failures, warnings }
}

export type ScenarioContext = ResponseContext & { variables: JsonObject }

type ScenarioTools = Pick<CheckTools, 'condition' | 'isLenient' | 'limits'>

/** How a condition came out; `failure` says why that is unknown, `warning` why it may never match or matched by accident. */
type Match = { matched: boolean; failure?: string | undefined; warning?: string | undefined }

/** Matches a condition: `true` matches, `false` and a missing value do not. Any other value is a failure. */
function matchCondition(scenario: Scenario, context: ScenarioContext, tools: ScenarioTools): Match {
  try {
    const unreadable = explainUnreadable(scenario.condition, context)
    if (unreadable !== undefined) throw new Error(unreadable)
    return scenario.kind === 'js' ? matchScript(scenario, tools) : matchPath(scenario, context, tools)
  } catch (error) {
    return { matched: false, failure: `could not be evaluated: ${(error as Error).message}` }
  }
}

function matchScript({ condition }: Scenario, tools: ScenarioTools): Match {
  const { passed, value, doubt, error, failure } = tools.condition(unwrapExpression(condition))
  if (error !== undefined) throw new Error(error)
  if (passed || (!failure && ['false', 'undefined', 'null'].includes(value)))
    return { matched: passed, warning: doubt }
  const odd = failure ? `failed with \`${value}\`` : `gave \`${value}\`, which is neither true nor false`
  if (!tools.isLenient) return { matched: false, failure: odd }
  return { matched: false, warning: `does not match: it ${odd}${doubt ? `; it ${doubt}` : ''}` }
}

function matchPath({ condition }: Scenario, context: ScenarioContext, tools: ScenarioTools): Match {
  const { isLenient, limits } = tools
  const path = compilePath(condition) as CompiledPath
  const { variables } = context
  const data = Object.assign(Object.create(null) as JsonObject, preparePathData(context), { variables })
  const trace = tracePath(path.node, data, limits.expression)
  const { value } = trace
  const odd = explainTypes(path, trace)?.replace(`${quoteCode(path.source)} `, '')
  // A condition that accepts either of two types (`id == '5' || id == `5``) always has one comparison that does not fit.
  const isEither = condition.includes('||')
  const unset =
    isLenient || asksForNothing.test(condition) ? undefined : findUnset(condition, trace, variables)
  if (value === true && unset !== undefined)
    return { matched: false, failure: `could not be evaluated: \`variables.${unset}\` has no value` }
  if (value === true || (isLenient && isTruthy(value))) {
    const typo = asksForNothing.test(condition) ? undefined : explainMisspelt(trace, findMeant)
    return { matched: true, warning: typo ?? (isEither ? undefined : odd) }
  }
  if (!isLenient && !isEither && odd !== undefined) return { matched: false, failure: odd }
  if (isLenient || value === false || value === null)
    return { matched: false, warning: explainMisspelt(trace, suggestName) ?? odd }
  const failure = `gave ${showValue(value)}, which is neither true nor false; compare it, for example with \`!= null\``
  return { matched: false, failure }
}

// JMESPath specification: false, null, and empty strings, arrays and objects count as false.
function isTruthy(value: Json): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return value !== false && value !== null && value !== ''
}

/** The first unset variable that a condition reads, and neither negates nor compares with a literal. */
function findUnset(condition: string, { lookups }: Trace, variables: JsonObject): string | undefined {
  const isAsked = (name: string): boolean => {
    const [before = '', ...after] = condition.split(`variables.${name}`)
    return before.endsWith('!') || after.some((rest) => /^\s*[!=]=\s*['`]/.test(rest))
  }
  const read = [...lookups].flatMap(([{ name }, { last }]) => (last === variables ? name : []))
  return read.find((name) => variables[name] === undefined && !isAsked(name))
}

function explainMisspelt(trace: Trace, suggest: typeof suggestName): string | undefined {
  const near = findNearMiss(trace, suggest)
  return near && `reads \`${near.name}\`, which is not there (did you mean \`${near.nearest}\`?)`
}
