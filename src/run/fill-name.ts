import { hasTemplate } from '../interpolation/template.ts'
import { descend, readVariable } from '../interpolation/scope.ts'
import type { Json, JsonObject } from '../json.ts'

/** Longest text of a variable that a name shows. */
const MAX_SHOWN = 40

/** The name of a step with its plain `{{name}}` filled in from the layers, the first of which wins; everything else stays as it is written. */
export function fillName(name: string, layers: readonly JsonObject[]): string {
  if (!hasTemplate(name)) return name
  return name.replaceAll(/\{\{\s*([\w-]+(?:\.[\w-]+)*)\s*\}\}/g, (written, path: string) => {
    const [root = '', ...members] = path.split('.')
    const owner = readVariable({ layers, exports: {} }, root)
    const value = owner === undefined ? undefined : descend(owner, members)
    return value === undefined || hasTemplate(JSON.stringify(value)) ? written : showInName(value)
  })
}

/** A value as names show it: short, and texts without quotes. */
export function showInName(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text
}
