import { dirname, join, relative } from 'node:path/posix'
import { take, type Part, type Placed } from './part.ts'

/** Takes the name of another suite out of a map: a node id, or a path which `path_type: absolute` makes relative to the project. */
export function resolveReference(part: Part, keys: readonly string[], typeKey: string): Placed | undefined {
  const [first, second] = keys.map((key) => take(part, key))
  const type = take(part, typeKey)
  const reference = first ?? second
  if (!reference || typeof reference.value !== 'string') return reference
  if (type?.value !== 'absolute') return reference
  const folder = dirname(part.context.source.path)
  return { ...reference, value: relative(folder, join('.', reference.value)) }
}
