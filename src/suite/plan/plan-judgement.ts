import type { OperandKind } from '../../assertion/operators/operator.ts'
import { operators } from '../../assertion/operators/operators.ts'
import { parseAssertions } from '../../assertion/parse/parse-assertions.ts'
import { parseCaptures } from '../../capture/capture.ts'
import type { ProblemText, ParsePlace } from '../../errors.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'
import { parseScenarios } from '../../scenario/scenario.ts'
import type { LoadContext } from '../load-context.ts'
import { listBranches, type StepPlan } from './plan.ts'
import { readKind } from './plan-exchange.ts'
import { findNode, formatPath, type ValuePath, type SourceNode } from '../source-tree.ts'

/** Checks, captures and scenarios of a step, and the names it gives to later ones; what cannot be read is reported. */
export function planJudgement(
  step: JsonObject,
  path: ValuePath,
  context: LoadContext,
): Pick<StepPlan, 'checks' | 'captures' | 'scenarios' | 'gives'> {
  const { assert, capture, scenarios: list } = step
  const kind = readKind(step)
  const placeOf = (key: string): ParsePlace => placeParser([...path, key], context)
  const checks = isJsonObject(assert) ? parseAssertions(assert, placeOf('assert'), kind) : []
  const captures = isJsonObject(capture) ? parseCaptures(capture, placeOf('capture'), kind) : []
  const scenarios = Array.isArray(list) ? parseScenarios(list, placeOf('scenarios'), kind) : []
  reportEmptyChecks(path, context)
  const branches = listBranches(scenarios)
  const names = [captures, ...branches.map((branch) => branch.captures)].flat().map(({ name }) => name)
  const set = branches.flatMap(({ variables }) => Object.keys(variables))
  return { checks, captures, scenarios, gives: [...new Set([...names, ...set])] }
}

/** The place of a parser at a path of the suite; a lenient grammar leaves out what is wrong there. */
export function placeParser(path: ValuePath, context: LoadContext): ParsePlace {
  return {
    locate: (below) => context.locate([...path, ...below]),
    report(below, problem) {
      const isLeft = context.rules.isLenient && problem.severity === undefined
      const part = problem.code === 'unknown-field' ? 'key' : undefined
      context.report([...path, ...below], isLeft ? leaveOut(problem) : problem, part)
    },
  }
}

function leaveOut(problem: ProblemText): ProblemText {
  const done = problem.code === 'unknown-field' ? 'ignored' : 'left out'
  return { ...problem, code: 'ignored', severity: 'warning', message: `${problem.message} It is ${done}.` }
}

// What is below operators with these operands is data, where nothing written is a null like any other.
const DATA = new Set<OperandKind | undefined>(['any', 'list', 'schema', 'snapshot'])

// The keys of a step below which there are checks.
const AROUND = new Set<unknown>(['scenarios', 'then', 'else', 'websocket', 'exchange'])

/** Reports the checks of a step that end in a key: `id:` would compare with null, which nobody wrote. */
function reportEmptyChecks(step: ValuePath, context: LoadContext): void {
  const { children = [] } = findNode(context.tree, step)
  const empty = [...children].flatMap(([key, child]) => listEmpty(child, [...step, key], false))
  const known = new Set(empty.length > 0 ? context.problems.map(({ range }) => range[0]) : [])
  for (const { path, node } of empty)
    if (!known.has(node.range[0]))
      context.report(path, {
        code: 'bad-check',
        message: `\`${formatPath(path)}\` has no check.`,
        hint: 'Write the value it must have, or `null` to compare with null.',
      })
}

type Place = { node: SourceNode; path: ValuePath }

function listEmpty(node: SourceNode, path: ValuePath, isBelow: boolean): Place[] {
  const key = path.at(-1)
  const isCheck = isBelow || key === 'assert' || key === 'expect'
  if ((isBelow || key === 'expect') && node.empty) return [{ node, path }]
  if (isCheck ? DATA.has(operators[String(key)]?.operand) : typeof key !== 'number' && !AROUND.has(key))
    return []
  return [...(node.children ?? [])].flatMap(([name, child]) => listEmpty(child, [...path, name], isCheck))
}
