import { isJsonObject, stringifyJson, type Json, type JsonObject } from '../../json.ts'
import type { LoadContext } from '../load-context.ts'
import { environmentSchema, fragmentSchema } from '../schema/schema.ts'
import { OPTION, type Place } from '../../source.ts'
import { findNode, toPointer, type SourceNode } from '../source-tree.ts'
import { giveDefaults, mergeSettings } from './merge-settings.ts'
import { changeItems, joinPlaced, listPlaced, change, changeBranches, type Placed } from './placed.ts'
import { checkDefaults, readFragment, readSettings, type Settings } from './read-fragment.ts'

const LISTS = ['setup', 'steps', 'teardown']

/**
 * The suite with all in it that is said once for several steps or suites: its environment's settings over its own, those
 * of `use` and of the plugin below; the defaults are in the steps. `context.tree` follows.
 */
export function shareSettings(suite: JsonObject, context: LoadContext): JsonObject {
  checkDefaults(suite, context)
  const [under, over] = [listUnder(suite, context), listOver(context)]
  if (under.length === 0 && over.length === 0 && !isJsonObject(suite['defaults'])) return suite
  const own: Placed = { value: suite, node: context.tree }
  const entries = listPlaced([...under, own, ...over].reduce(mergeSettings))
  const defaults = entries.get('defaults')
  if (defaults) fillSteps(entries, defaults, context)
  return follow(entries, context)
}

/** The suite of these entries; `context.tree` follows. */
function follow(entries: ReadonlyMap<string, Placed>, context: LoadContext): JsonObject {
  const { value, node } = joinPlaced(entries, context.tree)
  context.tree = { ...context.tree, ...node }
  return value as JsonObject
}

/** Settings that the suite's own replace, farthest first. */
function listUnder(suite: JsonObject, context: LoadContext): Placed[] {
  const { defaults } = context.options
  const node = findNode(context.tree, ['suite_name'])
  const layers: Placed[] = []
  const text = defaults && stringifyJson({ defaults }, 2)
  const option = text && readSettings({ path: OPTION, text }, fragmentSchema, context)
  if (option) layers.push(standAt(option, node))
  const { use } = suite
  for (const [index, file] of (Array.isArray(use) ? use : []).entries()) {
    if (typeof file !== 'string' || file.trim() === '') continue
    const path = ['use', index]
    const value = readFragment({ file, path, schema: fragmentSchema }, context)
    if (value) layers.push(standAt(value, findNode(context.tree, path)))
  }
  return layers
}

/** Settings that replace the suite's own: those of the chosen environment. Its secrets are variables that no output shows. */
function listOver(context: LoadContext): Placed[] {
  const { environment } = context.options
  if (environment === undefined) return []
  const value = readFragment({ file: environment, path: [], schema: environmentSchema }, context)
  if (!value) return []
  const whole = standAt(value, findNode(context.tree, ['suite_name']))
  const { variables, secrets, ...settings } = Object.fromEntries(listPlaced(whole))
  if (!secrets) return [whole]
  const all = new Map([...(variables ? listPlaced(variables) : []), ...listPlaced(secrets)])
  const redact = { value: Object.keys(secrets.value as JsonObject), node: secrets.node }
  const parts = { ...settings, variables: joinPlaced(all, secrets.node), redact }
  return [joinPlaced(new Map(Object.entries(parts)), whole.node)]
}

/** What another file says is placed, in this one, where that file is named. */
function standAt({ value, tree, source }: Settings, { range: [start, end] }: SourceNode): Placed {
  const stand = ([from, to]: Place): Place => [start, end, { source, range: [from, to] }]
  const place = ({ range, key, children }: SourceNode): SourceNode => ({
    range: stand(range),
    ...(key && { key: stand(key) }),
    ...(children && { children: new Map([...children].map(([name, child]) => [name, place(child)])) }),
  })
  return { value, node: place(tree) }
}

function fillSteps(entries: Map<string, Placed>, defaults: Placed, context: LoadContext): void {
  const base = entries.get('base_url')?.value
  for (const list of LISTS)
    changeItems(entries, list, (step, index) => {
      const given = giveDefaults(step, defaults, base)
      if (hasAuth(given.value) && !hasAuth(step.value)) context.defaultAuth.add(toPointer([list, index]))
      return given
    })
}

/** The suite with its GraphQL steps in the words of every other step. `context.tree` follows. */
export function openSteps(suite: JsonObject, context: LoadContext): JsonObject {
  const steps = LISTS.flatMap((list) => (Array.isArray(suite[list]) ? suite[list] : []))
  if (!steps.some(hasGraphql)) return suite
  const entries = listPlaced({ value: suite, node: context.tree })
  for (const list of LISTS)
    changeItems(entries, list, (step) => (hasGraphql(step.value) ? openGraphql(step) : step))
  return follow(entries, context)
}

function hasGraphql(step: Json): boolean {
  const request = isJsonObject(step) ? step['request'] : undefined
  return isJsonObject(request) && isJsonObject(request['graphql'])
}

function hasAuth(step: Json): boolean {
  const request = isJsonObject(step) ? step['request'] : undefined
  return isJsonObject(request) && Object.hasOwn(request, 'auth')
}

const MEMBER = /^(?:data|errors)(?![\w-])/

/**
 * A step whose request is GraphQL, in the words of every other step: `data…` and `errors…` in checks and captures are
 * those of the answer's body.
 */
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
    for (const [key, checks] of entries) assert.set(MEMBER.test(key) ? `body.${key}` : key, checks)
  })
  change(part, 'capture', (captures) => {
    for (const [name, { value, node }] of captures)
      if (typeof value === 'string') captures.set(name, { value: openPath(value), node })
      else if (isJsonObject(value) && typeof value['path'] === 'string')
        captures.set(name, { value: { ...value, path: openPath(value['path']) }, node })
  })
}

function openPath(path: string): string {
  return path.replace(/^\s*/, '').replace(MEMBER, 'body.$&')
}
