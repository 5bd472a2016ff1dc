import { hasTemplate } from '../../src/interpolation/template.ts'
import { isLiteral, type Json } from '../../src/json.ts'
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
    if (typeof value === 'object' && value !== null) {
      if (Array.isArray(value) || isLiteral(value))
        return Object.entries(value).flatMap(([key, member]) => describe(member, `${path}.${key}`))
      // Its text may be a secret, such as that of a file.
      return [`Expected \`${path}\` to be data, got an instance of ${value.constructor?.name ?? 'a class'}.`]
    }
    // It would be lost, or stop the run, on its way to the worker.
    const isForeign =
      ['function', 'symbol'].includes(typeof value) || (typeof value === 'number' && !Number.isFinite(value))
    return isForeign
      ? [`Expected \`${path}\` to be data, got a ${typeof value}: \`${cut(String(value))}\`.`]
      : []
  }
  return describe(data, name)
}
