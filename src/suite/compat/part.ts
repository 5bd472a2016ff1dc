import type { LoadContext } from '../load-context.ts'
import type { Placed } from '../shared/placed.ts'
import { dirname, join, relative } from 'node:path/posix'

/** The entries of a map that is being rewritten; what aliases share with it stays as it is. */
export type Part = Map<string, Placed>

/** Takes a key out of a map; undefined when it is not there. */
export function take(part: Part, key: string): Placed | undefined {
  const taken = part.get(key)
  part.delete(key)
  return taken
}

/** Puts a value under a key, unless the author has written that key. */
export function put(part: Part, key: string, placed: Placed): void {
  if (!part.has(key)) part.set(key, placed)
}

/** Takes keys out that are accepted and do nothing, each with a warning. */
export function ignore(
  part: Part,
  keys: Iterable<string>,
  to: { context: LoadContext; reason: string },
): void {
  for (const key of keys) {
    const taken = take(part, key)
    if (taken) warnIgnored(key, taken, to)
  }
}

/** Warns that something is accepted and ignored. */
export function warnIgnored(
  key: string,
  { node }: Placed,
  { context, reason }: { context: LoadContext; reason: string },
): void {
  const message = `\`${key}\` is ignored: ${reason}.`
  context.reportAt(node.key ?? node.range, { code: 'ignored', severity: 'warning', message })
}

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
