import { isJsonObject, type JsonObject } from '../../json.ts'
import { findWritten } from '../../source.ts'
import type { LoadContext } from '../load-context.ts'
import { findNode, type ValuePath } from '../source-tree.ts'

/** Warns of numbers in headers, params and forms that end with a zero, which YAML does not keep: a version `1.10` is sent as `1.1`. */
export function checkDecimals(
  request: JsonObject,
  { context, path }: { context: LoadContext; path: ValuePath },
): void {
  for (const key of ['headers', 'params', 'form'])
    for (const [name, value] of Object.entries(isJsonObject(request[key]) ? request[key] : {})) {
      const place = [...path, key, name]
      const { source, range } = findWritten(findNode(context.tree, place).range, context.source)
      const text = source.text.slice(...range)
      if (typeof value !== 'number' || !/^[-+]?\d+\.\d*0$/.test(text)) continue
      context.report(place, {
        code: 'bad-value',
        severity: 'warning',
        message: `\`${text}\` is a number, and sent as \`${value}\`.`,
        hint: `Put quotes around it: '${text}'.`,
      })
    }
}
