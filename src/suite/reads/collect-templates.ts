import { toPointer } from '../../path/field-path.ts'
import { tryTo } from '../../errors.ts'
import { unwrapExpression } from '../../interpolation/explain-bad-condition.ts'
import { TemplateError } from '../../interpolation/errors.ts'
import { findExpressionReferences, findReferences, type Reference } from '../../interpolation/references.ts'
import { parseExpression } from '../../interpolation/syntax/expression.ts'
import { hasTemplate, parseTemplate } from '../../interpolation/template.ts'
import { isJsonObject, type JsonObject, type ValuePath } from '../../json.ts'
import { compilePath } from '../../path/compile-path.ts'
import { isBound, type ExchangeKind } from '../../path/exchange-fields.ts'
import { findWritten, narrow, positionAt, type Place } from '../../source.ts'
import type { LoadContext } from '../load-context.ts'
import { readKind } from '../plan/plan-judgement.ts'
import { isStepList } from '../plan/step-id.ts'
import { listEntries, pick, type Placed } from '../shared/placed.ts'
import { type TemplatePositions } from '../source-tree.ts'
import type { PlacedReference } from './list-reads.ts'
import { placeTemplates } from './template-places.ts'
import { cut } from '../../text/show-value.ts'

/** Positions of all `{{…}}` in a suite, and everything they and its conditions read. */
export type CollectedTemplates = { positions: TemplatePositions; references: PlacedReference[] }

const SUITE_KEYS =
  'suite_name base_url proxy tls defaults variables mocks retry timeout skip setup steps teardown'.split(' ')

/** Parses the `{{…}}` and conditions of a suite that will be filled in. Reports those `{{…}}` that do not parse; collects positions and references. */
export function collectTemplates(value: JsonObject, context: LoadContext): CollectedTemplates {
  const collected: CollectedTemplates = { positions: Object.create(null), references: [] }
  const suite: Placed = { value, node: context.tree }
  for (const key of SUITE_KEYS) {
    const part = pick(suite, key)
    if (part) visit(part, [key], { ...collected, context, kind: undefined })
  }
  return collected
}

/** Texts that are not filled in. */
const PLAIN = /^(?:description|tags\/\d+|call\/(?:suite|step)|scenarios\/\d+\/name)$/
const OF_CUSTOM = /^(?:defaults\/|scenarios\/\d+\/(?:then|else)\/)?assert\/custom\/\d+\/(?:name|message)$/

type Visit = CollectedTemplates & { context: LoadContext; kind: ExchangeKind | undefined }
type TextVisit = Visit & Pick<Placed, 'node'>

function visit(placed: Placed, path: ValuePath, state: Visit): void {
  const { value, node } = placed
  if (typeof value === 'string') {
    const place = path.slice(isStepList(path[0]) ? 2 : 0).join('/')
    if (PLAIN.test(place) || OF_CUSTOM.test(place)) return
    const language = readLanguage(value, place)
    if (language) collectCondition(value, path, { ...state, node, isScript: language === 'js' })
    else if (hasTemplate(value)) collectText(value, path, { ...state, node })
    return
  }
  const isStep = path.length === 2 && isStepList(path[0]) && isJsonObject(value)
  const inside = isStep ? { ...state, kind: readKind(value) } : state
  for (const [key, child] of listEntries(placed)) {
    // Names of checks and captures have their own parsers, with better messages.
    if (hasTemplate(key) && !['assert', 'expect', 'capture'].some((name) => path.includes(name)))
      state.context.reportAt(child.node.key ?? child.node.range, {
        code: 'ignored',
        message: `The \`{{…}}\` in the name \`${cut(String(key))}\` is not filled in: only values can have templates.`,
        hint: 'Write the name itself. A whole body, or a whole map in a variable, can be one `{{js: …}}`.',
      })
    visit(child, [...path, key], inside)
  }
  if (isStep && isJsonObject(value['request']))
    for (const assert of state.context.defaultAsserts) visit(assert, [...path, 'assert'], inside)
}

/** Adds a reference, unless the step reads it from its own response. */
function add(reference: PlacedReference, { references, kind }: Visit): void {
  const [list, , key, part, , turn] = reference.path
  // Checks and captures of a WebSocket message see that message.
  const isExpected = key === 'websocket' && (turn === 'expect' || turn === 'capture')
  const ofStep = key === 'stream' ? part : key
  const [place, of] = isExpected ? ['assert', 'message' as const] : [isStepList(list) ? ofStep : list, kind]
  if (!isBound(reference.root, String(place), of)) references.push(reference)
}

const SCENARIO = /^scenarios\/\d+\/condition$/
const SCRIPT =
  /^(?:(?:scenarios\/\d+\/(?:then|else)\/)?assert\/custom\/\d+\/condition|retry\/(?:on|until)|stream\/until)$/

type Reading = Pick<Reference, 'root' | 'path' | 'kind' | 'gap' | 'isCompared'> & { offset?: number }

/** The language of the condition at a place of a suite or step; undefined if there is no condition. */
function readLanguage(text: string, place: string): 'jmespath' | 'js' | undefined {
  const isOpen = hasTemplate(text)
  if (SCENARIO.test(place)) return isOpen ? 'js' : 'jmespath'
  // A `skip` with `{{…}}` is filled in before it is evaluated.
  return SCRIPT.test(place) || (/^skip(?:\/when)?$/.test(place) && !isOpen) ? 'js' : undefined
}

/** Adds the references of a condition; none if it does not parse, which its own parser reports. */
function collectCondition(text: string, path: ValuePath, state: TextVisit & { isScript: boolean }): void {
  const { isScript } = state
  const { range } = state.node
  const source = isScript ? unwrapExpression(text) : text
  const written = findWritten(range, state.context.source)
  const [from, to] = written.range
  const inText = written.source.text.slice(from, to).indexOf(source)
  const reads = isScript
    ? tryTo(() => findExpressionReferences(parseExpression(source)))
    : listPathReads(source)
  const asked = new Set(
    reads?.flatMap(({ root, gap, isCompared }) => (gap === 'asked' || isCompared ? root : [])),
  )
  for (const { root, path: members, kind, offset } of reads ?? []) {
    const start = from + inText + (offset ?? 0)
    const isKnown = inText !== -1 && offset !== undefined
    const place = isKnown ? placeName(root, { range, start, text: written.source.text }) : range
    // `x || y` has a value even without `x`, and so the condition may hold.
    const optional = asked.has(root)
    add({ root, members, kind, optional, hasDefault: optional, condition: true, path, range: place }, state)
  }
}

/** The place of a name in the file, including a `variables.` before it. */
function placeName(
  name: string,
  { range, start, text }: { range: Place; start: number; text: string },
): Place {
  const through = text.startsWith('variables.', start) ? 'variables.' : ''
  return narrow(range, start, start + through.length + name.length)
}

function listPathReads(source: string): Reading[] {
  const compiled = compilePath(source)
  if ('message' in compiled) return []
  return compiled.rootPaths.flatMap(([root, name, ...path]) =>
    root === 'variables' ? [{ root: String(name ?? root), path, kind: 'expression' }] : [],
  )
}

function collectText(text: string, path: ValuePath, state: TextVisit): void {
  const { context, positions } = state
  const { range } = state.node
  const written = findWritten(range, context.source)
  const places = placeTemplates(text, written.source.text, written.range)
  positions[toPointer(path)] = places.openings.map((offset) =>
    positionAt(context.lines, range[2] ? range[0] : offset),
  )
  try {
    for (const part of parseTemplate(text)) {
      const optional = part.kind === 'expression' && /\|\||[?]|\btypeof\b/.test(part.source)
      for (const { root, kind, path: members, offset, gap } of findReferences([part])) {
        const start = places.locate(offset)
        const [name = '', ...rest] = root === 'variables' && members.length > 0 ? members : [root, ...members]
        const place = placeName(String(name), { range, start, text: written.source.text })
        const read = { kind, optional, hasDefault: gap !== undefined, path, range: place }
        add({ ...read, root: String(name), members: rest }, state)
      }
    }
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    const start = places.locate(error.offset)
    const end = context.source.text.indexOf('}}', start)
    context.reportAt([start, end === -1 || end > written.range[1] ? start + 2 : end + 2], {
      code: 'bad-expression',
      severity: 'doubt',
      message: `${error.message}.`,
      ...(error.hint && { hint: error.hint }),
    })
  }
}
