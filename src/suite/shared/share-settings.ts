import { toPointer } from '../../path/field-path.ts'
import { dirname, join, relative, resolve } from 'node:path'
import type { GenericSchema } from 'valibot'
import { checkBaseUrl, checkRequest } from '../check/check-request.ts'
import { isJsonObject, stringifyJson, type JsonObject, type Json, type ValuePath } from '../../json.ts'
import { LoadContext } from '../load-context.ts'
import { locateProblems } from '../locate-problems.ts'
import { placeParser } from '../plan/plan-judgement.ts'
import { findOrigin } from '../../request/build/build-url.ts'
import { hasTemplate } from '../../interpolation/template.ts'
import { planRetry } from '../plan/plan-retry.ts'
import { collectTemplates } from '../reads/collect-templates.ts'
import { keepValid } from '../schema/describe-issue.ts'
import { environmentSchema, fragmentSchema, type SuiteInput } from '../schema/schema.ts'
import { nameOption, type Place, type SourceFile } from '../../source.ts'
import { findNode, type SourceNode } from '../source-tree.ts'
import { stepLists } from '../plan/step-id.ts'
import { readYaml } from '../yaml/read-yaml.ts'
import { joinChecks } from './default-checks.ts'
import {
  changeMaps,
  findReplaced,
  joinFields,
  joinItems,
  listEntries,
  listFields,
  pick,
  type Placed,
} from './placed.ts'

/** Where the requests of a step are that get the defaults. */
const REQUESTS = [['request'], ['stream', 'trigger'], ['websocket', 'exchange', '*', 'trigger']]

/** Adds what is written once for several steps or suites; the environment overrides the suite, the suite `use` and the plugin. Sets `tree` and `defaultAsserts` of the context. */
export function shareSettings(suite: JsonObject, context: LoadContext): JsonObject {
  checkDefaults(suite, context, suite['use'] === undefined && context.options.defaults === undefined)
  const own: Placed = { value: suite, node: context.tree }
  const layers = [...listUnder(suite, context), own, ...listOver(context)]
  const entries = listFields(layers.reduce(mergeSettings))
  const defaults = entries.get('defaults')
  const asserts = layers.flatMap((layer) => pick(pick(layer, 'defaults') ?? layer, 'assert') ?? [])
  context.defaultAsserts = asserts.slice(asserts.findLastIndex(({ value }) => value === null) + 1)
  const base = entries.get('base_url')?.value
  const give = (request: Placed, path: ValuePath): Placed => {
    const given = giveDefaults(request, defaults as Placed, base)
    if (pick(given, 'auth') && !pick(request, 'auth')) context.defaultAuth.add(toPointer(path))
    return given
  }
  let whole = joinFields(entries, context.tree)
  for (const list of defaults ? stepLists : [])
    for (const path of REQUESTS) whole = changeMaps(whole, [list, '*', ...path], give)
  const { value, node } = whole
  context.tree = { ...context.tree, ...node }
  return value as JsonObject
}

/** Settings that the suite's own override, farthest first. */
function listUnder({ use }: JsonObject, context: LoadContext): Placed[] {
  const { defaults, templates } = context.options
  const options = Object.entries({ variables: templates, defaults }).map(([name, value]) => {
    const source = { path: nameOption(name), text: stringifyJson({ [name]: value ?? null }, 2) }
    const place = { schema: fragmentSchema, path: ['suite_name'], isLowest: true }
    return value && readSettings(source, place, context)
  })
  const files = (Array.isArray(use) ? use : []).map((file, index) =>
    typeof file === 'string' && file.trim() !== ''
      ? readFragment(file, { schema: fragmentSchema, path: ['use', index] }, context)
      : undefined,
  )
  return [...options, ...files].filter((layer) => layer !== undefined)
}

/** Settings that override the suite's own: those of the chosen environment. Its secrets become variables that no output shows. */
function listOver(context: LoadContext): Placed[] {
  const { environment } = context.options
  if (environment === undefined) return []
  const whole = readFragment(environment, { schema: environmentSchema, path: ['suite_name'] }, context)
  const secrets = whole && pick(whole, 'secrets')
  if (!secrets) return whole ? [whole] : []
  const entries = listFields(whole)
  const variables = [...listFields(pick(whole, 'variables') ?? secrets), ...listFields(secrets)]
  entries.delete('secrets')
  entries.set('variables', joinFields(new Map(variables), secrets.node))
  entries.set('redact', { value: Object.keys(secrets.value as JsonObject), node: secrets.node })
  return [joinFields(entries, whole.node)]
}

type SettingsPlace = { schema: GenericSchema; path: ValuePath; isLowest?: boolean }

function readFragment(file: string, reading: SettingsPlace, context: LoadContext): Placed | undefined {
  const text = context.readFile(file, reading.path)
  if (text === undefined) return undefined
  const { folder } = context.options
  const shown = join(dirname(context.source.path), relative(folder, resolve(folder, file)))
  return readSettings({ path: shown.replaceAll('\\', '/'), text }, reading, context)
}

/** Reads settings, checks them like a suite and places them at `path` in it. Undefined if they have errors, which are reported in their own text. */
function readSettings(
  source: SourceFile,
  { schema, path, isLowest }: SettingsPlace,
  context: LoadContext,
): Placed | undefined {
  const reading = readYaml(source.text, context.options.fileSize)
  // Settings are in our format, whatever the format of the suite.
  const own = new LoadContext(reading, source, { ...context.options, compat: false })
  const { value } = reading
  if (isJsonObject(value)) {
    keepValid(value, schema, own)
    collectTemplates(value, own)
    checkBaseUrl(value['base_url'], own)
    planRetry((value as Partial<SuiteInput>).retry, { context: own, path: ['retry'] })
    checkDefaults(value, own, isLowest)
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

/** Checks `defaults` where they are written: there may be no step with them, and several would repeat errors. If `isLowest`, a null removes nothing. */
function checkDefaults({ defaults }: JsonObject, context: LoadContext, isLowest = false): void {
  if (!isJsonObject(defaults)) return
  const given = Object.entries(defaults).filter(([, value]) => value !== null)
  const { assert, ...fields } = Object.fromEntries(given)
  if (assert !== undefined)
    joinChecks(
      [],
      { value: assert, place: placeParser({ context, path: ['defaults', 'assert'] }) },
      !isLowest,
    )
  checkRequest({ url: '/', ...fields }, { context, path: ['defaults'] })
}

/** How to merge two values of a key; for any other key, the nearer value wins. */
const MERGES: Readonly<Record<string, (far: Placed, near: Placed) => Placed>> = {
  defaults: mergeSettings,
  variables: mergeFields,
  redact: (far, near) => ({
    value: [...new Set([far.value, near.value].flat())],
    node: { range: near.node.range },
  }),
  headers: (far, near) => mergeFields(far, near, 'headers'),
  params: mergeFields,
  xml_namespaces: mergeFields,
  mocks: (far, near) =>
    joinItems(
      [near, far].flatMap(listEntries).map(([, mock]) => mock),
      near.node,
    ),
}

/** Merges settings or `defaults`; those of `near` win. */
function mergeSettings(far: Placed, near: Placed): Placed {
  const entries = listFields(near)
  for (const [key, part] of listFields(far)) mergeInto(entries, key, part)
  return joinFields(entries, near.node)
}

/** Adds an inherited value under a key, as far as the key's own value does not override it. */
function mergeInto(entries: Map<string, Placed>, key: string, far: Placed): void {
  const near = entries.get(key)
  const merge = Object.hasOwn(MERGES, key) ? MERGES[key] : undefined
  entries.set(key, near ? (merge?.(far, near) ?? near) : far)
}

/** The fields of both maps. Those of `near` win, including `null`, which omits the field from the request. */
function mergeFields(far: Placed, near: Placed, key = ''): Placed {
  if (!isJsonObject(near.value)) return near
  const isReplaced = findReplaced(near.value, key)
  const kept = [...listFields(far)].filter(([name]) => !isReplaced(name))
  return joinFields(new Map([...kept, ...listFields(near)]), near.node)
}

function listBoth(far: Placed, near: Placed): Placed {
  const children = new Map([far, near].map(({ node }, index) => [index, node]))
  return { value: [far.value, near.value], node: { ...near.node, children } }
}

/** A request with the default headers, parameters and credentials added; its own settings, and the parameters in its url, win. */
function giveDefaults(request: Placed, defaults: Placed, base: Json | undefined): Placed {
  const fields = listFields(request)
  const urls = [fields.get('url')?.value, base]
  const [to, home] = urls.map((url) => (typeof url === 'string' ? findOrigin(url) : undefined))
  // Credentials for the suite's `base_url` go nowhere else. What is unknown before the run is checked again then.
  const takesAuth = to === undefined || home === undefined || to === home
  // A `?` within a `{{…}}` or after a `#` begins no parameters.
  const plain = typeof urls[0] === 'string' ? urls[0].replaceAll(/\{\{.*?\}\}/gs, '') : ''
  const [, search = ''] = /^[^?#]*\?([^#]*)/.exec(plain) ?? []
  const written = new URLSearchParams(search)
  for (const [key, part] of listFields(defaults)) {
    if (part.value === null || key === 'assert' || (key === 'auth' && !takesAuth)) continue
    const given = [...listFields(part)].filter(([name]) => !written.has(name))
    const inherited = key === 'params' ? joinFields(new Map(given), part.node) : part
    const own = fields.get(key)
    // The fields that a template gives are only known when the step runs.
    if (own && key !== 'auth' && hasTemplate(own.value)) fields.set(key, listBoth(inherited, own))
    else mergeInto(fields, key, inherited)
  }
  return joinFields(fields, request.node)
}
