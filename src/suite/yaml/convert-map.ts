import { isMap, isScalar, type Pair, type YAMLMap } from 'yaml'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { Range } from '../../source.ts'
import { cut } from '../../text/show-value.ts'
import { rangeOf, reportBroken, type Conversion, type Converted, type NodePlace } from './conversion.ts'
import { hintQuotes } from './find-unquoted-template.ts'
import type { SourceNode } from '../source-tree.ts'

/** Converts a YAML map: keys are texts, none appears twice, `<<` merges. */
export function convertMap(map: YAMLMap, { state, range, convertChild }: NodePlace): Converted {
  const template = readTemplate(map, state.text, range)
  if (template !== undefined) return reportTemplate(state, range, template)
  const made: MadeMap = { value: Object.create(null) as JsonObject, children: new Map(), merges: [], size: 1 }
  for (const pair of map.items) convertPair(pair, made, { state, range, convertChild })
  for (const merge of made.merges) mergeInto(made, merge)
  return { value: made.value, node: { range, children: made.children }, size: made.size }
}

type MadeMap = {
  value: JsonObject
  children: Map<string | number, SourceNode>
  merges: Converted[]
  size: number
}

function convertPair(pair: Pair, made: MadeMap, { state, convertChild }: NodePlace): void {
  const keyRange = rangeOf(pair.key, state.text)
  const key = readKey(pair, keyRange, state)
  const converted = convertChild(pair.value)
  made.size += converted.size
  if (key === undefined) return
  const isMerge = key === '<<' && isScalar(pair.key) && pair.key.type === 'PLAIN'
  if (isMerge && made.merges.length === 0) made.merges.push(...readMerge(converted, keyRange, state))
  else if (isMerge || made.children.has(key))
    reportBroken(state, keyRange, {
      code: 'duplicate-key',
      message: `The key \`${key}\` appears twice in this map.`,
      hint: isMerge
        ? 'Merge a list of maps: `<<: [*one, *other]`.'
        : 'Keep one of them: YAML has no rule which one wins.',
    })
  else {
    made.value[key] = converted.value
    // A missing value has no text of its own: its key is where to look.
    const node: SourceNode = { ...converted.node, key: keyRange }
    made.children.set(key, isMissing(pair.value) ? { ...node, range: keyRange, empty: true } : node)
  }
}

function isMissing(value: unknown): boolean {
  return value === null || (isScalar(value) && value.value === null && !value.source)
}

/** The text of an unquoted `{{…}}`: a map with a map as its only key. */
function readTemplate(map: YAMLMap, text: string, range: Range): string | undefined {
  const [first, ...others] = map.items
  const isNested = map.flow && isMap(first?.key) && isMissing(first.value) && others.length === 0
  return isNested && text.startsWith('{{', range[0]) ? text.slice(range[0], range[1]) : undefined
}

function reportTemplate(state: Conversion, range: Range, template: string): Converted {
  const shown = cut(template)
  return reportBroken(state, range, {
    code: 'unquoted-template',
    message: `The unquoted \`${shown}\` is not text: \`{\` starts a map in YAML.`,
    hint: hintQuotes(shown),
  })
}

function readKey({ key }: Pair, range: Range, state: Conversion): string | undefined {
  if (isScalar(key) && typeof key.value === 'string') return key.value
  const text = state.text.slice(range[0], range[1]).trim()
  if (text.startsWith('{{')) reportTemplate(state, range, text)
  else if (isScalar(key)) {
    reportBroken(state, range, {
      code: 'bad-key',
      message: `Expected a text as key, got \`${isMissing(key) ? 'nothing' : text}\`.`,
      hint: isMissing(key) ? 'Write a key before the `:`.' : `Put quotes around it: '${text}'.`,
    })
    // What is below it is read as if it had its quotes.
    return isMissing(key) ? undefined : text
  } else
    reportBroken(state, range, {
      code: 'bad-key',
      message: 'Expected a text as key, got a map, list or alias.',
      hint: 'Write the key as a text.',
    })
  return undefined
}

function readMerge(merge: Converted, range: Range, state: Conversion): Converted[] {
  if (merge.node.broken) return []
  const sources = Array.isArray(merge.value)
    ? merge.value.map((value, index) => ({
        value,
        node: merge.node.children?.get(index) ?? merge.node,
        size: 0,
      }))
    : [merge]
  if (sources.every((source) => isJsonObject(source.value))) return sources
  reportBroken(state, range, {
    code: 'not-a-map',
    message: 'A merge key `<<` takes a map or a list of maps.',
    hint: 'Write `<<: *anchor`, or put quotes around the key.',
  })
  return []
}

/** Keys of the map itself win over merged ones, earlier merges over later ones (yaml.org/type/merge). */
function mergeInto({ value, children }: MadeMap, merge: Converted): void {
  for (const [key, child] of merge.node.children ?? []) {
    if (children.has(key)) continue
    value[key] = (merge.value as JsonObject)[key] as Json
    children.set(key, child)
  }
}
