import type { Problem } from '../../../src/errors.ts'
import { indexLines, type SourceFile } from '../../../src/source.ts'
import { createSuiteError, toWarning } from '../../../src/suite/locate-problems.ts'
import { listSteps, type ForeignRead, type SuiteNeed, type SuitePlan } from '../../../src/suite/plan/plan.ts'
import { defaultNodeId, type SuiteGlance } from '../../../src/suite/suite-index.ts'
import type { ResolvedOptions } from '../options.ts'
import { usesApp } from '../parcel.ts'
import { describeNeed, describeRead, listCalled } from './describe-link.ts'
import { findCycle } from './find-cycle.ts'
import { findOther, type LoadedSuite, type OtherSuite, type SuiteLookup } from './suite-lookup.ts'

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
  const twins = (nodeIds.get(plan.nodeId) ?? []).filter((other) => other !== path)
  const problems = [
    ...describeTwins(
      plan,
      twins.map((other) => suites.show(other)),
    ),
    ...(app && usesApp(plan) ? [] : describeMocks(plan, source, app !== undefined)),
    ...describeEnv(plan, env, isStrict),
  ]
  const needed = await linkNeeds(suites, plan)
  problems.push(...needed.pairs.flatMap(([need, other]) => describeNeed(need, other, nodeIds)))
  const hasCallers =
    plan.foreign.some(({ condition }) => condition) && mayBeCalled(plan.nodeId, path, await suites.index())
  const foreign: ForeignRead[] = []
  for (const read of plan.foreign) {
    if (plan.rules.sharesExports && needed.shared.has(read.root)) continue
    const other = await findOther(suites, read.root, plan)
    const isCalled = other !== undefined && comesByCall(read, plan, { other, needed })
    const environments = other ? [] : (suites.environments ?? [])
    problems.push(
      ...describeRead(read, plan, { other, isCalled, nodeIds, isStrict, hasCallers, environments }),
    )
    // What a call brings is there after it: the suite is run for that as well only where it is read before.
    if (!other || isCalled) continue
    foreign.push(needed.called.has(other.file) ? { ...read, besideCall: true } : read)
    needed.files.set(read.root, other.file)
  }
  for (const [name, file] of needed.files)
    problems.push(...(await findCycle(suites, { plan, path, name, file })))
  if (problems.some(({ severity }) => severity === 'error')) throw createSuiteError(source, problems)
  const lines = indexLines(source.text)
  const warnings = [...plan.warnings, ...problems.map((problem) => toWarning(problem, lines))]
  return { source, needs: needed.files, plan: { ...plan, depends: needed.depends, foreign, warnings } }
}

/** What a suite names in `depends` and `call`. */
type NeededSuites = {
  pairs: [need: SuiteNeed, other: OtherSuite | undefined][]
  /** The file of each name. */
  files: Map<string, string>
  depends: string[]
  /** What the calls of each file give. */
  called: Map<string, Set<string>>
  /** All that they export. */
  shared: Set<string>
}

async function linkNeeds(suites: SuiteLookup, plan: SuitePlan): Promise<NeededSuites> {
  const needed: NeededSuites = {
    pairs: [],
    files: new Map(),
    depends: [],
    called: new Map(),
    shared: new Set(),
  }
  for (const need of plan.needs) {
    const other = await findOther(suites, need.suite, plan)
    needed.pairs.push([need, other])
    if (!other) continue
    // Exports are found by node id, also those of a suite that is named by its file.
    const name = (!need.isCall && other.plan?.nodeId) || need.suite
    needed.files.set(name, other.file)
    if (!need.isCall) needed.depends.push(name)
    else {
      const given = listCalled(need, other).flatMap(({ gives }) => gives)
      needed.called.set(other.file, new Set(given).union(needed.called.get(other.file) ?? new Set()))
    }
    for (const shared of other.plan?.exports ?? []) needed.shared.add(shared)
  }
  return needed
}

/** True for what a call of the other suite gives before it is read, and for what else only the call can give. */
function comesByCall(
  { root, name = '' }: ForeignRead,
  plan: SuitePlan,
  { other, needed }: { other: OtherSuite; needed: NeededSuites },
): boolean {
  const given = needed.called.get(other.file)
  if (!given) return false
  if (!other.plan?.exports.includes(name)) return true
  const steps = listSteps(plan)
  const call = steps.findIndex((step) => step.call && needed.files.get(step.call.suite) === other.file)
  const isEarly = steps.slice(0, call).some(({ foreignReads }) => foreignReads.includes(`${root}.${name}`))
  return given.has(name) && !isEarly
}

/** Whether another suite names this one, by its node id or file. */
function mayBeCalled(nodeId: string, path: string, index: ReadonlyMap<string, SuiteGlance>): boolean {
  const names = [nodeId, defaultNodeId(path)]
  return [...index].some(
    ([other, { mentions }]) => other !== path && names.some((name) => mentions.includes(name)),
  )
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
