import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Alias,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import type { Problem, ProblemCode } from '../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import type { Range } from '../source.ts'
import type { SourceNode } from './source-tree.ts'

const MAX_DEPTH = 100
const MAX_VALUES = 2_000_000

/** A YAML node turned into a value with its places; `size` counts the values it stands for, aliases expanded. */
export type Converted = { value: Json; node: SourceNode; size: number }

/** State of one conversion. */
export type Conversion = {
  text: string
  problems: Problem[]
  anchors: Map<string, Converted>
  /** Anchors whose node is being converted: an alias to one of them contains itself. */
  active: Set<string>
  size: number
}

/** Converts a YAML node to JSON; everything JSON cannot hold, or a reader could misread, is a problem. */
export function convertNode(node: unknown, state: Conversion, depth: number): Converted {
  if (isAlias(node)) return convertAlias(node, state)
  const range = rangeOf(node, state.text)
  if (depth > MAX_DEPTH) {
    if (!state.problems.some((problem) => problem.code === 'too-large'))
      report(state, range, {
        code: 'too-large',
        message: `The file nests deeper than ${MAX_DEPTH} levels.`,
        hint: 'Flatten the data.',
      })
    return { value: null, node: { range }, size: 1 }
  }
  const anchor = (isMap(node) || isSeq(node) || isScalar(node)) && node.anchor ? node.anchor : undefined
  if (anchor) state.active.add(anchor)
  const converted = convertKind(node, { state, depth, range })
  if (anchor) {
    state.active.delete(anchor)
    state.anchors.set(anchor, converted)
  }
  return converted
}

type Place = { state: Conversion; depth: number; range: Range }

function convertKind(node: unknown, place: Place): Converted {
  if (isMap(node)) return convertMap(node, place)
  if (isSeq(node)) return convertList(node, place)
  if (isScalar(node)) return { value: convertScalar(node, place), node: { range: place.range }, size: 1 }
  return { value: null, node: { range: place.range }, size: 1 }
}

function convertAlias(alias: Alias, state: Conversion): Converted {
  const range = rangeOf(alias, state.text)
  const target = state.anchors.get(alias.source)
  if (state.active.has(alias.source) || !target) {
    const message = target
      ? `The alias \`*${alias.source}\` contains itself.`
      : `The alias \`*${alias.source}\` has no anchor above it.`
    report(state, range, {
      code: 'unknown-alias',
      message,
      hint: `Define \`&${alias.source}\` above the alias.`,
    })
    return { value: null, node: { range }, size: 1 }
  }
  return target
}

function convertList(list: YAMLSeq, { state, depth, range }: Place): Converted {
  const value: Json[] = []
  const children = new Map<string | number, SourceNode>()
  let size = 1
  for (const [index, item] of list.items.entries()) {
    const converted = convertNode(item, state, depth + 1)
    value.push(converted.value)
    children.set(index, converted.node)
    size += converted.size
  }
  return { value, node: { range, children }, size: countSize(size, { state, range }) }
}

function convertMap(map: YAMLMap, { state, depth, range }: Place): Converted {
  const value: JsonObject = Object.create(null)
  const children = new Map<string | number, SourceNode>()
  const merges: Converted[] = []
  let size = 1
  for (const pair of map.items) {
    const key = readKey(pair, state)
    if (key === undefined) continue
    const converted = convertNode(pair.value, state, depth + 1)
    size += converted.size
    const keyRange = rangeOf(pair.key, state.text)
    if (key === '<<' && isScalar(pair.key) && pair.key.type === 'PLAIN')
      merges.push(...readMerge(converted, keyRange, state))
    else if (children.has(key)) reportDuplicate(state, keyRange, key)
    else {
      value[key] = converted.value
      // A missing value has no text of its own: its key is where to look.
      children.set(key, {
        ...converted.node,
        range: pair.value === null ? keyRange : converted.node.range,
        key: keyRange,
      })
    }
  }
  for (const merge of merges) mergeInto(value, children, merge)
  return { value, node: { range, children }, size: countSize(size, { state, range }) }
}

function readKey(pair: Pair, state: Conversion): string | undefined {
  const { key } = pair
  const range = rangeOf(key, state.text)
  if (isScalar(key) && typeof key.value === 'string') return key.value
  if (isMap(key)) {
    const hint = "Put quotes around it: key: '{{name}}'."
    report(state, range, {
      code: 'unquoted-template',
      message: 'An unquoted `{{…}}` is a map in YAML.',
      hint,
    })
    return undefined
  }
  const text = state.text.slice(range[0], range[1]).trim()
  report(state, range, {
    code: 'bad-key',
    message: isScalar(key)
      ? `Expected a text as key, got \`${text || 'null'}\`.`
      : 'Expected a text as key, got a list or an alias.',
    hint: isScalar(key) && text ? `Put quotes around it: '${text}'.` : 'Write the key as a text.',
  })
  return undefined
}

function reportDuplicate(state: Conversion, range: Range, key: string): void {
  const message = `The key \`${key}\` stands twice in this map.`
  report(state, range, {
    code: 'duplicate-key',
    message,
    hint: 'Keep one of them: YAML has no rule which one wins.',
  })
}

function readMerge(merge: Converted, range: Range, state: Conversion): Converted[] {
  const sources = Array.isArray(merge.value)
    ? merge.value.map((value, index) => ({
        value,
        node: merge.node.children?.get(index) ?? merge.node,
        size: 0,
      }))
    : [merge]
  if (sources.every((source) => isJsonObject(source.value))) return sources
  report(state, range, {
    code: 'not-a-map',
    message: 'A merge key `<<` takes a map or a list of maps.',
    hint: 'Write `<<: *anchor`.',
  })
  return []
}

/** Keys of the map itself win over merged ones, earlier merges over later ones (yaml.org/type/merge). */
function mergeInto(value: JsonObject, children: Map<string | number, SourceNode>, merge: Converted): void {
  for (const [key, child] of merge.node.children ?? []) {
    if (children.has(key)) continue
    value[key] = (merge.value as JsonObject)[key] as Json
    children.set(key, child)
  }
}

/** Values that the file stands for: aliases count each time, so that a small file cannot become a huge suite. */
function countSize(size: number, { state, range }: { state: Conversion; range: Range }): number {
  if (size > MAX_VALUES && !state.problems.some((problem) => problem.code === 'too-large')) {
    const message = `The aliases of this file expand to more than ${MAX_VALUES} values.`
    report(state, range, { code: 'too-large', message, hint: 'Repeat less through anchors and aliases.' })
  }
  return size
}

function convertScalar(scalar: Scalar, { state, range }: Place): Json {
  const { value, source } = scalar
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'number') return value === undefined ? null : (value as Json)
  // As the author wrote it: a leading zero is part of a code or a phone number, not of a number.
  if (scalar.type === 'PLAIN' && source && /^[-+]?0\d/.test(source)) return source
  const whole = source !== undefined && /^[-+]?(\d+|0o[0-7]+|0x[\da-fA-F]+)$/.test(source)
  if (!Number.isFinite(value) || (whole && !Number.isSafeInteger(value)))
    report(state, range, {
      code: 'bad-number',
      message: `The number \`${source ?? value}\` cannot be kept exactly.`,
      hint: `Put quotes around it to send it as text: '${source ?? value}'.`,
    })
  return value
}

function rangeOf(node: unknown, text: string): Range {
  const range = (node as { range?: [number, number, number] | null } | null)?.range
  if (!range) return [0, Math.min(1, text.length)]
  return [range[0], Math.max(range[1], range[0] + 1)]
}

function report(
  state: Conversion,
  range: Range,
  problem: { code: ProblemCode; message: string; hint: string },
): void {
  state.problems.push({ ...problem, severity: 'error', range })
}
