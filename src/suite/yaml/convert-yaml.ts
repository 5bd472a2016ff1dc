import { isAlias, isMap, isScalar, isSeq, type Alias, type Pair, type Scalar, type YAMLMap } from 'yaml'
import type { Problem } from '../../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { Range } from '../../source.ts'
import { cut } from '../../text/show-value.ts'
import { joinItems, listEntries, listFields, type Placed } from '../shared/placed.ts'
import type { SourceNode } from '../source-tree.ts'
import { describeTemplate } from './syntax.ts'

/** Maximum number of levels of nesting in a file. */
export const MAX_LEVELS = 100

// Maximum number of values that aliases may expand to, so that a small file cannot become a huge suite.
const MAX_EXPANDED = 500_000

/** A YAML node converted to a value with its positions; `size` counts its values, with aliases expanded. */
type Converted = Placed & { size: number }

type Conversion = {
  text: string
  problems: Problem[]
  /** Values of anchors; null while one is being converted, since an alias to it would then contain itself. */
  anchors: Map<string, Converted | null>
  /** Values that aliases have added so far. */
  expanded: number
}

/** Converts the root of a YAML text to JSON; adds a problem for anything JSON cannot represent or a reader could misread. */
export function convertYaml(root: unknown, text: string, problems: Problem[]): Converted {
  return convertNode(root, { text, problems, anchors: new Map(), expanded: 0 }, 0)
}

function convertNode(node: unknown, state: Conversion, depth: number): Converted {
  if (isAlias(node)) return convertAlias(node, state)
  const range = rangeOf(node, state.text)
  const isCollection = isMap(node) || isSeq(node)
  if (isCollection && depth >= MAX_LEVELS)
    return reportBroken(state, [range[0], range[0] + 1], {
      code: 'too-large',
      message: `The file nests deeper than ${MAX_LEVELS} levels.`,
      hint: 'Flatten the data.',
    })
  if (!isCollection && !isScalar(node)) return { value: null, node: { range }, size: 1 }
  if (node.anchor) state.anchors.set(node.anchor, null)
  const convertChild = (child: unknown): Converted => convertNode(child, state, depth + 1)
  const converted = isMap(node)
    ? convertMap(node, { range, state, convertChild })
    : isSeq(node)
      ? convertList(node.items.map(convertChild), range)
      : convertScalar(node, range, state)
  if (node.anchor) state.anchors.set(node.anchor, converted)
  return converted
}

/** Range of a node without trailing space, at least one character long. */
function rangeOf(node: unknown, text: string): Range {
  const range = (node as { range?: [number, number, number] | null } | null)?.range
  if (!range) return [0, Math.min(1, text.length)]
  const start = Math.max(0, Math.min(range[0], text.length - 1))
  return [start, Math.max(range[1], start + 1)]
}

/** Reports an unreadable value (a limit only once) and replaces it with a null, about which nothing more is reported. */
function reportBroken(
  { problems }: Conversion,
  range: Range,
  problem: Pick<Problem, 'code' | 'message' | 'hint'>,
): Converted {
  const isKnown = problem.code === 'too-large' && problems.some(({ code }) => code === 'too-large')
  if (!isKnown) problems.push({ ...problem, severity: 'error', range })
  return { value: null, node: { range, broken: true }, size: 1 }
}

function convertAlias(alias: Alias, state: Conversion): Converted {
  const range = rangeOf(alias, state.text)
  const target = state.anchors.get(alias.source)
  if (!target)
    return reportBroken(state, range, {
      code: 'unknown-alias',
      message: `The alias \`*${alias.source}\` has no anchor above it, or contains itself.`,
      hint: `Define \`&${alias.source}\` above it, or put quotes around the text.`,
    })
  state.expanded += target.size
  if (state.expanded <= MAX_EXPANDED) return target
  return reportBroken(state, range, {
    code: 'too-large',
    message: `The aliases of this file expand to more than ${MAX_EXPANDED} values.`,
    hint: 'Use fewer anchors and aliases.',
  })
}

/** Converts a scalar (core schema, YAML 1.2 section 10.3.2) without losing digits. */
function convertScalar({ value, source = '', type }: Scalar, range: Range, state: Conversion): Converted {
  const keep = (kept: Json): Converted => ({ value: kept, node: { range }, size: 1 })
  if (typeof value !== 'number') return keep(value === undefined ? null : (value as Json))
  // Kept as text: a leading zero is part of a code or phone number, not of a number.
  if (type === 'PLAIN' && /^[-+]?0\d/.test(source)) return keep(source)
  if (/^[-+]?\d+$/.test(source) && !Number.isSafeInteger(value)) return keep(BigInt(source))
  if (Number.isSafeInteger(value) || (Number.isFinite(value) && !/^[-+]?0[ox]/.test(source)))
    return keep(value)
  return reportBroken(state, range, {
    code: 'bad-number',
    message: `The number \`${source}\` cannot be sent as JSON.`,
    hint: `Put quotes around it to send it as text: '${source}'.`,
  })
}

function convertList(items: readonly Converted[], range: Range): Converted {
  return { ...joinItems(items, { range }), size: items.reduce((sum, { size }) => sum + size, 1) }
}

type MapPlace = { range: Range; state: Conversion; convertChild: (node: unknown) => Converted }

/** Converts a map: keys must be texts and unique; `<<` merges. */
function convertMap(map: YAMLMap, { range, state, convertChild }: MapPlace): Converted {
  if (isTemplate(map) && state.text.startsWith('{{', range[0]))
    return reportBroken(state, range, describeTemplate(state.text.slice(...range), range))
  const value = Object.create(null) as JsonObject
  const children = new Map<string, SourceNode>()
  let merged: Placed[] | undefined
  let size = 1
  for (const pair of map.items) {
    const keyRange = rangeOf(pair.key, state.text)
    const key = readKey(pair, keyRange, state)
    const child = convertChild(pair.value)
    size += child.size
    if (key === undefined) continue
    const isMerge = key === '<<' && isScalar(pair.key) && pair.key.type === 'PLAIN'
    if (isMerge && !merged) merged = readMerge(child, keyRange, state)
    else if (isMerge || children.has(key))
      reportBroken(state, keyRange, {
        code: 'duplicate-key',
        message: `The key \`${key}\` appears twice in this map.`,
        hint: 'Keep one of them: YAML does not define which one wins.',
      })
    else {
      value[key] = child.value
      const isEmpty = isMissing(pair.value)
      if (isEmpty) warnOfComment(key, keyRange, state)
      // A missing value has no text, so its key is its position.
      const place = isEmpty ? { range: keyRange, empty: true as const } : {}
      children.set(key, { ...child.node, key: keyRange, ...place })
    }
  }
  // The map's own keys win over merged ones, earlier merges over later ones (yaml.org/type/merge).
  for (const merge of merged ?? [])
    for (const [key, child] of listFields(merge)) {
      if (children.has(key)) continue
      value[key] = child.value
      children.set(key, child.node)
    }
  return { value, node: { range, children }, size }
}

/** Warns of a text such as `#main` or `#fff` that YAML takes for a comment, so that its key has no value. */
function warnOfComment(key: string, range: Range, { text, problems }: Conversion): void {
  const [, comment] = /^:[ \t]+(#[^\s#]\S*)/.exec(text.slice(range[1], range[1] + 99)) ?? []
  if (comment !== undefined)
    problems.push({
      code: 'bad-value',
      severity: 'warning',
      message: `\`${key}\` has no value, since \`${comment}\` is a comment in YAML.`,
      hint: `Put quotes around it: '${comment}'. For a comment, write a space after the \`#\`.`,
      range,
    })
}

/** True if nothing is written in the place of a value. */
export function isMissing(value: unknown): boolean {
  return value === null || (isScalar(value) && value.value === null && !value.source)
}

/** True for an unquoted `{{…}}`, which YAML reads as a map with a map as its only key. */
function isTemplate({ flow, items: [first, ...others] }: YAMLMap): boolean {
  return flow === true && isMap(first?.key) && isMissing(first.value) && others.length === 0
}

function readKey({ key }: Pair, range: Range, state: Conversion): string | undefined {
  if (isScalar(key) && typeof key.value === 'string') return key.value
  const text = state.text.slice(...range).trim()
  if (text.startsWith('{{')) reportBroken(state, range, describeTemplate(text, range))
  else
    reportBroken(state, range, {
      code: 'bad-key',
      message: `Expected a string as the key, got \`${cut(text)}\`.`,
      hint: 'Put quotes around the key.',
    })
  // A key such as a number is read as if it were quoted, so that what is below it is checked too.
  return isScalar(key) && !isMissing(key) && !text.startsWith('{{') ? text : undefined
}

function readMerge(child: Placed, range: Range, state: Conversion): Placed[] {
  if (child.node.broken) return []
  const sources = Array.isArray(child.value) ? listEntries(child).map(([, item]) => item) : [child]
  if (sources.every((source) => isJsonObject(source.value))) return sources
  reportBroken(state, range, {
    code: 'not-a-map',
    message: 'A merge key `<<` takes a map or a list of maps.',
    hint: 'Write `<<: *anchor`, or put quotes around the key.',
  })
  return []
}
