import { hasTemplate } from '../../src/interpolation/template.ts'
import type { Json } from '../../src/json.ts'
import { deepestKept, isDeeper } from '../../src/safe-json.ts'
import { cut } from '../../src/text/show-value.ts'

/** What is wrong with the data of an option; `isPlain`: it must hold no templates, since nothing of a suite is known where it is written. */
export function describeData(name: string, data: unknown, isPlain: boolean): string[] {
  if (isDeeper(data as Json, deepestKept))
    return [`Expected \`${name}\` to nest at most ${deepestKept} levels, and not to refer to itself.`]
  const describe = (value: unknown, path: string): string[] => {
    if (isPlain && hasTemplate(value))
      return [
        `\`${path}\` holds \`${String(value)}\`, which is not filled in here. Write it under \`variables\` in the suites, in a file they \`use\`, or in a file of \`environments/\`.`,
      ]
    const isObject = typeof value === 'object' && value !== null
    const kind = isObject ? (value.constructor?.name ?? 'Object') : typeof value
    if (isObject && /^(?:Object|Array)$/.test(kind))
      return Object.entries(value).flatMap(([key, member]) => describe(member, `${path}.${key}`))
    // It would be lost, or stop the run, on its way to the worker.
    const isForeign =
      isObject || /^(?:function|symbol)$/.test(kind) || (kind === 'number' && !Number.isFinite(value))
    return isForeign ? [`Expected \`${path}\` to be data, got a ${kind}: \`${cut(String(value))}\`.`] : []
  }
  return describe(data, name)
}
