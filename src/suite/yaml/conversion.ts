import type { Problem, ProblemCode } from '../../errors.ts'
import type { Json } from '../../json.ts'
import type { Range } from '../../source.ts'
import type { SourceNode } from '../source-tree.ts'

/** How many levels a file may nest. */
export const MAX_LEVELS = 100

/** A YAML node turned into a value with its places; `size` counts the values it stands for, aliases expanded. */
export type Converted = { value: Json; node: SourceNode; size: number }

/** State of one conversion. */
export type Conversion = {
  text: string
  problems: Problem[]
  anchors: Map<string, Converted>
  /** Anchors whose node is being converted: an alias to one of them contains itself. */
  active: Set<string>
  /** Values that aliases have added so far. */
  expanded: number
}

/** Where a node stands, and how its children are converted. */
export type NodePlace = { state: Conversion; range: Range; convertChild: (node: unknown) => Converted }

/** Range of a node without the space after it, at least one character long. */
export function rangeOf(node: unknown, text: string): Range {
  const range = (node as { range?: [number, number, number] | null } | null)?.range
  if (!range) return [0, Math.min(1, text.length)]
  const start = Math.max(0, Math.min(range[0], text.length - 1))
  return [start, Math.max(range[1], start + 1)]
}

/** Reports what cannot be read (a limit only once) and puts a null in its place, about which nothing more is reported. */
export function reportBroken(
  state: Conversion,
  range: Range,
  problem: { code: ProblemCode; message: string; hint: string },
): Converted {
  const isKnown = problem.code === 'too-large' && state.problems.some(({ code }) => code === 'too-large')
  if (!isKnown) state.problems.push({ ...problem, severity: 'error', range })
  return { value: null, node: { range, broken: true }, size: 1 }
}
