import type { Problem } from '../../../src/errors.ts'
import { indexLines, type SourceFile } from '../../../src/source.ts'
import { createSuiteError, toWarning } from '../../../src/suite/locate-problems.ts'
import { listSteps, type ForeignRead, type SuiteNeed, type SuitePlan } from '../../../src/suite/plan/plan.ts'
import { defaultNodeId, type SuiteGlance } from '../../../src/suite/suite-index.ts'
import type { ResolvedOptions } from '../options.ts'
import { usesApp } from '../parcel.ts'
import { describeNeed, describeRead, listCalled, type LinkTarget } from './describe-link.ts'
import { findCycle } from './find-cycle.ts'
import { findOther, type LoadedSuite, type SuiteLookup } from './suite-lookup.ts'

/** A suite with the files it needs by node id or name. */
export type LinkedSuite = LoadedSuite & { needs: ReadonlyMap<string, string> }

/** The options of the plugin that decide what is a mistake. */
export type LinkOptions = Partial<Pick<ResolvedOptions, 'app' | 'unresolved'>> & {
  /** Environment variables beside those of the process. */
  env: Readonly<Record<string, string | undefined>>
}

/**
 * Loads a suite and checks it against the others: node ids are unique, what it reads is exported, what it calls exists,
 * no suites form a cycle. Throws a `SuiteError`; warnings are added to the plan.
 */
export async function linkSuite(
  suites: SuiteLookup,
  path: string,
  { app, unresolved, env }: LinkOptions,
): Promise<LinkedSuite> {
  const { plan, source } = await suites.load(path)
  const nodeIds = await suites.nodeIds()
  const isStrict = unresolved === 'error'
  const needed = await linkNeeds(suites, plan, nodeIds)
  const hasCallers =
    plan.foreign.some(({ condition }) => condition) && mayBeCalled(plan.nodeId, path, await suites.index())
  const read = await linkReads(suites, plan, { needed, nodeIds, isStrict, hasCallers })
  const needs = new Map([...needed.files, ...read.files])
  const problems = [
    ...describeTwins(
      plan,
      (nodeIds.get(plan.nodeId) ?? []).filter((other) => other !== path).map((other) => suites.show(other)),
    ),
    ...(app && usesApp(plan) ? [] : describeMocks(plan, source, app !== undefined)),
    ...describeEnv(plan, env, isStrict),
    ...needed.problems,
    ...read.problems,
  ]
  for (const [name, file] of needs) problems.push(...(await findCycle(suites, { plan, path, name, file })))
  if (problems.some(({ severity }) => severity === 'error')) throw createSuiteError(source, problems)
  const lines = indexLines(source.text)
  const warnings = [...plan.warnings, ...problems.map((problem) => toWarning(problem, lines))]
  return { source, needs, plan: { ...plan, depends: needed.depends, foreign: read.foreign, warnings } }
}

/** What a suite names in `depends` and `call`. */
type NeededSuites = {
  problems: Problem[]
  /** The file of each name. */
  files: Map<string, string>
  depends: string[]
  /** What the calls of each file give. */
  called: Map<string, Set<string>>
  /** Those that could be loaded. */
  plans: SuitePlan[]
}

async function linkNeeds(
  suites: SuiteLookup,
  plan: SuitePlan,
  nodeIds: ReadonlyMap<string, readonly string[]>,
): Promise<NeededSuites> {
  const needed: NeededSuites = { problems: [], files: new Map(), depends: [], called: new Map(), plans: [] }
  for (const need of plan.needs) {
    const { file, target } = await findOther(suites, need.suite, plan)
    needed.problems.push(...describeNeed(need, target, nodeIds))
    if (file === undefined || target === undefined || target === 'missing') continue
    // Exports are found by node id, also those of a suite that is named by its file.
    const name = need.isCall || target === 'broken' ? need.suite : target.nodeId
    needed.files.set(name, file)
    if (need.isCall)
      needed.called.set(file, listGivenBy(need, target).union(needed.called.get(file) ?? new Set()))
    else needed.depends.push(name)
    if (target !== 'broken') needed.plans.push(target)
  }
  return needed
}

type ReadContext = {
  needed: NeededSuites
  nodeIds: ReadonlyMap<string, readonly string[]>
  isStrict: boolean
  hasCallers: boolean
}

/** What a suite reads of others, without what calls bring and what suites with `depends` share. */
async function linkReads(
  suites: SuiteLookup,
  plan: SuitePlan,
  { needed, ...context }: ReadContext,
): Promise<{ problems: Problem[]; files: Map<string, string>; foreign: ForeignRead[] }> {
  const problems: Problem[] = []
  const files = new Map<string, string>()
  const foreign: ForeignRead[] = []
  const steps = listSteps(plan)
  for (const read of plan.foreign) {
    if (plan.rules.sharesExports && needed.plans.some(({ exports }) => exports.includes(read.root))) continue
    const { file, target } = await findOther(suites, read.root, plan)
    const byCall = file === undefined ? undefined : needed.called.get(file)
    const call = steps.findIndex((step) => step.call && needed.files.get(step.call.suite) === file)
    const whole = `${read.root}.${read.name}`
    const isEarly = steps.slice(0, call).some(({ foreignReads }) => foreignReads.includes(whole))
    const isGiven = byCall?.has(read.name ?? '') && !isEarly
    const isCalled = byCall !== undefined && (isGiven || !isExported(read, target))
    const environments = target === undefined ? (suites.environments ?? []) : []
    problems.push(...describeRead(read, plan, { ...context, target, isCalled, environments }))
    // What a call brings is there after it: the suite is run for that as well only where it is read before.
    if (file === undefined || isCalled) continue
    foreign.push(byCall ? { ...read, besideCall: true } : read)
    files.set(read.root, file)
  }
  return { problems, files, foreign }
}

/** Whether another suite names this one, by its node id or file. */
function mayBeCalled(nodeId: string, path: string, index: ReadonlyMap<string, SuiteGlance>): boolean {
  const names = [nodeId, defaultNodeId(path)]
  return [...index].some(
    ([other, { mentions }]) => other !== path && names.some((name) => mentions.includes(name)),
  )
}

/** Names that a call gives: what the called step captures, or all that the suite does. */
function listGivenBy(need: SuiteNeed, target: SuitePlan | 'broken'): Set<string> {
  const called = target === 'broken' ? [] : listCalled(need, target)
  return new Set(called.flatMap(({ gives }) => gives))
}

function isExported({ name }: ForeignRead, target: LinkTarget): boolean {
  return typeof target === 'object' && name !== undefined && target.exports.includes(name)
}

function describeTwins({ nodeId, nodeIdRange }: SuitePlan, others: readonly string[]): Problem[] {
  return others.map((other) => ({
    code: 'duplicate-node-id',
    severity: 'error',
    message: `The node id \`${nodeId}\` is also that of \`${other}\`.`,
    hint: 'Give each suite its own `node_id`.',
    range: nodeIdRange,
  }))
}

function describeEnv(plan: SuitePlan, env: LinkOptions['env'], isStrict: boolean): Problem[] {
  return plan.env
    .filter(({ name, required }) => required && (process.env[name] ?? env[name]) === undefined)
    .map(({ name, range, variable }) => ({
      code: 'unknown-variable',
      severity: isStrict && !plan.rules.isLenient ? 'error' : 'warning',
      message: `\`$env.${name}\`${variable === undefined ? '' : ` of the variable \`${variable}\``} has no value: there is no such environment variable.`,
      hint: `Set it, or give it a default: \`{{$env.${name} || 'x'}}\`.`,
      range,
    }))
}

/** Mocks answer what an application in this process asks for; an environment may lead the suite to another one. */
function describeMocks(plan: SuitePlan, { text }: SourceFile, hasApp: boolean): Problem[] {
  // A step that may be skipped is, where its mocks are of no use.
  const steps = listSteps(plan).filter(({ skip }) => !hasApp || !skip)
  const [mock] = steps.flatMap(({ mocks }) => plan.mocks.concat(mocks))
  if (!mock) return []
  const [line, column] = mock.at
  const start = (indexLines(text)[line - 1] ?? 0) + column - 1
  const [message, hint] = hasApp
    ? [
        `These mocks answer nothing: the requests go to \`${plan.baseUrl}\`, not to the application in this process.`,
        'Leave out the `base_url`, or give the mocks to steps that are skipped there (`skip: { when: … }`).',
      ]
    : [
        'These mocks would answer nothing: there is no application under test.',
        'Name its module in the option `app`, or remove `mocks`.',
      ]
  const severity = hasApp ? 'warning' : 'error'
  return [{ code: 'bad-value', severity, message, hint, range: [start, start + 1] }]
}
