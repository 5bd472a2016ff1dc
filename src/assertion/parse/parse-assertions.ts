import { isJsonObject, type Json } from '../../json.ts'
import type { NodePath, ParsePlace } from '../../problem.ts'
import { openSegments, readOperand, type TreeNode, reportBadKey } from './assertion-tree.ts'
import type { Check, CheckTarget } from '../check.ts'
import { explainLack, type ExchangeKind } from '../../path/exchange-fields.ts'
import { parseFieldPath } from '../../path/field-path.ts'
import { parseBody } from './parse-body.ts'
import { parseCustom } from './parse-custom.ts'
import { parseMarkup } from './parse-markup.ts'
import { parseHeader, parseHeaders } from './parse-headers.ts'
import { parseLeaf, type Leaf } from './parse-leaf.ts'
import { countLeaf, statusesLeaf, statusLeaf, timeLeaf } from './number-leaves.ts'
import { parseCookies, parseRedirects } from './parse-cookies.ts'
import { parseResponses } from './parse-responses.ts'
import { settleSiblings } from './settle-siblings.ts'
import type { ParseState } from './parse-state.ts'
import { showValue } from '../../text/show-value.ts'
import { suggestName } from '../../text/suggest.ts'

// In the order in which checks are made and reported.
const PARSERS: Readonly<Record<CheckTarget, (state: ParseState, node: TreeNode) => void>> = {
  status_code: parseNumber('status_code', (node) =>
    Array.isArray(readOperand(node)) ? statusesLeaf : statusLeaf,
  ),
  headers: parseHeaders,
  cookies: parseCookies,
  redirects: parseRedirects,
  body: parseTree('body'),
  xpath: (state, node) => parseMarkup(state, node, 'xpath'),
  css: (state, node) => parseMarkup(state, node, 'css'),
  events: parseTree('events'),
  messages: parseTree('messages'),
  message: parseTree('message'),
  responses: (state, node) => parseResponses(state, node, parseKey),
  size_bytes: parseNumber('size_bytes', () => countLeaf),
  response_time_ms: parseNumber('response_time_ms', () => timeLeaf),
  duration_ms: parseNumber('duration_ms', () => timeLeaf),
  first_event_ms: parseNumber('first_event_ms', () => timeLeaf),
  custom: (state, node) => parseCustom(state, readOperand(node), node.at),
}

// What is below them is no path, and only under their plain names the schema has looked at it.
const WHOLE: ReadonlySet<string> = new Set(['custom', 'responses', 'xpath', 'css'])

function parseTree(target: CheckTarget): (state: ParseState, node: TreeNode) => void {
  return (state, node) => parseBody(state, { target, path: [], field: target }, node)
}

function parseNumber(
  target: CheckTarget,
  leafOf: (node: TreeNode) => Leaf,
): (state: ParseState, node: TreeNode) => void {
  return (state, node) => parseLeaf(state, { target, path: [], field: target }, { node, leaf: leafOf(node) })
}

const TARGETS = Object.keys(PARSERS) as CheckTarget[]

// What authors write instead.
const OTHER_NAMES: Readonly<Record<string, string>> = {
  status: 'status_code',
  code: 'status_code',
  header: 'headers',
  json: 'body.json',
  response: 'body',
  response_time: 'response_time_ms',
  cookie: 'cookies',
  size: 'size_bytes',
  time: 'response_time_ms',
}

/** Turns the value of `assert` into checks, in the order they are made, and finds everything wrong with it. */
export function parseAssertions(tree: Json, place: ParsePlace, kind?: ExchangeKind): Check[] {
  const state: ParseState = { ...place, checks: [], places: new Map(), kind }
  if (!isJsonObject(tree) || Object.keys(tree).length === 0)
    state.report([], {
      code: 'bad-check',
      message: `Expected \`assert\` to be a map of checks, got ${showValue(tree)}, which checks nothing.`,
      hint: `Write ${listTargets(state)
        .map((target) => `\`${target}\``)
        .join(', ')} below it, or leave \`assert\` out.`,
    })
  else for (const [key, value] of Object.entries(tree)) parseKey(state, key, { at: [key], json: value })
  settleSiblings(state, state.checks)
  return state.checks.toSorted((a, b) => TARGETS.indexOf(a.target) - TARGETS.indexOf(b.target))
}

function parseKey(state: ParseState, key: string, node: TreeNode): void {
  const headers = /^headers\.(.+)$/s.exec(key)?.[1]
  if (headers !== undefined)
    return parseHeader(state, { key: headers, value: readOperand(node), at: node.at })
  const segments = parseFieldPath(key)
  const [first, ...rest] = typeof segments === 'string' ? [] : segments
  const target = TARGETS.find((name) => name === first?.name)
  if (typeof segments === 'string' && /^(?:body|headers|cookies|redirects|events|messages)\b/.test(key))
    return reportBadKey(state, { at: node.at, key, problem: segments })
  if (target === undefined || typeof segments === 'string')
    return reportKey(state, node.at, { key, segments })
  const inner = rest.length > 0 ? openSegments(segments, node).node : node
  if (WHOLE.has(target) && key !== target) return reportKey(state, node.at, { key, segments })
  const lack = explainLack(target, 'checks', state.kind)
  if (lack)
    return state.report(node.at, {
      code: 'unknown-field',
      message: `\`${target}\` is what ${lack.what}.`,
      hint: lack.hint,
    })
  PARSERS[target](state, inner)
}

/** What an answer of the step's kind has. */
function listTargets({ kind, refused }: ParseState): CheckTarget[] {
  return TARGETS.filter((name) => !explainLack(name, 'checks', kind) && !refused?.includes(name))
}

function reportKey(
  state: ParseState,
  at: NodePath,
  { key, segments }: { key: string; segments: unknown },
): void {
  const plain = key.replace(/^(?:\$|response)\./, '')
  const first = plain.split(/[.[]/)[0] as string
  const other = Object.hasOwn(OTHER_NAMES, first) ? OTHER_NAMES[first] : suggestName(first, TARGETS)
  const known = TARGETS.find((target) => target === first) ?? other
  const below = known && WHOLE.has(known) ? '' : plain.slice(first.length)
  state.report(at, {
    code: 'unknown-field',
    message: `Unknown field \`${key}\` in \`assert\`${typeof segments === 'string' ? `: ${segments}` : ''}.`,
    hint: known
      ? `Did you mean \`${known}${below}\`?`
      : `Did you mean \`body.${plain}\`? Known here: ${listTargets(state).join(', ')}.`,
  })
}
