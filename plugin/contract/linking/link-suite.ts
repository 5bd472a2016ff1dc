import { SuiteError, type Problem } from '../../../src/errors.ts'
import { indexLines, type Place, type SourceFile } from '../../../src/source.ts'
import { createSuiteError, toWarning } from '../../../src/suite/locate-problems.ts'
import { listSteps, type ForeignRead, type SuiteNeed, type SuitePlan } from '../../../src/suite/plan/plan.ts'
import { defaultNodeId, type SuiteGlance } from '../../../src/suite/suite-index.ts'
import type { ResolvedOptions } from '../options.ts'
import { usesApp } from '../parcel.ts'
import { describeNeed, describeRead, type LinkTarget } from './describe-link.ts'

/** A loaded suite with its text, which the source map carries. */
export type LoadedSuite = { plan: SuitePlan; source: SourceFile }

/** What linking needs to know of the other suites. */
export type SuiteLookup = {
  /** Throws `SuiteError`. */
  load(path: string): Promise<LoadedSuite>
  /** File of a node id, or of a path relative to a suite's folder. */
  find(reference: string, folder: string): Promise<string | undefined>
  /** The files of each node id. */
  nodeIds(): Promise<ReadonlyMap<string, readonly string[]>>
  index(): Promise<ReadonlyMap<string, SuiteGlance>>
  /** Path as messages show it. */
  show(path: string): string
  /** Names of the environments that define a variable, if none is chosen. */
  findDefiners?(name: string): Promise<readonly string[]>
}

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
  const problems = (nodeIds.get(plan.nodeId) ?? [])
    .filter((other) => other !== path)
    .map((other) => describeTwin(plan, suites.show(other)))
  if (!app || !usesApp(plan)) problems.push(...describeMocks(plan, source, app !== undefined))
  const isStrict = unresolved === 'error'
  problems.push(...describeEnv(plan, env, isStrict))
  const needs = new Map<string, string>()
  const [called, named] = [new Map<string, Set<string>>(), new Map<string, SuitePlan>()]
  const depends: string[] = []
  for (const need of plan.needs) {
    const file = await suites.find(need.suite, plan.folder)
    const target = file === undefined ? undefined : await loadOther(suites, file)
    problems.push(...describeNeed(need, target, nodeIds))
    if (file === undefined || target === undefined || target === 'missing') continue
    // Exports are found by node id, also those of a suite that is named by its file.
    const name = need.isCall || target === 'broken' ? need.suite : target.nodeId
    needs.set(name, file)
    if (need.isCall) called.set(file, listGivenBy(need, target).union(called.get(file) ?? new Set()))
    else depends.push(name)
    if (target !== 'broken') named.set(target.nodeId, target)
  }
  const foreign: ForeignRead[] = []
  const hasCallers =
    plan.foreign.some(({ condition }) => condition) && mayBeCalled(plan.nodeId, path, await suites.index())
  for (const read of plan.foreign) {
    if (plan.rules.sharesExports && isShared(read, plan, named)) continue
    const file = await suites.find(read.root, plan.folder)
    const target = file === undefined ? undefined : await loadOther(suites, file)
    const byCall = file === undefined ? undefined : called.get(file)
    const isCalled = byCall !== undefined && !(isExported(read, target) && !byCall.has(read.name ?? ''))
    const isUnknown = target === undefined && !read.optional
    const definers = isUnknown ? ((await suites.findDefiners?.(read.root)) ?? []) : []
    problems.push(...describeRead(read, plan, { target, isCalled, nodeIds, isStrict, hasCallers, definers }))
    // What a call brings is there after it: the suite is not run for that as well.
    if (file === undefined || isCalled) continue
    foreign.push(byCall ? { ...read, besideCall: true } : read)
    needs.set(read.root, file)
  }
  for (const [name, file] of needs) problems.push(...(await findCycle(suites, { plan, path, name, file })))
  if (problems.some(({ severity }) => severity === 'error')) throw createSuiteError(source, problems)
  const lines = indexLines(source.text)
  const warnings = [...plan.warnings, ...problems.map((problem) => toWarning(problem, lines))]
  return { source, needs, plan: { ...plan, depends, foreign, warnings } }
}

/** Whether another suite names this one, by its node id or file. */
function mayBeCalled(nodeId: string, path: string, index: ReadonlyMap<string, SuiteGlance>): boolean {
  const names = [nodeId, defaultNodeId(path)]
  return [...index].some(
    ([other, { mentions }]) => other !== path && names.some((name) => mentions.includes(name)),
  )
}

/** Names that a call gives: what the called step captures, or all that the suite does. */
function listGivenBy({ step }: SuiteNeed, target: SuitePlan | 'broken'): Set<string> {
  const steps = target === 'broken' ? [] : listSteps(target)
  const called = step ? steps.filter(({ id, name }) => id === step.name || name === step.name) : steps
  return new Set(called.flatMap(({ gives }) => gives))
}

function isExported({ name }: ForeignRead, target: LinkTarget): boolean {
  return typeof target === 'object' && name !== undefined && target.exports.includes(name)
}

/** True for an export of a suite that this one depends on. */
function isShared(
  { root }: ForeignRead,
  { needs }: SuitePlan,
  named: ReadonlyMap<string, SuitePlan>,
): boolean {
  return needs.length > 0 && [...named.values()].some(({ exports }) => exports.includes(root))
}

/** Another suite as far as it can be had: one that is broken says so itself, where it runs. */
async function loadOther(suites: SuiteLookup, file: string): Promise<SuitePlan | 'missing' | 'broken'> {
  try {
    return (await suites.load(file)).plan
  } catch (error) {
    if (error instanceof SuiteError) return 'broken'
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing'
    throw error
  }
}

function describeTwin(plan: SuitePlan, other: string): Problem {
  return {
    code: 'duplicate-node-id',
    severity: 'error',
    message: `The node id \`${plan.nodeId}\` is also that of \`${other}\`.`,
    hint: 'Give each suite its own `node_id`.',
    range: plan.nodeIdRange,
  }
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
  const steps = listSteps(plan).filter(({ skip }) => !hasApp || skip === undefined || skip === false)
  const [mock] = steps.flatMap(({ mocks }) => plan.mocks.concat(mocks))
  if (!mock) return []
  const [line, column] = mock.at
  const start = (indexLines(text)[line - 1] ?? 0) + column - 1
  return [
    {
      code: 'bad-value',
      range: [start, start + 1],
      ...(hasApp
        ? {
            severity: 'warning',
            message: `These mocks answer nothing: the requests go to \`${plan.baseUrl}\`, not to the application in this process.`,
            hint: plan.mocks.includes(mock)
              ? 'Give them to the steps that need them, and skip those there (`skip: { when: … }`), or leave out the `base_url`.'
              : 'Skip such steps there (`skip: { when: … }`), or leave out the `base_url`.',
          }
        : {
            severity: 'error',
            message: 'These mocks would answer nothing: there is no application under test.',
            hint: 'Name its module in the option `app`, or remove `mocks`.',
          }),
    },
  ]
}

async function findCycle(
  suites: SuiteLookup,
  { plan, path, name, file }: { plan: SuitePlan; path: string; name: string; file: string },
): Promise<Problem[]> {
  const trail = await findTrail(suites, file, path)
  if (!trail) return []
  const range: Place =
    plan.needs.find(({ suite }) => suite === name)?.range ??
    plan.foreign.find(({ root }) => root === name)?.range ??
    plan.nodeIdRange
  return [
    {
      code: 'dependency-cycle',
      severity: 'error',
      message: `These suites form a cycle: ${[path, ...trail].map((each) => suites.show(each)).join(' → ')}.`,
      hint: 'Move what they share into a suite of its own.',
      range,
    },
  ]
}

async function listNeeded(suites: SuiteLookup, path: string): Promise<string[]> {
  const plan = await loadOther(suites, path)
  if (typeof plan === 'string') return []
  const names = new Set([...plan.needs.map(({ suite }) => suite), ...plan.foreign.map(({ root }) => root)])
  const files = await Promise.all([...names].map((name) => suites.find(name, plan.folder)))
  return files.filter((file) => file !== undefined)
}

/** The shortest way from one suite over those that each needs to another, both included; undefined when there is none. */
async function findTrail(suites: SuiteLookup, from: string, to: string): Promise<string[] | undefined> {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]])
  // A map is walked while it grows: breadth first.
  for (const path of cameFrom.keys()) {
    if (path === to) return readTrail(cameFrom, to)
    for (const next of await listNeeded(suites, path)) if (!cameFrom.has(next)) cameFrom.set(next, path)
  }
  return undefined
}

function readTrail(cameFrom: ReadonlyMap<string, string | undefined>, to: string): string[] {
  const trail: string[] = []
  for (let path: string | undefined = to; path !== undefined; path = cameFrom.get(path)) trail.unshift(path)
  return trail
}
