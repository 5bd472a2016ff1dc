import { TemplateError } from '../../interpolation/errors.ts'
import { findReferences, type Reference } from '../../interpolation/references.ts'
import { hasTemplate, parseTemplate, type Template } from '../../interpolation/template.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { isBound } from '../../path/exchange-fields.ts'
import { findWritten, narrow, positionAt, type Range } from '../../source.ts'
import type { LoadContext } from '../load-context.ts'
import { readKind } from '../plan/plan-exchange.ts'
import { findNode, toPointer, type TemplatePositions, type ValuePath } from '../source-tree.ts'
import { findCondition, isStepList, listConditionReads } from './condition-references.ts'
import type { PlacedReference } from './list-reads.ts'
import { placeTemplates, type TemplatePlaces } from './template-places.ts'
import { cut } from '../../text/show-value.ts'

/** Everything `{{…}}` in a suite, and what its conditions read. */
export type CollectedTemplates = { positions: TemplatePositions; references: PlacedReference[] }

const SUITE_KEYS = [
  'suite_name',
  'base_url',
  'defaults',
  'variables',
  'mocks',
  'retry',
  'timeout',
  'skip',
  'setup',
  'steps',
  'teardown',
]

/** Parses every `{{…}}` of a suite that is filled in: reports what does not parse, keeps where each one is and what it and the conditions read. */
export function collectTemplates(value: JsonObject, context: LoadContext): CollectedTemplates {
  const collected: CollectedTemplates = { positions: Object.create(null), references: [] }
  for (const key of SUITE_KEYS)
    if (Object.hasOwn(value, key)) visit(value[key] as Json, [key], { context, collected })
  return { ...collected, references: dropBound(collected.references, value) }
}

/** Leaves out what a step reads of its own answer. */
function dropBound(references: PlacedReference[], suite: JsonObject): PlacedReference[] {
  return references.filter(({ root, path: [list, index, key] }) => {
    const steps = isStepList(list) ? suite[String(list)] : undefined
    const step = Array.isArray(steps) ? steps[Number(index)] : undefined
    return !isBound(
      root,
      String(isStepList(list) ? key : list),
      isJsonObject(step) ? readKind(step) : undefined,
    )
  })
}

type Visit = { context: LoadContext; collected: CollectedTemplates }

function visit(part: Json, path: ValuePath, state: Visit): void {
  const condition = typeof part === 'string' ? findCondition(part, path) : undefined
  if (condition) state.collected.references.push(...listConditionReads(condition, path, state.context))
  else if (typeof part === 'string') {
    if (hasTemplate(part)) collectText(part, path, state)
  } else if (Array.isArray(part)) part.forEach((item, index) => visit(item, [...path, index], state))
  else if (part !== null && typeof part === 'object')
    for (const [key, child] of Object.entries(part)) {
      const inner = [...path, key]
      if (hasTemplate(key)) reportKey(key, inner, state)
      visit(child, inner, state)
    }
}

// Names of checks, captures and variables have parsers that say more.
function reportKey(key: string, path: ValuePath, { context }: Visit): void {
  if (path.includes('assert') || path.includes('capture')) return
  context.report(
    path,
    {
      code: 'ignored',
      severity: 'warning',
      message: `The \`{{…}}\` in the name \`${cut(key)}\` is not filled in: only values are.`,
      hint: 'Build the whole map with `{{js: …}}`, or write the name itself.',
    },
    'key',
  )
}

function collectText(text: string, path: ValuePath, { context, collected }: Visit): void {
  const { range } = findNode(context.tree, path)
  const written = findWritten(range, context.source)
  const places = placeTemplates(text, written.source.text, written.range)
  collected.positions[toPointer(path)] = places.openings.map((offset) =>
    positionAt(context.lines, range[2] ? range[0] : offset),
  )
  try {
    const template = parseTemplate(text)
    for (const reference of listReferences(template)) {
      const start = places.locate(reference.offset)
      const { root, kind, path: members, optional, gap } = reference
      collected.references.push({
        root,
        kind,
        members,
        optional,
        hasDefault: gap !== undefined,
        path,
        range: narrow(range, start, start + root.length),
      })
    }
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    reportTemplate(error, places, { context, range: written.range })
  }
}

/** References of a template; `variables.x` is the variable `x`. */
function listReferences(template: Template): (Reference & { optional: boolean })[] {
  return template.parts.flatMap((part) => {
    if (part.kind === 'literal') return []
    const optional = part.kind === 'expression' && /\|\||[?]|\btypeof\b/.test(part.source)
    return findReferences({ text: template.text, parts: [part] }).map((reference) => {
      const [first, ...rest] = reference.path
      if (reference.root !== 'variables' || first === undefined) return Object.assign(reference, { optional })
      return Object.assign(reference, { optional, root: String(first), path: rest })
    })
  })
}

function reportTemplate(
  error: TemplateError,
  places: TemplatePlaces,
  { context, range }: { context: LoadContext; range: Range },
): void {
  const start = places.locate(error.offset)
  const end = context.source.text.indexOf('}}', start)
  context.reportAt([start, end === -1 || end > range[1] ? start + 2 : end + 2], {
    code: 'bad-expression',
    severity: 'doubt',
    message: `${error.message}.`,
    ...(error.hint && { hint: error.hint }),
  })
}
