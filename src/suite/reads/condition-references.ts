import { unwrapExpression } from '../../assertion/parse/parse-custom.ts'
import { compilePath } from '../../path/compile-path.ts'
import { TemplateError } from '../../interpolation/errors.ts'
import { findExpressionReferences, type Reference } from '../../interpolation/references.ts'
import { parseExpression } from '../../interpolation/syntax/expression.ts'
import { findWritten, narrow, type Place } from '../../source.ts'
import type { LoadContext } from '../load-context.ts'
import type { PlacedReference } from './list-reads.ts'
import { hasTemplate } from '../../interpolation/template.ts'
import { findNode, type ValuePath } from '../source-tree.ts'

type Condition = { source: string; language: 'js' | 'jmespath' }

const LAST = new Set(['condition', 'on', 'until', 'skip', 'when'])
const CUSTOM = /^(?:scenarios\/\d+\/(?:then|else)\/)?assert\/custom\/\d+\/condition$/
const SCENARIO = /^scenarios\/\d+\/condition$/
const RETRY = /^retry\/(?:on|until)$/
const STREAM = 'stream/until'

/** The condition that is at a path of a suite; undefined where no condition is. */
export function findCondition(text: string, path: ValuePath): Condition | undefined {
  // Every text of a suite comes by here.
  if (!LAST.has(String(path.at(-1)))) return undefined
  const [list, , ...inStep] = path
  const place = (isStepList(list) ? inStep : path).join('/')
  if (SCENARIO.test(place) && !hasTemplate(text)) return { source: text, language: 'jmespath' }
  // A skip with `{{…}}` is filled in before it is evaluated.
  const isScript =
    place === STREAM ||
    [CUSTOM, SCENARIO, RETRY].some((pattern) => pattern.test(place)) ||
    ((place === 'skip' || place === 'skip/when') && !hasTemplate(text))
  return isScript ? { source: unwrapExpression(text), language: 'js' } : undefined
}

/** True for the keys of a suite that hold steps. */
export function isStepList(key: string | number | undefined): boolean {
  return key === 'steps' || key === 'setup' || key === 'teardown'
}

/** What a condition reads; nothing for one that does not parse, which its own parser reports. */
export function listConditionReads(
  { source, language }: Condition,
  path: ValuePath,
  context: LoadContext,
): PlacedReference[] {
  const { range } = findNode(context.tree, path)
  const written = findWritten(range, context.source)
  const [from, to] = written.range
  const inText = written.source.text.slice(from, to).indexOf(source)
  const reads = language === 'js' ? listScriptReads(source) : listPathReads(source)
  return reads.map(({ root, path: members, kind, offset, gap }) => {
    const start = from + inText + (offset ?? 0)
    const place: Place =
      inText === -1 || offset === undefined ? range : narrow(range, start, start + root.length)
    // `x || y` has a value without `x`, and the condition may hold by that.
    const optional = gap === 'asked'
    return { root, members, kind, optional, hasDefault: optional, condition: true, path, range: place }
  })
}

type Read = Pick<Reference, 'root' | 'path' | 'kind' | 'gap'> & { offset?: number }

function listScriptReads(source: string): Read[] {
  try {
    return findExpressionReferences(parseExpression(source))
  } catch (error) {
    if (error instanceof TemplateError) return []
    throw error
  }
}

function listPathReads(source: string): Read[] {
  const compiled = compilePath(source)
  if ('message' in compiled) return []
  return compiled.rootPaths.flatMap(([root, name, ...path]) =>
    root === 'variables' && name !== undefined ? [{ root: String(name), path, kind: 'expression' }] : [],
  )
}
