import { isAlias, isMap, isScalar, isSeq, type Alias, type YAMLSeq } from 'yaml'
import type { Json } from '../../json.ts'
import {
  MAX_LEVELS,
  rangeOf,
  reportBroken,
  type Conversion,
  type Converted,
  type NodePlace,
} from './conversion.ts'
import { convertMap } from './convert-map.ts'
import { convertScalar } from './convert-scalar.ts'
import type { SourceNode } from '../source-tree.ts'

// Values that aliases stand for, so that a small file cannot become a huge suite.
const MAX_EXPANDED = 500_000

/** Converts a YAML node to JSON; everything JSON cannot hold, or a reader could misread, is a problem. */
export function convertNode(node: unknown, state: Conversion, depth: number): Converted {
  if (isAlias(node)) return convertAlias(node, state)
  const range = rangeOf(node, state.text)
  const isCollection = isMap(node) || isSeq(node)
  if (isCollection && depth >= MAX_LEVELS)
    return reportBroken(state, [range[0], range[0] + 1], {
      code: 'too-large',
      message: `The file nests deeper than ${MAX_LEVELS} levels.`,
      hint: 'Flatten the data.',
    })
  const anchor = isCollection || isScalar(node) ? node.anchor : undefined
  if (anchor) state.active.add(anchor)
  const converted = convertKind(node, {
    state,
    range,
    convertChild: (child) => convertNode(child, state, depth + 1),
  })
  if (anchor) {
    state.active.delete(anchor)
    state.anchors.set(anchor, converted)
  }
  return converted
}

function convertKind(node: unknown, place: NodePlace): Converted {
  if (isMap(node)) return convertMap(node, place)
  if (isSeq(node)) return convertList(node, place)
  if (isScalar(node)) return convertScalar(node, place)
  return { value: null, node: { range: place.range }, size: 1 }
}

function convertAlias(alias: Alias, state: Conversion): Converted {
  const range = rangeOf(alias, state.text)
  const name = `\`*${alias.source}\``
  if (state.active.has(alias.source))
    return reportBroken(state, range, {
      code: 'unknown-alias',
      message: `The alias ${name} contains itself.`,
      hint: 'Write the value out where it ends.',
    })
  const target = state.anchors.get(alias.source)
  if (!target)
    return reportBroken(state, range, {
      code: 'unknown-alias',
      message: `The alias ${name} has no anchor above it.`,
      hint: `Define \`&${alias.source}\` above it, or put quotes around the text.`,
    })
  state.expanded += target.size
  if (state.expanded <= MAX_EXPANDED) return target
  return reportBroken(state, range, {
    code: 'too-large',
    message: `The aliases of this file expand to more than ${MAX_EXPANDED} values.`,
    hint: 'Repeat less through anchors and aliases.',
  })
}

function convertList(list: YAMLSeq, { range, convertChild }: NodePlace): Converted {
  const value: Json[] = []
  const children = new Map<string | number, SourceNode>()
  let size = 1
  for (const [index, item] of list.items.entries()) {
    const converted = convertChild(item)
    value.push(converted.value)
    children.set(index, converted.node)
    size += converted.size
  }
  return { value, node: { range, children }, size }
}
