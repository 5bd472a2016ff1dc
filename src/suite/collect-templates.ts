import { findReferences, type Reference } from '../interpolation/references.ts'
import { TemplateError } from '../interpolation/errors.ts'
import { hasTemplate, parseTemplate } from '../interpolation/template.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { positionAt, type Position, type Range } from '../source.ts'
import type { LoadContext } from './load-context.ts'
import { findNode, toPointer, type TemplatePositions, type ValuePath } from './source-tree.ts'

/** A `{{…}}` reference with its place in the suite. */
export type PlacedReference = {
  root: string
  /** Segments read below the root. */
  members: Reference['path']
  kind: Reference['kind']
  /** Where in the suite the text stands. */
  path: ValuePath
  range: Range
}

/** Everything `{{…}}` in a suite. */
export type CollectedTemplates = { positions: TemplatePositions; references: PlacedReference[] }

/** Parses every `{{…}}` of a suite: reports what does not parse, keeps where each one stands and what it reads. */
export function collectTemplates(value: JsonObject, context: LoadContext): CollectedTemplates {
  const collected: CollectedTemplates = { positions: Object.create(null), references: [] }
  const seen = new Set<object>()
  const visit = (part: Json, path: ValuePath): void => {
    if (typeof part === 'string') {
      if (hasTemplate(part)) collectText(part, { path, context, collected })
    } else if (typeof part === 'object' && part !== null && !seen.has(part)) {
      // Aliases share one value: it is read once, at the place it is first used.
      seen.add(part)
      const entries = Array.isArray(part) ? [...part.entries()] : Object.entries(part)
      for (const [key, child] of entries) visit(child as Json, [...path, key])
    }
  }
  visit(value, [])
  return collected
}

/** References in one text, whose templates are known to parse. */
export function listReads(value: Json | undefined): string[] {
  const roots = new Set<string>()
  const visit = (part: Json | undefined): void => {
    if (typeof part === 'string') {
      if (hasTemplate(part)) for (const reference of referencesIn(part)) roots.add(reference.root)
    } else if (Array.isArray(part)) part.forEach(visit)
    else if (isJsonObject(part)) Object.values(part).forEach(visit)
  }
  visit(value)
  return [...roots]
}

function referencesIn(text: string): Reference[] {
  try {
    return findReferences(parseTemplate(text)).filter(
      ({ kind }) => kind === 'reference' || kind === 'expression',
    )
  } catch (error) {
    // Reported by collectTemplates with its place.
    if (error instanceof TemplateError) return []
    throw error
  }
}

type TextPlace = { path: ValuePath; context: LoadContext; collected: CollectedTemplates }

function collectText(text: string, { path, context, collected }: TextPlace): void {
  const { range } = findNode(context.tree, path)
  const offsets = findOpenings(context.source.text.slice(range[0], range[1])).map(
    (offset) => offset + range[0],
  )
  const place = (offset: number): number => offsets[countOpenings(text, offset)] ?? range[0]
  collected.positions[toPointer(path)] = findOpenings(text).map((offset): Position =>
    positionAt(context.lines, place(offset)),
  )
  try {
    const template = parseTemplate(text, { compat: context.options.compat ?? false })
    for (const reference of findReferences(template)) {
      const start = place(reference.offset)
      const { root, kind, path: members } = reference
      collected.references.push({ root, kind, members, path, range: [start, start + 2] })
    }
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    const start = place(error.offset)
    const end = context.source.text.indexOf('}}', start)
    context.problems.push({
      code: 'bad-expression',
      severity: 'error',
      message: error.message,
      ...(error.hint && { hint: error.hint }),
      range: [start, end === -1 || end > range[1] ? start + 2 : end + 2],
    })
  }
}

function findOpenings(text: string): number[] {
  const offsets: number[] = []
  for (let at = text.indexOf('{{'); at !== -1; at = text.indexOf('{{', at + 2)) offsets.push(at)
  return offsets
}

/** Index of the `{{` that an offset belongs to: the last one that starts at or before it. */
export function countOpenings(text: string, offset: number): number {
  return Math.max(0, findOpenings(text.slice(0, offset + 2)).length - 1)
}
