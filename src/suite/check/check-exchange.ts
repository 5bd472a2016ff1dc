import type { JsonObject } from '../../json.ts'
import type { LoadContext } from '../load-context.ts'
import type { ValuePath } from '../source-tree.ts'

/** Keys of a step that cannot be used beside another one, with the reason. */
const CLASHES: readonly (readonly [key: string, others: readonly string[], why: string])[] = [
  [
    'websocket',
    ['request', 'call', 'stream', 'burst', 'save', 'body_as'],
    'a step has one connection, and its messages are in `exchange`',
  ],
  ['stream', ['call'], 'a stream is the answer to a `request`'],
  [
    'burst',
    ['call', 'stream', 'scenarios', 'retry', 'save'],
    'a burst is one `request`, sent many times, with many answers',
  ],
]

/** Reports keys of a step that change what it sends and do not go together. */
export function checkExchange(step: JsonObject, path: ValuePath, context: LoadContext): void {
  for (const [key, others, why] of CLASHES)
    for (const other of others)
      if (Object.hasOwn(step, key) && Object.hasOwn(step, other))
        context.report(
          [...path, key],
          {
            code: 'bad-value',
            message: `\`${key}\` is not allowed beside \`${other}\`: ${why}.`,
            hint: 'Take one of them out, or make two steps of it.',
          },
          'key',
        )
}
