import { asksOfErrors, type Check } from '../../assertion/check.ts'
import { parseCaptures } from '../../capture/capture.ts'
import type { ProblemText } from '../../errors.ts'
import type { ParsePlace } from '../../path/parse-place.ts'
import { isJsonObject, type Json, type JsonObject, type ValuePath } from '../../json.ts'
import { parseScenarios } from '../../scenario/scenario.ts'
import type { ContextPlace, LoadContext } from '../load-context.ts'
import type { StepPlan } from './plan.ts'
import type { ExchangeKind } from '../../path/exchange-fields.ts'
import { joinChecks } from '../shared/default-checks.ts'
import type { Place, Position } from '../../source.ts'
import { formatFieldPath } from '../../path/field-path.ts'
import { findNode, type SourceNode } from '../source-tree.ts'

/** The kind of exchange of a step, unless it is an ordinary request: it decides what its response has. */
export function readKind(step: JsonObject): ExchangeKind | undefined {
  const kinds: readonly ExchangeKind[] = ['websocket', 'stream', 'burst', 'call']
  return kinds.find((kind) => isJsonObject(step[kind]))
}

type Judgement = Pick<StepPlan, 'checks' | 'captures' | 'scenarios'>

/** Plans the checks, captures and scenarios of a step; reports what is unreadable. */
export function planJudgement(step: JsonObject, { context, path }: ContextPlace): Judgement {
  const { assert, capture, request, scenarios: list } = step
  const kind = readKind(step)
  const isGraphql = isJsonObject(request) && Object.hasOwn(request, 'graphql')
  const placeOf = (key: string): ParsePlace =>
    Object.assign(placeParser({ context, path: [...path, key] }, kind), { isGraphql })
  const defaults = isJsonObject(request) ? placeDefaults([...path, 'assert'], context) : []
  const checks = [...joinChecks(defaults, { value: assert, place: placeOf('assert') })]
  const inherited = kind === 'burst' ? checks.find(({ operator }) => operator === 'snapshot') : undefined
  if (inherited)
    context.report([...path, 'burst'], {
      message: `\`burst\` has many responses, but the \`snapshot\` of \`${inherited.field}\` in \`defaults\` needs a single one.`,
      hint: `Override the check of \`${inherited.field}\` in this step.`,
    })
  if (isGraphql && !checks.some(asksOfErrors))
    checks.push({
      target: 'body',
      field: 'body.errors',
      path: ['errors'],
      operator: 'exists',
      expected: false,
      isImplied: true,
      at: context.locate([...path, 'request', 'graphql']),
    })
  const captures = isJsonObject(capture) ? parseCaptures(capture, placeOf('capture')) : []
  const scenarios = Array.isArray(list) ? parseScenarios(list, placeOf('scenarios')) : []
  if (Array.isArray(list) && !context.isLenient) tellTwins(list, placeOf('scenarios'))
  return { checks, captures, scenarios }
}

/** Reports scenarios whose `then` can never run because an earlier one has the same condition. */
function tellTwins(list: readonly Json[], place: ParsePlace): void {
  const lines = new Map<string, number>()
  for (const [index, each] of list.entries()) {
    if (!isJsonObject(each) || typeof each['condition'] !== 'string') continue
    const condition = each['condition'].trim()
    const line = lines.get(condition)
    if (line === undefined) lines.set(condition, place.locate([index, 'condition'])[0])
    else if (isJsonObject(each['then']) && Object.keys(each['then']).length > 0)
      place.report([index, 'condition'], {
        code: 'ignored',
        message: `The \`then\` of this scenario never runs: the scenario on line ${line} has the same condition, and only the first match counts.`,
        hint: 'Correct the condition, or merge the two scenarios.',
      })
  }
}

/** The default checks of a step. Those from other files get the position of the step's own `assert`. */
function placeDefaults(path: ValuePath, context: LoadContext): Check[] {
  const { defaultAsserts, places } = context
  context.defaultChecks ??= defaultAsserts.reduce<readonly Check[]>((far, { value, node }) => {
    const locate = (below: ValuePath): Position => context.locateRange(findNode(node, below).range)
    const place = { locate, report: () => {}, findEmpty: () => undefined }
    return joinChecks(far, { value, place }, true)
  }, [])
  const [line, column] = context.locate(path)
  const move = (check: Check): Check => {
    const [, , from] = check.at
    if (from === undefined) return check
    const at: Position = [line, column, from]
    places.set(at, places.get(check.at) as Place)
    return { ...check, at, ...(check.checks && { checks: check.checks.map(move) }) }
  }
  return context.defaultChecks.map(move)
}

/** The place for a parser at a path of the suite. In a lenient suite, what is wrong there is left out with a warning. */
export function placeParser({ context, path }: ContextPlace, kind?: ExchangeKind): ParsePlace {
  return {
    kind,
    locate: (below) => context.locate([...path, ...below]),
    report(below, problem, part) {
      const isLeft = context.isLenient && problem.severity === undefined
      const done = problem.code === 'unknown-field' ? 'ignored' : 'left out'
      const left = { code: 'ignored', message: `${problem.message} It is ${done}.` } as const
      const told: ProblemText = isLeft ? { ...problem, ...left } : problem
      if (problem.code === 'unknown-field' || part) context.reportKey([...path, ...below], told)
      else context.report([...path, ...below], told)
    },
    findEmpty(at) {
      // A suite of flow-test-engine may compare with an empty value, which means null.
      if (context.isLenient) return undefined
      const whole = [...path, ...at]
      const empty = findEmpty(findNode(context.tree, whole), [])
      // Steps share the problems of their defaults, which are reported once.
      const isTold = context.problems.some((problem) => problem.range[0] === empty?.node.range[0])
      return empty && !isTold
        ? { below: empty.below, name: formatFieldPath([...whole, ...empty.below]) }
        : undefined
    },
  }
}

function findEmpty(node: SourceNode, below: ValuePath): { node: SourceNode; below: ValuePath } | undefined {
  if (node.empty) return { node, below }
  for (const [key, child] of node.children ?? []) {
    const found = findEmpty(child, [...below, key])
    if (found) return found
  }
  return undefined
}
