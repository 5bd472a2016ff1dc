import type { Problem } from '../../../src/errors.ts'
import { indexLines, type Place, type SourceFile } from '../../../src/source.ts'
import { createSuiteError, sortProblems, toWarning } from '../../../src/suite/locate-problems.ts'
import {
  listCalled,
  listSteps,
  type ForeignRead,
  type StepPlan,
  type SuitePlan,
} from '../../../src/suite/plan/plan.ts'
import { defaultNodeId } from '../../../src/suite/suite-index.ts'
import { countOf } from '../../../src/text/units.ts'
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
  /** What calls provide, by the file of the called suite. */
  const called = new Map<string, string[]>()
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
    if (need.isCall) {
      calls[need.suite] = nodeId
      const given = (other.plan ? listCalled(other.plan, need.step?.name) : []).flatMap(
        ({ provides }) => provides,
      )
      called.set(other.file, [...(called.get(other.file) ?? []), ...given])
    } else depends.push(nodeId)
  }
  const shared = new Set([...named.values()].flatMap((other) => other.plan?.exports ?? []))
  let passing: Promise<ReadonlySet<string>> | undefined
  const foreign: ForeignRead[] = []
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
    const { root, name = '', range } = read
    const given = called.get(other.file)
    const isLater = (): boolean => !isReadBefore(read, plan, (suite) => needs.get(suite) === other.file)
    const isGiven =
      given !== undefined &&
      (other.plan?.exports.includes(name) === false || (given.includes(name) && isLater()))
    problems.push(...describeRead(read, other, isGiven))
    // The call itself provides the value. The suite only has to run first if something reads it earlier.
    if (isGiven) continue
    foreign.push(read)
    await addNeed(root, other, range)
  }
  const all = sortProblems([...plan.warnings.map(({ problem }) => problem), ...problems])
  if (problems.some(({ severity }) => severity === 'error')) throw createSuiteError(source, all)
  const lines = indexLines(source.text)
  const warnings = all.map((problem) => toWarning(problem, lines))
  return { source, needs, plan: { ...plan, depends, calls, foreign, warnings } }
}

/** True if the name is read by a step before the first call of that suite, or by the inputs of that call. */
function isReadBefore(
  { root, name }: ForeignRead,
  plan: SuitePlan,
  isSame: (suite: string) => boolean,
): boolean {
  const steps = listSteps(plan)
  const call = steps.findIndex((step) => step.call && isSame(step.call.suite))
  const inputs = plan.foreign.filter(({ input, step }) => input && step === steps[call]?.pointer)
  const before = steps.slice(0, call).flatMap(({ externalReads }) => externalReads)
  return [...before, ...inputs.map((read) => `${read.root}.${read.name}`)].includes(`${root}.${name}`)
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
  return {
    code: 'dependency-cycle',
    severity: 'error',
    message: `These suites form a cycle: ${files.join(' → ')}.`,
    hint:
      files.length > 2
        ? 'Move what they share into a separate suite.'
        : 'A suite cannot need itself. It reads its own values without its node id.',
    range,
  }
}

function describeTwins({ nodeId, nodeIdRange }: SuitePlan, [first, ...more]: readonly string[]): Problem {
  const rest = more.length > 0 ? ` and ${countOf(more.length, 'other suite')}` : ''
  return {
    code: 'duplicate-node-id',
    severity: 'error',
    message: `The node id \`${nodeId}\` is also that of \`${first}\`${rest}.`,
    hint: 'Give each suite its own `node_id`.',
    range: nodeIdRange,
  }
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
  const report = (at: StepPlan['at'], key: 'mocks' | 'advance', what: string): Problem => {
    const start = (indexLines(text)[at[0] - 1] ?? 0) + at[1] - 1
    const hint = hasApp
      ? `Leave out the \`base_url\`, or move ${key === 'mocks' ? 'the mocks' : '`advance`'} to steps that are skipped there (\`skip: { when: … }\`).`
      : `Name its module in the option \`app\`, or remove \`${key}\`.`
    const severity = key === 'mocks' && !hasApp ? 'error' : 'warning'
    return { code: 'bad-value', severity, message: `${what}: ${told}.`, hint, range: [start, start + 1] }
  }
  const answers = hasApp ? 'These mocks answer nothing' : 'These mocks would answer nothing'
  return [
    ...(mock ? [report(mock.at, 'mocks', answers)] : []),
    ...(late ? [report(late.at, 'advance', '`advance` moves only the time in this process')] : []),
  ]
}
