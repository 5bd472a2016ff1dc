import type { Reference } from '../../interpolation/references.ts'
import type { Place } from '../../source.ts'
import type { ValuePath } from '../source-tree.ts'

/** What a `{{…}}` or a condition reads, with its place in the suite. */
export type PlacedReference = {
  root: string
  /** Segments read below the root. */
  members: Reference['path']
  kind: Reference['kind']
  /** It may be missing: the expression has a default, a condition or the like. */
  optional: boolean
  /** It is read by a condition, where a missing value can make a check pass. */
  condition?: true
  /** Where in the suite the text stands. */
  path: ValuePath
  range: Place
}
