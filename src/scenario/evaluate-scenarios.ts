import type { Position } from '../source.ts'
import { matchCondition, type ScenarioContext, type ScenarioTools } from './match-condition.ts'
import type { Scenario, Branch } from './scenario.ts'
import type { ScenarioEvaluation, ScenariosMeta } from './scenarios-meta.ts'

/** A condition that could not be evaluated; the step fails with it. */
type ScenarioFailure = { name?: string; at: Position; message: string }

/** The branches to run, in order, with the record of how each condition came out. */
type ScenarioOutcome = {
  branches: Branch[]
  meta: ScenariosMeta
  failures: ScenarioFailure[]
  /** Conditions that may never match. */
  warnings: { at: Position; message: string }[]
}

/**
 * Evaluates conditions in order: the first that matches runs its `then`, those before it run their `else` if they have one,
 * those after it are recorded as not executed. With `matchesAll` every matching scenario runs.
 */
export function evaluateScenarios(
  scenarios: readonly Scenario[],
  context: ScenarioContext,
  tools: ScenarioTools,
): ScenarioOutcome {
  const branches: Branch[] = []
  const failures: ScenarioFailure[] = []
  const evaluations: ScenarioEvaluation[] = []
  const warnings: ScenarioOutcome['warnings'] = []
  let decided = false
  for (const [index, scenario] of scenarios.entries()) {
    const { name, at, condition } = scenario
    const { matched, failure, warning } = decided
      ? { matched: false }
      : matchCondition(scenario, context, tools)
    if (warning !== undefined && failure === undefined)
      warnings.push({ at, message: `The condition \`${condition}\` ${warning}.` })
    if (failure !== undefined)
      failures.push({
        ...(name !== undefined && { name }),
        at,
        message: `The condition \`${condition}\` ${failure}`,
      })
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
    if (matched && !tools.matchesAll) decided = true
  }
  const executed = evaluations.filter((evaluation) => evaluation.executed).length
  return {
    branches,
    meta: { has_scenarios: scenarios.length > 0, executed_count: executed, evaluations },
    failures,
    warnings,
  }
}
