import { isJsonObject, type Json, type JsonObject, type ValuePath } from '../../json.ts'
import { openPath, type ParsePlace } from '../../path/parse-place.ts'
import { type TreeNode, reportBadKey } from './assertion-tree.ts'
import type { Check } from '../check.ts'
import { explainLack, otherRoots } from '../../path/exchange-fields.ts'
import { parseFieldPath } from '../../path/field-path.ts'
import { listTargets, targets, withPath } from '../targets.ts'
import type { CheckTarget, TargetKind, TargetOf } from '../targets.ts'
import { parseChecks } from './parse-checks.ts'
import { explainBadCondition, unwrapExpression } from '../../interpolation/explain-bad-condition.ts'
import { hasTemplate } from '../../interpolation/template.ts'
import { parseExpression } from '../../interpolation/syntax/expression.ts'
import { parseNamed, parseRedirects } from './parse-named.ts'
import { countWords, dataWords, statusWords, timeWords, type Vocabulary } from './vocabularies.ts'
import type { ParseState } from './add-check.ts'
import { showValue } from '../../text/show-value.ts'
import { hintBesideRequest, suggestName } from '../../text/suggest.ts'

type Parser<Target> = (state: ParseState, node: TreeNode, target: Target) => void

const PARSERS: { readonly [Kind in TargetKind]: Parser<TargetOf<Kind>> } = {
  status: parse(statusWords),
  count: parse(countWords),
  time: parse(timeWords),
  data: parse(dataWords),
  message: parse(dataWords),
  headers: parseNamed,
  cookies: parseNamed,
  selectors: parseNamed,
  redirects: parseRedirects,
  responses: parseResponses,
  custom: parseCustom,
  openapi: parseOpenapi,
}

function parse(words: Vocabulary): Parser<CheckTarget> {
  return (state, node, target) => parseChecks(state, { target, path: [], field: target, words }, node)
}

const TARGETS = listTargets()
// Targets without a path below them; the schema has checked them only under their plain names.
const WHOLE: ReadonlySet<string> = new Set(listTargets('selectors', 'responses', 'custom', 'openapi'))
const PATHS = new RegExp(`^(?:${withPath.join('|')})\\b`)

/** Parses the value of `assert` into checks, in the order they run, and reports everything wrong with it. */
export function parseAssertions(tree: Json, place: ParsePlace): Check[] {
  const report: ParsePlace['report'] = (path, problem, part) =>
    place.report(path, { code: 'bad-check', ...problem }, part)
  const state: ParseState = { ...place, report, checks: [], places: new Map() }
  if (!isJsonObject(tree) || Object.keys(tree).length === 0)
    state.report([], {
      message: `Expected \`assert\` to be a map of checks, got ${showValue(tree)}, which checks nothing.`,
      hint: `Write at least one of ${listKnown(state)
        .map((target) => `\`${target}\``)
        .join(', ')} below it, or leave out \`assert\`.`,
    })
  else
    for (const [key, value] of Object.entries(tree))
      parseKey(state, key, { at: [key], json: value, below: [] })
  settleSiblings(state, state.checks)
  return sortChecks(state.checks)
}

/** Sorts checks into the order in which they run and are reported. */
export function sortChecks(checks: readonly Check[]): Check[] {
  return checks.toSorted((a, b) => TARGETS.indexOf(a.target) - TARGETS.indexOf(b.target))
}

function parseKey(state: ParseState, written: string, node: TreeNode): void {
  const key = openPath(written, state)
  const segments = parseFieldPath(key)
  const [first, ...rest] = typeof segments === 'string' ? [] : segments
  const target = TARGETS.find((name) => name === first?.name)
  if (typeof segments === 'string' && PATHS.test(key)) return reportBadKey(state, node.at, segments)
  if (target === undefined || (WHOLE.has(target) && key !== target))
    return reportKey(state, node.at, { key, segments })
  const lack = explainLack(target, 'checks', state.kind)
  if (lack)
    return state.report(node.at, {
      code: 'unknown-field',
      message: lack.message,
      hint: lack.hint,
    })
  const parseTarget = PARSERS[targets[target].kind] as Parser<CheckTarget>
  parseTarget(state, { ...node, below: rest }, target)
}

/** The targets that a response of the step's kind has. */
function listKnown({ kind, refused }: ParseState): CheckTarget[] {
  return TARGETS.filter((name) => !explainLack(name, 'checks', kind) && !refused?.includes(name))
}

function reportKey(
  state: ParseState,
  at: ValuePath,
  { key, segments }: { key: string; segments: unknown },
): void {
  const plain = key.replaceAll(/^(?:\$|res|response)?\.|\.$/g, '')
  const first = plain.split(/[.[]/)[0] as string
  const other = Object.hasOwn(otherRoots, first) ? otherRoots[first] : suggestName(first, TARGETS)
  const known = TARGETS.find((target) => target === first) ?? other
  const isSelector = (known === 'css' || known === 'xpath') && plain[first.length] === '.'
  const rest = isSelector ? `: { ${plain.slice(first.length + 1)}: … }` : plain.slice(first.length)
  const below = known && WHOLE.has(known) && !isSelector ? '' : rest
  const like = /^(?:request|variables)$/.test(first)
    ? `A \`custom\` condition can read \`${first}\`. `
    : `Did you mean \`${plain.includes('-') ? 'headers' : 'body'}.${plain}\`? `
  state.report(at, {
    code: 'unknown-field',
    message: `Unknown field \`${key}\` in \`assert\`${typeof segments === 'string' ? `: ${segments}` : ''}.`,
    hint: known
      ? `Did you mean \`${known}${below}\`?`
      : (hintBesideRequest(key) ??
        `${/[(|/]|^\./.test(plain) ? '' : like}Known here: ${listKnown(state).join(', ')}.`),
  })
}

// Targets that are about several responses; in `where` the schema has not checked them.
const MANY: readonly CheckTarget[] = ['custom', 'responses', 'mock_calls']

/** Parses `openapi`: the name of a file. */
function parseOpenapi(state: ParseState, { json, at }: TreeNode): void {
  if (typeof json === 'string' && json.trim() !== '' && !hasTemplate(json))
    state.checks.push({
      target: 'openapi',
      field: 'openapi',
      path: [],
      operator: 'openapi',
      expected: json,
      at: state.locate(at),
    })
  else
    state.report(at, {
      message: `Expected \`openapi\` to be the name of a file without \`{{…}}\`, got ${showValue(json)}.`,
      hint: 'Write the file of an OpenAPI document, relative to the suite: `openapi: ./openapi.yaml`.',
    })
}

/** Parses `responses`: how many of a burst pass the checks in `where`. Skips what the schema has refused. */
function parseResponses(state: ParseState, { json: list, at }: TreeNode): void {
  for (const [index, entry] of (Array.isArray(list) ? list : []).entries()) {
    const { where, count } = isJsonObject(entry) ? entry : {}
    if (count === undefined || !isJsonObject(where)) continue
    const field = `responses[${index}]`
    const inner: ParseState = { ...state, checks: [], refused: MANY }
    for (const [key, json] of Object.entries(where))
      parseKey(inner, key, { at: [...at, index, 'where', key], json, below: [] })
    const other = MANY.find((key) => Object.hasOwn(where, key))
    if (other)
      state.report([...at, index, 'where'], {
        message: `\`where\` of \`${field}\` cannot have \`${other}\`: it checks each response on its own.`,
        hint: 'Check the status, headers, body, sizes or times.',
      })
    const counts: ParseState = { ...state, checks: [] }
    parseChecks(
      counts,
      { target: 'responses', path: [index], field: `${field}.count`, words: countWords },
      { at: [...at, index, 'count'], json: count, below: [] },
    )
    if (other || inner.checks.length === 0) continue
    for (const check of counts.checks) state.checks.push(Object.assign(check, { checks: inner.checks }))
  }
}

/** Parses `custom`, a list of `{name, condition, message}`. Skips what the schema has refused. */
function parseCustom(state: ParseState, { json, at }: TreeNode): void {
  for (const [index, entry] of (Array.isArray(json) ? json : []).entries())
    if (isJsonObject(entry)) parseCondition(state, entry, [...at, index, 'condition'])
}

function parseCondition(state: ParseState, { name, condition, message }: JsonObject, at: ValuePath): void {
  if (typeof condition !== 'string' || condition.trim() === '') return
  const source = unwrapExpression(condition)
  const problem = explainBadCondition(source)
  if (problem) return state.report(at, problem)
  if (parseExpression(source).freeNames.length === 0)
    return state.report(at, {
      message: `The condition \`${source}\` reads nothing, so its result is the same for every response.`,
    })
  state.checks.push({
    target: 'custom',
    field: typeof name === 'string' ? name : source,
    path: [],
    operator: 'condition',
    expected: source,
    ...(typeof message === 'string' && { message }),
    at: state.locate(at),
  })
}

// Operators that say whether a list may be empty.
const SIZED = new Set(['notEmpty', 'length', 'minLength', 'optional'])

/** Marks on each check what the others on its value mean for it. Reports an `optional` without effect. */
function settleSiblings(state: ParseState, checks: readonly Check[]): void {
  for (const { checks: nested = [], operator } of checks)
    for (const group of operator === 'any_of' ? nested.map((one) => [one]) : [nested])
      settleSiblings(state, group)
  for (const group of Map.groupBy(checks, ({ target, path }) => JSON.stringify([target, path])).values()) {
    if (group.some(({ operator }) => SIZED.has(operator))) for (const check of group) check.mayBeEmpty = true
    const optional = group.find(({ operator }) => operator === 'optional')
    if (optional) settleOptional(state, optional, checks)
  }
}

function settleOptional(state: ParseState, optional: Check, checks: readonly Check[]): void {
  const { target, path, field } = optional
  const isBelow = (check: Check): boolean => path.every((step, index) => check.path[index] === step)
  const covered = checks.filter((check) => check.target === target && isBelow(check))
  for (const check of covered) (check.optional ??= []).push(path.length)
  const isIdle = ({ operator, expected, path: { length } }: Check): boolean =>
    operator === 'optional' || (operator === 'exists' && expected === true && length === path.length)
  if (covered.every(isIdle))
    state.report(state.places.get(optional) ?? [], {
      message: `\`${field}\` has \`optional\`, but no check that could fail.`,
      hint: 'Write it beside other checks of a field.',
    })
}
