import { parseAssertions } from '../assertion/parse-assertions.ts'
import { parseCaptures } from '../capture/capture.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { parseScenarios } from '../scenario/scenario.ts'
import { positionAt } from '../source.ts'
import { listReads } from './collect-templates.ts'
import type { LoadContext } from './load-context.ts'
import { parseDuration } from './parse-duration.ts'
import { planMocks } from './plan-mocks.ts'
import { slugify, type RetryPlan, type StepPhase, type StepPlan } from './plan.ts'
import type { RetryInput, StepInput } from './schema.ts'
import { findNode, toPointer, type ValuePath } from './source-tree.ts'
import { listConditionReads, validateCondition } from './validate-condition.ts'

const LIST_OF = { setup: 'setup', step: 'steps', teardown: 'teardown' } as const

/** Plans the steps of one list of a suite, as far as they can be read; what cannot is reported. */
export function planSteps(phase: StepPhase, suite: JsonObject, context: LoadContext): StepPlan[] {
  const list = suite[LIST_OF[phase]]
  if (!Array.isArray(list)) return []
  const retry = isJsonObject(suite['retry'])
    ? planRetry(suite['retry'] as RetryInput, { path: ['retry'], context })
    : undefined
  return list.flatMap((step, index) => {
    if (!isJsonObject(step)) return []
    const plan = planStep(step, { phase, index, context, path: [LIST_OF[phase], index] })
    return [{ ...(retry && { retry }), ...plan }]
  })
}

type StepPlace = { phase: StepPhase; index: number; context: LoadContext; path: ValuePath }

function planStep(value: JsonObject, place: StepPlace): StepPlan {
  const { context, path, phase, index } = place
  const input = value as unknown as StepInput
  checkContent(value, place)
  const judged = planJudgement(value, place)
  const { range } = findNode(context.tree, path)
  const end = context.source.text.slice(0, range[1]).trimEnd().length
  return {
    phase,
    number: index + 1,
    id:
      typeof input.step_id === 'string'
        ? input.step_id
        : defaultStepId(phase, index + 1, String(input.name ?? '')),
    name: typeof input.name === 'string' ? input.name : '',
    at: context.locate([...path, 'name']),
    lines: [
      positionAt(context.lines, range[0])[0],
      positionAt(context.lines, Math.max(range[0], end - 1))[0],
    ],
    pointer: toPointer(path),
    ...judged,
    continueOnFailure: input.continue_on_failure === true,
    delay: typeof input.delay_ms === 'number' ? input.delay_ms : 0,
    advance: typeof input.advance === 'string' ? parseDuration(input.advance) : 0,
    only: input.only === true,
    mocks: planMocks(input.mocks, [...path, 'mocks'], context),
    ...(isJsonObject(value['request']) && input.request && { request: input.request }),
    ...(isJsonObject(value['retry']) && {
      retry: planRetry(value['retry'] as RetryInput, { path: [...path, 'retry'], context }),
    }),
    ...(input.skip !== undefined && { skip: input.skip }),
    ...(isJsonObject(value['iterate']) && input.iterate && { iterate: input.iterate }),
    ...(isJsonObject(value['call']) && input.call && { call: input.call }),
    reads: listReadNames(value, place),
  }
}

/** Checks, captures and scenarios of a step, and the names it gives to later ones. */
function planJudgement(
  value: JsonObject,
  { context, path }: StepPlace,
): Pick<StepPlan, 'checks' | 'captures' | 'scenarios' | 'gives'> {
  const options = { compat: context.options.compat ?? false, validateExpression: validateCondition }
  const read = <
    Parsed extends {
      problems: { path: readonly (string | number)[]; code: string; message: string; hint?: string }[]
    },
  >(
    key: string,
    parse: (tree: Json, locate: LoadContext['locate'], options: object) => Parsed,
  ): Parsed | undefined => {
    const tree = value[key]
    if (tree === undefined || tree === null || typeof tree !== 'object') return undefined
    const parsed = parse(tree, (below) => context.locate([...path, key, ...below]), options)
    for (const problem of parsed.problems) context.report([...path, key, ...problem.path], problem as never)
    return parsed
  }
  const checks = read('assert', parseAssertions)?.checks ?? []
  const captures = read('capture', parseCaptures)?.captures ?? []
  const scenarios = read('scenarios', parseScenarios)?.scenarios ?? []
  const branches = scenarios.flatMap(({ then, otherwise }) => [then, otherwise])
  const gives = [captures, ...branches.map((branch) => branch?.captures ?? [])].flat().map(({ name }) => name)
  const set = branches.flatMap((branch) => Object.keys(branch?.variables ?? {}))
  return { checks, captures, scenarios, gives: [...new Set([...gives, ...set])] }
}

function checkContent(value: JsonObject, { context, path }: StepPlace): void {
  const name = typeof value['name'] === 'string' ? `\`${value['name']}\`` : 'This step'
  if (value['request'] === undefined && value['call'] === undefined)
    context.report(path, {
      code: 'missing-field',
      message: `${name} sends nothing.`,
      hint: 'Give it a `request` or a `call`.',
    })
  if (value['request'] !== undefined && value['call'] !== undefined)
    context.report([...path, 'call'], {
      code: 'bad-value',
      message: `${name} has both \`request\` and \`call\`.`,
      hint: 'Make two steps of it.',
    })
  if (!isJsonObject(value['request'])) return
  const bodies = ['body', 'form', 'multipart', 'file'].filter((key) =>
    Object.hasOwn(value['request'] as object, key),
  )
  if (bodies.length > 1)
    context.report([...path, 'request', bodies[1] as string], {
      code: 'bad-value',
      message: `A request has one body; this one has ${bodies.map((key) => `\`${key}\``).join(' and ')}.`,
      hint: `Keep one of them.`,
    })
}

function listReadNames(value: JsonObject, { context, path }: StepPlace): string[] {
  const conditions: [ValuePath, Json | undefined][] = [[['skip'], value['skip']]]
  const retry = value['retry']
  if (isJsonObject(retry))
    conditions.push([['retry', 'on'], retry['on']], [['retry', 'until'], retry['until']])
  const custom = isJsonObject(value['assert']) ? value['assert']['custom'] : undefined
  if (Array.isArray(custom))
    for (const each of custom) if (isJsonObject(each)) conditions.push([[], each['condition']])
  const reads = new Set(listReads(value))
  for (const [below, source] of conditions) {
    if (typeof source !== 'string' || source.includes('{{')) continue
    const problem = validateCondition(source)
    if (problem && below.length > 0)
      context.report([...path, ...below], {
        code: 'bad-expression',
        message: `The condition does not parse: ${problem.message}`,
      })
    else if (!problem) for (const root of listConditionReads(source)) reads.add(root)
  }
  return [...reads]
}

function planRetry(
  retry: RetryInput,
  { path, context }: { path: ValuePath; context: LoadContext },
): RetryPlan {
  return {
    maxAttempts: retry.max_attempts,
    baseDelay: retry.base_delay_ms ?? 1000,
    maxDelay: retry.max_delay_ms ?? 30_000,
    backoff: retry.backoff ?? 'exponential',
    at: context.locate(path),
    ...(retry.on !== undefined && { on: retry.on }),
    ...(retry.until !== undefined && { until: retry.until }),
  }
}

function defaultStepId(phase: StepPhase, number: number, name: string): string {
  return `${phase}-${number}-${slugify(name)}`.replace(/-$/, '')
}
