import type { Problem, Severity } from '../../../src/errors.ts'
import { indexLines, type Place, type Position, type SourceFile } from '../../../src/source.ts'
import { createSuiteError, sortProblems, toWarning } from '../../../src/suite/locate-problems.ts'
import { listCalled, listSteps, type ForeignRead, type SuitePlan } from '../../../src/suite/plan/plan.ts'
import { defaultNodeId } from '../../../src/suite/suite-index.ts'
import type { ResolvedOptions } from '../options.ts'
import { usesApp } from '../parcel.ts'
import { describeNeed, describeRead, describeUnknown } from './describe-link.ts'
import { findOther, type LoadedSuite, type OtherSuite, type SuiteLookup } from './suite-lookup.ts'

/** A suite checked against others. `needs` has the files of those it needs, by node id or file name. */
export type LinkedSuite = LoadedSuite & { needs: ReadonlyMap<string, string> }

/** The plugin options that decide what counts as a mistake. */
export type LinkOptions = Partial<Pick<ResolvedOptions, 'app' | 'unresolved'>> & {
  env: Readonly<Record<string, string | undefined>>
}

/** Loads a suite and checks it against the others. Rejects with a `SuiteError`. Warnings are added to the plan. */
export async function linkSuite(
  suites: SuiteLookup,
  path: string,
  { app, unresolved, env }: LinkOptions,
): Promise<LinkedSuite> {
  const { plan, source } = await suites.load(path)
  const nodeIds = await suites.nodeIds()
  const isStrict = unresolved === 'error'
  // Nothing refers to a suite in TypeScript by its node id, so that need not be unique.
  const same = /\.[cm]?[jt]sx?$/.test(path) ? [] : (nodeIds.get(plan.nodeId) ?? [])
  const twins = same.filter((other) => other !== path).map((other) => suites.show(other))
  const problems = [
    ...(twins.length > 0 ? [describeTwins(plan, twins)] : []),
    ...(app && usesApp(plan) ? [] : describeElsewhere(plan, source, app !== undefined)),
    ...describeEnv(plan, env, isStrict),
  ]
  const needs = new Map<string, string>()
  const addNeed = async (name: string, other: OtherSuite, range: Place): Promise<void> => {
    if (needs.has(name)) return
    needs.set(name, other.file)
    const trail = await findTrail(suites, other, { end: path, seen: new Set() })
    const shown = trail && [path, ...trail].map((each) => suites.show(each))
    if (shown) problems.push(describeCycle(shown, range))
  }
  const depends: string[] = []
  const calls = Object.create(null) as Record<string, string>
  /** The suites in `depends` and `call`, by node id. Those given as files may be missing from `include`. */
  const named = new Map<string, OtherSuite>()
  for (const need of plan.needs) {
    const other = await findOther(suites, need.suite, plan)
    problems.push(...describeNeed(need, other, nodeIds))
    if (!other) continue
    // Exports are looked up by node id, even if the suite is named by its file.
    const nodeId = other.plan?.nodeId ?? need.suite
    named.set(other.plan?.nodeId ?? defaultNodeId(need.suite), other)
    await addNeed(need.isCall ? need.suite : nodeId, other, need.range)
    if (need.isCall) calls[need.suite] = nodeId
    else depends.push(nodeId)
  }
  const shared = new Set([...named.values()].flatMap((other) => other.plan?.exports ?? []))
  let passing: Promise<ReadonlySet<string>> | undefined
  const foreign: ForeignRead[] = []
  /** What calls provide, by the file of the called suite. */
  const calledFiles = new Map<string, ReturnType<typeof describeCalls>>()
  for (const read of plan.foreign) {
    if (plan.isLenient && shared.has(read.root)) continue
    const other = (await findOther(suites, read.root, plan)) ?? named.get(read.root)
    if (!other) {
      const passed = await (passing ??= suites.listPassed(plan.nodeId, path))
      const runsAlone = nodeIds.get(plan.nodeId)?.includes(path)
      if (!passed.has(read.root) || runsAlone)
        problems.push(...describeUnknown(read, plan, { source, nodeIds, isStrict, passed, named }))
      continue
    }
    const { root, name = '' } = read
    if (!calledFiles.has(other.file)) calledFiles.set(other.file, describeCalls(other, { plan, needs }))
    const called = calledFiles.get(other.file)
    const isGiven =
      called !== undefined &&
      (!other.plan?.exports.includes(name) ||
        (called.given.has(name) && !called.early.has(`${root}.${name}`)))
    problems.push(...describeRead(read, other, isGiven))
    // The call itself provides the value. The suite only has to run first if something reads it earlier.
    if (isGiven) continue
    foreign.push(read)
    await addNeed(root, other, read.range)
  }
  const all = sortProblems([...plan.warnings.map(({ problem }) => problem), ...problems])
  if (problems.some(({ severity }) => severity === 'error')) throw createSuiteError(source, all)
  const lines = indexLines(source.text)
  const warnings = all.map((problem) => toWarning(problem, lines))
  return { source, needs, plan: { ...plan, depends, calls, foreign, warnings } }
}

/**
 * What the calls of a suite provide, and what is read before they do, as `node_id.name`: by steps before the first call, or by its
 * inputs. Undefined without calls.
 */
function describeCalls(
  { file, plan: target }: OtherSuite,
  { plan, needs }: Pick<LinkedSuite, 'plan' | 'needs'>,
): { given: Set<string>; early: Set<string> } | undefined {
  const steps = listSteps(plan)
  const calls = steps.filter(({ call }) => call && needs.get(call.suite) === file)
  const [first] = calls
  if (!target || !first) return undefined
  const called = new Set(calls.flatMap(({ call }) => listCalled(target, call?.step)))
  const before = steps.slice(0, steps.indexOf(first)).flatMap(({ externalReads }) => externalReads)
  const inputs = plan.foreign.filter(({ input, step }) => input && step === first.pointer)
  return {
    given: new Set(Array.from(called).flatMap(({ provides }) => provides)),
    early: new Set([...before, ...inputs.map(({ root, name }) => `${root}.${name}`)]),
  }
}

/** The chain of files through which one suite needs another. Undefined if it does not need it. */
async function findTrail(
  suites: SuiteLookup,
  { file, plan }: OtherSuite,
  way: { end: string; seen: Set<string> },
): Promise<string[] | undefined> {
  if (file === way.end) return [file]
  if (!plan || way.seen.has(file)) return undefined
  way.seen.add(file)
  const roots = plan.foreign.map(({ root }) => root)
  for (const name of new Set([...plan.needs.map(({ suite }) => suite), ...roots])) {
    const next = await findOther(suites, name, plan)
    const trail = next && (await findTrail(suites, next, way))
    if (trail) return [file, ...trail]
  }
  return undefined
}

function describeCycle(files: readonly string[], range: Place): Problem {
  const message = `These suites form a cycle: ${files.join(' → ')}.`
  const hint = 'Move what they share into a separate suite. A suite reads its own values without its node id.'
  return { code: 'dependency-cycle', severity: 'error', message, hint, range }
}

function describeTwins({ nodeId, nodeIdRange: range }: SuitePlan, twins: readonly string[]): Problem {
  const others = twins.map((file) => `\`${file}\``).join(', ')
  const message = `The node id \`${nodeId}\` is also that of ${others}.`
  const hint = 'Give each suite its own `node_id`.'
  return { code: 'duplicate-node-id', severity: 'error', message, hint, range }
}

function describeEnv(plan: SuitePlan, env: LinkOptions['env'], isStrict: boolean): Problem[] {
  return plan.env
    .filter(
      ({ name, required }) => required && !Object.hasOwn(process.env, name) && !Object.hasOwn(env, name),
    )
    .map(({ name, range }) => ({
      code: 'unknown-variable',
      severity: isStrict && !plan.isLenient ? 'error' : 'warning',
      message: `\`$env.${name}\` has no value: there is no such environment variable.`,
      hint: `Set it in the shell or in a \`.env\` file, or give it a default: \`{{$env.${name} || 'x'}}\`.`,
      range,
    }))
}

/** Reports mocks and an `advance` without effect. Mocks are only a warning with an `app`: an environment may lead suites elsewhere. */
function describeElsewhere(plan: SuitePlan, { text }: SourceFile, hasApp: boolean): Problem[] {
  // Steps with a `skip` are assumed to be skipped where their mocks and times would do nothing.
  const steps = listSteps(plan).filter(({ skip }) => !hasApp || !skip)
  const [mock] = steps.flatMap(({ mocks }) => plan.mocks.concat(mocks))
  const late = steps.find(({ advance }) => advance > 0)
  const told = hasApp
    ? `the requests go to \`${plan.baseUrl}\`, not to the application in this process`
    : 'there is no application under test'
  const hint = hasApp
    ? 'Leave out the `base_url`, or move this to steps that are skipped there (`skip: { when: … }`).'
    : 'Name its module in the option `app`, or remove this.'
  const report = ([line, column]: Position, what: string, severity: Severity): Problem => {
    const start = (indexLines(text)[line - 1] ?? 0) + column - 1
    return { code: 'bad-value', severity, message: `${what}: ${told}.`, hint, range: [start, start + 1] }
  }
  return [
    ...(mock ? [report(mock.at, 'These mocks answer nothing', hasApp ? 'warning' : 'error')] : []),
    ...(late ? [report(late.at, '`advance` moves only the time in this process', 'warning')] : []),
  ]
}
