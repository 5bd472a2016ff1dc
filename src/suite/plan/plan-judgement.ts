import { parseAssertions } from '../../assertion/parse/parse-assertions.ts'
import type { AssertionOptions } from '../../assertion/parse/parse-state.ts'
import { parseCaptures } from '../../capture/capture.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { Locate, Problem } from '../../problem.ts'
import { parseScenarios } from '../../scenario/scenario.ts'
import type { ExchangeKind } from '../../path/exchange-fields.ts'
import type { LoadContext } from '../load-context.ts'
import type { StepPlan } from './plan.ts'
import { readKind } from './plan-exchange.ts'
import { reportEmptyChecks } from '../check/report-empty-checks.ts'
import type { ValuePath } from '../source-tree.ts'
import { validateCondition } from '../check/validate-condition.ts'

/** Checks, captures and scenarios of a step, and the names it gives to later ones; what cannot be read is reported. */
export function planJudgement(
  step: JsonObject,
  path: ValuePath,
  context: LoadContext,
): Pick<StepPlan, 'checks' | 'captures' | 'scenarios' | 'gives'> {
  const { assert, capture, scenarios: list } = step
  const part = { path, kind: readKind(step), context }
  const checks = isJsonObject(assert)
    ? parsePart('assert', assert, { ...part, parse: parseAssertions }).checks
    : []
  const captures = isJsonObject(capture)
    ? parsePart('capture', capture, { ...part, parse: parseCaptures }).captures
    : []
  const scenarios = Array.isArray(list)
    ? parsePart('scenarios', list, { ...part, parse: parseScenarios }).scenarios
    : []
  for (const place of listAsserts(step)) reportEmptyChecks([...path, ...place], context)
  const branches = scenarios.flatMap(({ then, otherwise }) => [then, otherwise])
  const gives = [captures, ...branches.map((branch) => branch?.captures ?? [])].flat().map(({ name }) => name)
  const set = branches.flatMap((branch) => Object.keys(branch?.variables ?? {}))
  return { checks, captures, scenarios, gives: [...new Set([...gives, ...set])] }
}

/** Where the checks of a step stand: its own, and those of its scenarios. */
function listAsserts({ assert, scenarios }: JsonObject): ValuePath[] {
  const own = isJsonObject(assert) ? [['assert']] : []
  const list = Array.isArray(scenarios) ? scenarios : []
  const branches = list.flatMap((scenario, index) =>
    ['then', 'else'].flatMap((key) => {
      const branch = isJsonObject(scenario) ? scenario[key] : undefined
      return isJsonObject(branch) && isJsonObject(branch['assert'])
        ? [['scenarios', index, key, 'assert']]
        : []
    }),
  )
  return [...own, ...branches]
}

type Part<Parsed> = {
  path: ValuePath
  kind: ExchangeKind | undefined
  context: LoadContext
  inner?: number
  parse: (tree: Json, locate: Locate, options: AssertionOptions) => Parsed
}

/** Parses what stands at a key; what is wrong with it is reported. `inner` keys at the start of its paths are not written. */
export function parsePart<Parsed extends { problems: Problem[] }>(
  key: string,
  tree: Json,
  { path, kind, context, parse, inner = 0 }: Part<Parsed>,
): Parsed {
  const options = { validateExpression: validateCondition, ...(kind && { kind }) }
  const place = (below: ValuePath): ValuePath => [...path, key, ...below.slice(inner)]
  const parsed = parse(tree, (below) => context.locate(place(below)), options)
  for (const { path: below, ...problem } of parsed.problems) {
    const isLeft = context.rules.isLenient && problem.severity === undefined
    const part = problem.code === 'unknown-field' ? 'key' : undefined
    context.report(place(below), isLeft ? leaveOut(problem) : problem, part)
  }
  return parsed
}

function leaveOut(problem: Omit<Problem, 'path'>): Omit<Problem, 'path'> {
  const done = problem.code === 'unknown-field' ? 'ignored' : 'left out'
  return { ...problem, code: 'ignored', severity: 'warning', message: `${problem.message} It is ${done}.` }
}
