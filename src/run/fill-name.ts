import { cut } from '../text/show-value.ts'
import { hasTemplate } from '../interpolation/template.ts'
import { descend, readVariable } from '../interpolation/variables/scope.ts'
import { stringifyJson, toText, type Json, type JsonObject } from '../json.ts'

/** Longest text of a variable that a name shows. */
const MAX_SHOWN = 40

/** Puts the value of a variable, or of the member of that name, into a name. */
type Show = (value: Json, name: string) => string

/**
 * The name of a step with its plain `{{name}}` filled in from the layers, the first of which wins; everything else stays as
 * it is written. Values are whole unless `show` cuts them: a cut secret would not be recognised as one.
 */
export function fillName(name: string, layers: readonly JsonObject[], show: Show = toText): string {
  if (!hasTemplate(name)) return name
  return name.replaceAll(/\{\{\s*([\w-]+(?:\.[\w-]+)*)\s*\}\}/g, (written, path: string) => {
    const [root = '', ...members] = path.split('.')
    const owner = readVariable({ layers, exports: {} }, root)
    const value = owner === undefined ? undefined : descend(owner, members)
    return value === undefined || hasTemplate(stringifyJson(value))
      ? written
      : show(value, members.at(-1) ?? root)
  })
}

/** A value as names of tests show it: short, and texts without quotes. */
export function showInName(value: Json): string {
  return cut(toText(value), MAX_SHOWN)
}
