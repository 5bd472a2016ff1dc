import { rememberObjects } from '../../../src/remember.ts'
import { readWrittenPath } from '../../../src/request/build/build-url.ts'
import type { StepPlan, SuitePlan } from '../../../src/suite/plan/plan.ts'

/** Which unselected earlier steps run, unreported, before a selected one. */
export type PrerequisiteOption = 'needed' | 'all' | 'none'

/** What choosing prerequisites goes by. */
export type PrerequisiteRules = {
  steps: readonly StepPlan[]
  /** Steps that ran already. */
  done: { has(step: StepPlan): boolean }
  /** How many steps at the start are known to have run. @default 0 */
  first?: number
  option: PrerequisiteOption
  /** Node ids under which steps with `call` give values. */
  calls?: ReadonlyMap<StepPlan, string>
  /** Values that are there already: nothing needs to run for them. */
  given?: object | undefined
}

/**
 * Earlier steps a step still needs, in their order: the set-up, those that give what it reads, those that change what it
 * asks for, and what all of these read in turn. In an unfiltered run all of them have run, so the list is empty, as for a step that ran before.
 */
export function listPrerequisites(
  step: StepPlan,
  { steps, done, first = 0, option, calls, given = {} }: PrerequisiteRules,
): StepPlan[] {
  if (option === 'none' || done.has(step)) return []
  const earlier = steps
    .slice(first, steps.indexOf(step, first))
    .filter((each) => each.phase !== 'teardown' && !done.has(each))
  if (earlier.length === 0 || option === 'all') return earlier
  const needed = new Set<StepPlan>(earlier.filter(({ phase }) => phase === 'setup'))
  const wanted = new Set([...needed, step].flatMap(({ reads }) => reads))
  const asked: Asked[] = [{ path: describeTarget(step).path }]
  const captured = new Set(earlier.flatMap(({ gives }) => gives))
  // From the last to the first, so that what a needed step reads is wanted before its givers are looked at.
  for (const each of earlier.toReversed()) {
    const gives = [...each.gives, ...(each.call ? [calls?.get(each) ?? each.call.suite] : [])]
    const isWanted = gives.some((name) => wanted.has(name) && !Object.hasOwn(given, name))
    if (!needed.has(each) && !isWanted && !asked.some((one) => changes(each, one, captured))) continue
    needed.add(each)
    const { path, isSafe } = describeTarget(each)
    // Like steps that change the same, such as two that add to a list, do not need each other.
    asked.push({ path, isInside: !isSafe })
    for (const name of each.reads) wanted.add(name)
  }
  return earlier.filter((each) => needed.has(each))
}

/** What a request asks for: its path as it is written, without query and blanks in templates, empty for the root; whether it changes nothing (RFC 9110, 9.2.1). */
const describeTarget = rememberObjects(({ request }: StepPlan): { path: string; isSafe: boolean } => {
  const { url = '', method = 'GET', graphql } = request ?? {}
  const path = readWrittenPath(url, (template) => template.replaceAll(/[\s?#]/g, ''))
  const isSafe = graphql
    ? !('query_file' in graphql) && !/\bmutation\b/.test(JSON.stringify(graphql))
    : /^(?:get|head|options|trace|query)$/i.test(method)
  return { path: path.replace(/\/+$/, ''), isSafe }
})

/** A path that a needed step asks for; `isInside`: only what it is a part of matters. */
type Asked = { path: string; isInside?: boolean }

/** True for a step that changes what a path names: itself, a part of it, or the whole that it is in. */
function changes(step: StepPlan, { path, isInside }: Asked, captured: ReadonlySet<string>): boolean {
  const { path: own, isSafe } = describeTarget(step)
  if (path === '' || own === '' || isSafe) return false
  if (path.startsWith(`${own}/`))
    return !/^post$/i.test(step.request?.method ?? '') || isByName(path.slice(own.length + 1), captured)
  return !isInside && (own === path || own.startsWith(`${path}/`))
}

/** True for a part that is named by what the suite itself wrote, such as `/users/login`: POST may have made it. What it made under a number or an id is captured. */
function isByName(rest: string, captured: ReadonlySet<string>): boolean {
  const [part = ''] = rest.split('/')
  const variable = /^\{\{([\w$]+)/.exec(part)?.[1]
  return variable === undefined ? !/^\d+$/.test(part) : !captured.has(variable)
}

/** The steps of which a filter left a test in, of the tests of a describe block. */
export function listSelected(
  tests: readonly { test: { readonly mode: string }; step: StepPlan }[],
): StepPlan[] {
  return [...new Set(tests.filter(({ test }) => test.mode !== 'skip').map(({ step }) => step))]
}

/** Steps that give some exports, or all steps before the teardown. */
export function listGivers(plan: SuitePlan, names?: readonly string[]): StepPlan[] {
  const steps = [...plan.setup, ...plan.steps]
  const wanted = names?.flatMap((name) => [name, ...(plan.exportReads[name] ?? [])])
  return wanted ? steps.filter(({ gives }) => gives.some((name) => wanted.includes(name))) : steps
}
