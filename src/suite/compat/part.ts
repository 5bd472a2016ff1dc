import type { LoadContext } from '../load-context.ts'
import type { Placed } from '../shared/placed.ts'

/** The entries of a map that is being rewritten; what aliases share with it stays as it is. */
export type Part = Map<string, Placed>

/** Takes a key out of a map; undefined when it is not there. */
export function take(part: Part, key: string): Placed | undefined {
  const taken = part.get(key)
  part.delete(key)
  return taken
}

/** Puts a value, if there is one, under a key, unless the author has written that key. */
export function put(part: Part, key: string, placed: Placed | undefined): void {
  if (placed && !part.has(key)) part.set(key, placed)
}

type Why = { reason: string; context: LoadContext }

/** Takes keys out that are accepted and do nothing, each with a warning. */
export function ignore(part: Part, keys: Iterable<string>, why: Why): void {
  for (const key of keys) {
    const taken = take(part, key)
    if (taken) warnIgnored(key, taken, why)
  }
}

/** Warns that something is accepted and ignored. */
export function warnIgnored(key: string, { node }: Placed, { reason, context }: Why): void {
  const message = `\`${key}\` is ignored: ${reason}.`
  context.reportAt(node.key ?? node.range, { code: 'ignored', severity: 'warning', message })
}
