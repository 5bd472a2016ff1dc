import { dirname, join, relative } from 'node:path/posix'
import type { LoadContext } from '../load-context.ts'
import type { Placed } from '../shared/placed.ts'
import { take, type Part } from './part.ts'

/** Takes the name of another suite out of a map: a node id, or a path which `path_type: absolute` makes relative to the project. */
export function resolveReference(
  part: Part,
  keys: readonly string[],
  { source }: LoadContext,
): Placed | undefined {
  const [first, second] = keys.map((key) => take(part, key))
  const type = take(part, 'path_type')
  const reference = first ?? second
  if (type?.value !== 'absolute' || typeof reference?.value !== 'string') return reference
  return { ...reference, value: relative(dirname(source.path), join('.', reference.value)) }
}
