import { dirname, join, relative, resolve } from 'node:path'
import type { GenericSchema } from 'valibot'
import { checkBaseUrl, checkRequest } from '../check/check-request.ts'
import { isJsonObject, stringifyJson, type Json, type JsonObject } from '../../json.ts'
import { createContext, type LoadContext } from '../load-context.ts'
import { locateProblems } from '../locate-problems.ts'
import { planJudgement } from '../plan/plan-judgement.ts'
import { planRetry } from '../plan/plan-retry.ts'
import { collectTemplates } from '../reads/collect-templates.ts'
import { describeIssues, removeRefused } from '../schema/describe-issue.ts'
import { environmentSchema, findIssues, fragmentSchema, type SuiteInput } from '../schema/schema.ts'
import { OPTION, type Place, type SourceFile } from '../../source.ts'
import { findNode, toPointer, type SourceNode, type ValuePath } from '../source-tree.ts'
import { readYaml } from '../yaml/read-yaml.ts'
import { giveDefaults, mergeSettings, omitRemovals } from './merge-settings.ts'
import { changeItems, joinPlaced, listPlaced, change, changeBranches, type Placed } from './placed.ts'

/**
 * The suite with all in it that is said once for several steps or suites: its environment's settings over its own, those
 * of `use` and of the plugin below; the defaults are in the steps, and those with GraphQL in the words of every other
 * step. `context.tree` follows.
 */
export function shareSettings(suite: JsonObject, context: LoadContext): JsonObject {
  checkDefaults(suite, context)
  const own: Placed = { value: suite, node: context.tree }
  const layers = [...listUnder(suite, context), own, ...listOver(context)]
  const entries = listPlaced(layers.reduce(mergeSettings))
  const defaults = entries.get('defaults')
  const base = entries.get('base_url')?.value
  for (const list of ['setup', 'steps', 'teardown'])
    changeItems(entries, list, (step, index) => {
      const given = defaults ? giveDefaults(step, defaults, base) : step
      const [before, after] = [step, given].map(({ value }) => (value as JsonObject)['request'])
      if (!isJsonObject(before) || !isJsonObject(after)) return given
      if (Object.hasOwn(after, 'auth') && !Object.hasOwn(before, 'auth'))
        context.defaultAuth.add(toPointer([list, index]))
      return Object.hasOwn(after, 'graphql') ? openGraphql(given) : given
    })
  const { value, node } = joinPlaced(entries, context.tree)
  context.tree = { ...context.tree, ...node }
  return value as JsonObject
}

/** Settings that the suite's own replace, farthest first. */
function listUnder({ use }: JsonObject, context: LoadContext): Placed[] {
  const { defaults } = context.options
  const layers: (Placed | undefined)[] = []
  if (defaults) {
    const source = { path: OPTION, text: stringifyJson({ defaults }, 2) }
    layers.push(readSettings(source, { schema: fragmentSchema, path: ['suite_name'] }, context))
  }
  for (const [index, file] of (Array.isArray(use) ? use : []).entries())
    if (typeof file === 'string' && file.trim() !== '')
      layers.push(readFragment(file, { schema: fragmentSchema, path: ['use', index] }, context))
  return layers.filter((layer) => layer !== undefined)
}

/** Settings that replace the suite's own: those of the chosen environment. Its secrets are variables that no output shows. */
function listOver(context: LoadContext): Placed[] {
  const { environment } = context.options
  if (environment === undefined) return []
  const whole = readFragment(environment, { schema: environmentSchema, path: ['suite_name'] }, context)
  if (!whole) return []
  const { variables, secrets, ...settings } = Object.fromEntries(listPlaced(whole))
  if (!secrets) return [whole]
  const all = new Map([...(variables ? listPlaced(variables) : []), ...listPlaced(secrets)])
  const redact = { value: Object.keys(secrets.value as JsonObject), node: secrets.node }
  const parts = { ...settings, variables: joinPlaced(all, secrets.node), redact }
  return [joinPlaced(new Map(Object.entries(parts)), whole.node)]
}

/** What settings may say, and where the suite names them. */
type SettingsPlace = { schema: GenericSchema; path: ValuePath }

/** Reads a file of settings that is named at a path of the suite. */
function readFragment(file: string, reading: SettingsPlace, context: LoadContext): Placed | undefined {
  const text = context.readFile(file, reading.path)
  if (text === undefined) return undefined
  const { folder } = context.options
  const shown = join(dirname(context.source.path), relative(folder, resolve(folder, file)))
  return readSettings({ path: shown.replaceAll('\\', '/'), text }, reading, context)
}

/**
 * Reads settings and checks them like a suite: what is wrong with them is told at its place in their own text, and makes
 * them nothing. What they say is placed, in the suite, at a path.
 */
function readSettings(
  source: SourceFile,
  { schema, path }: SettingsPlace,
  context: LoadContext,
): Placed | undefined {
  const reading = readYaml(source.text, context.options.fileSize)
  const own = createContext({ source, reading, options: context.options })
  const { value } = reading
  if (isJsonObject(value)) {
    const issues = findIssues(value, schema)
    own.problems.push(...describeIssues(issues, own.tree))
    removeRefused(value, issues, own)
    collectTemplates(value, own)
    checkBaseUrl(value['base_url'], own)
    planRetry((value as Partial<SuiteInput>).retry, ['retry'], own)
    checkDefaults(value, own)
  } else if (own.problems.length === 0)
    own.report([], { code: 'not-a-map', message: 'Expected the file to hold a map of settings.' })
  const errors = own.problems.filter(({ severity }) => severity === 'error')
  context.elsewhere.push(...locateProblems(source, errors))
  context.files.push(...own.files)
  if (errors.length > 0 || value === undefined) return undefined
  const [start, end] = findNode(context.tree, path).range
  const stand = ([from, to]: Place): Place => [start, end, { source, range: [from, to] }]
  const place = ({ range, key, children }: SourceNode): SourceNode => ({
    range: stand(range),
    ...(key && { key: stand(key) }),
    ...(children && { children: new Map([...children].map(([name, child]) => [name, place(child)])) }),
  })
  return { value, node: place(own.tree) }
}

/** Checks `defaults` where they are: steps may have none of them, and share what is wrong with them. */
function checkDefaults({ defaults }: JsonObject, context: LoadContext): void {
  if (!isJsonObject(defaults)) return
  const given = Object.entries(defaults).filter(([, value]) => value !== null)
  const { assert, ...fields } = Object.fromEntries(given)
  const checks = assert !== undefined && omitRemovals({ value: assert, node: context.tree })
  if (checks) planJudgement({ assert: checks.value }, ['defaults'], context)
  checkRequest({ url: '/', ...fields }, { context, path: ['defaults'] })
}

/** A step whose request is GraphQL: `data…` and `errors…` in its checks and captures are those of the answer's body. */
function openGraphql(step: Placed): Placed {
  const parts = listPlaced(step)
  openPart(parts)
  changeBranches(parts, openPart)
  return joinPlaced(parts, step.node)
}

/** Opens the checks and captures of a step or branch: `data.user` is `body.data.user`. */
function openPart(part: Map<string, Placed>): void {
  change(part, 'assert', (assert) => {
    const entries = [...assert]
    assert.clear()
    for (const [key, checks] of entries) assert.set(openPath(key), checks)
  })
  change(part, 'capture', (captures) => {
    for (const [name, { value, node }] of captures) captures.set(name, { value: openCapture(value), node })
  })
}

function openCapture(capture: Json): Json {
  if (typeof capture === 'string') return openPath(capture)
  const path = isJsonObject(capture) ? capture['path'] : undefined
  return typeof path === 'string' ? { ...(capture as JsonObject), path: openPath(path) } : capture
}

function openPath(path: string): string {
  return path.replace(/^\s*(?=(?:data|errors)(?![\w-]))/, 'body.')
}
