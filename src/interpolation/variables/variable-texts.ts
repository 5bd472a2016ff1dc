import type { Json, JsonObject, ValuePath } from '../../json.ts'
import { TemplateError } from '../errors.ts'
import { findReferences, type Reference } from '../references.ts'
import { hasTemplate, parseTemplate } from '../template.ts'
import { isAlong } from './scope.ts'

/** A text with templates somewhere in the variables. */
export type VariableText = {
  path: ValuePath
  text: string
  references: readonly Reference[]
  /** The texts that must be resolved first, each with the name under which it is read. */
  needs: readonly { root: string; text: VariableText }[]
  /** Why it is not a valid template. */
  error?: TemplateError
}

/** Finds every text with templates and what each needs: texts with an error first, else in source order. */
export function findTexts(variables: JsonObject): VariableText[] {
  const texts: VariableText[] = []
  // Data without templates that is used in many places is searched only once.
  const plain = new Set<object>()
  const visit = (value: Json, path: ValuePath): void => {
    if (typeof value === 'string' && hasTemplate(value)) texts.push(readText(value, path))
    if (typeof value !== 'object' || value === null || plain.has(value)) return
    const before = texts.length
    for (const [key, item] of Object.entries(value))
      visit(item, [...path, Array.isArray(value) ? Number(key) : key])
    if (texts.length === before) plain.add(value)
  }
  visit(variables, [])
  const byRoot = Map.groupBy(texts, ({ path }) => String(path[0]))
  for (const text of texts)
    text.needs = text.references.flatMap(({ root, path, kind }) => {
      if (kind !== 'reference' && kind !== 'expression') return []
      const isAll = root === 'variables' && !Object.hasOwn(variables, root)
      const place = isAll ? path : [root, ...path]
      const near = place.length === 0 ? texts : (byRoot.get(String(place[0])) ?? [])
      return near
        .filter((one) => isAlong(one.path, place, kind === 'expression'))
        .map((one) => ({ root: String(place[0] ?? root), text: one }))
    })
  return [...texts.filter(({ error }) => error), ...texts.filter(({ error }) => !error)]
}

function readText(text: string, path: ValuePath): VariableText {
  try {
    return { path, text, references: findReferences(parseTemplate(text)), needs: [] }
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return { path, text, references: [], needs: [], error }
  }
}
