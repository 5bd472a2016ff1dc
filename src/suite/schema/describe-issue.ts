import type { BaseIssue } from 'valibot'
import { showValue } from '../../text/show-value.ts'
import { hintBesideRequest } from '../../text/suggest.ts'
import type { Problem } from '../../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { findNode, formatPath, type SourceNode, type ValuePath } from '../source-tree.ts'
import type { LoadContext } from '../load-context.ts'
import { hintSpace } from '../yaml/describe-syntax.ts'
import { suggestKey } from './suggest-key.ts'

/** How issues are worded: a lenient grammar ignores unknown fields, with a warning. */
type WordingOptions = { isLenient?: boolean }

/** Words what a schema found wrong; a required field that is only misspelt is one problem, not two, unless the misspelt one is ignored. */
export function describeIssues(
  issues: readonly BaseIssue<unknown>[],
  tree: SourceNode,
  options: WordingOptions = {},
): Problem[] {
  const misspelt = new Set(options.isLenient ? [] : issues.map(findMeant))
  return issues
    .filter((issue) => !isMissing(issue) || !misspelt.has(formatPath(readPath(issue))))
    .filter((issue) => !findNode(tree, readPath(issue)).broken)
    .map((issue) => describeIssue(issue, tree, options))
}

/** Takes out what a schema refused, so that the rest is what its types say; what it does not know only where that is ignored. */
export function removeRefused(
  value: JsonObject,
  issues: readonly BaseIssue<unknown>[],
  { tree, rules }: Pick<LoadContext, 'tree' | 'rules'>,
): void {
  for (const issue of issues) {
    if (isMissing(issue) || (isUnknown(issue) && !rules.isLenient)) continue
    const path = readPath(issue)
    const owner = path
      .slice(0, -1)
      .reduce<Json | undefined>((part, name) => (part as JsonObject | undefined)?.[name], value)
    const key = String(path.at(-1))
    if (isJsonObject(owner) && isUnknown(issue)) delete owner[key]
    else if (isJsonObject(owner)) owner[key] = undefined as never
    else if (Array.isArray(owner)) {
      // Something stays, so that the others keep their places.
      owner[Number(key)] = /^(?:string|check|regex)$/.test(issue.type) ? '' : {}
      findNode(tree, path).broken = true
    }
  }
}

/** Words a schema issue: the field as the author wrote it, the rule, the value it got, the nearest known key. */
function describeIssue(issue: BaseIssue<unknown>, tree: SourceNode, options: WordingOptions): Problem {
  const path = readPath(issue)
  const node = findNode(tree, path)
  if (isUnknown(issue)) return describeUnknown(issue, node, options)
  if (isMissing(issue)) return describeMissing(path, tree)
  const expected = readExpected(issue)
  const isBare = expected.startsWith('a text') && /^(?:number|boolean)$/.test(typeof issue.input)
  const hint = isBare
    ? `Put quotes around it: '${String(issue.input)}'.`
    : (hintMap(issue.input, path, expected) ?? hintShortForm(path, issue.input, expected))
  return {
    code: 'bad-value',
    severity: 'error',
    message: `Expected \`${formatPath(path) || 'the suite'}\` to be ${expected}, got ${showInput(issue.input)}.`,
    ...(hint && { hint }),
    range: node.range,
  }
}

/** What is below `auth` may be a name and a password, in `call` a suite and a step, in `request` a host and a port. */
function hintMap(input: unknown, path: ValuePath, expected: string): string | undefined {
  if (typeof input !== 'string' || !expected.includes('map') || path.includes('auth')) return undefined
  const key = path.at(-1)
  const isOther = key === 'call' || (key === 'request' && /^[\w.-]+:\d/.test(input))
  return isOther ? undefined : hintSpace(input)
}

function readPath({ path }: BaseIssue<unknown>): (string | number)[] {
  return (path ?? []).map((item) => item.key as string | number)
}

function isUnknown({ type, expected }: BaseIssue<unknown>): boolean {
  return type === 'strict_object' && expected === 'never'
}

function isMissing(issue: BaseIssue<unknown>): boolean {
  return issue.path?.at(-1)?.origin === 'key' && !isUnknown(issue)
}

/** Path of the known field that an unknown one probably stands for. */
function findMeant(issue: BaseIssue<unknown>): string | undefined {
  if (!isUnknown(issue)) return undefined
  const path = readPath(issue)
  const meant = suggestKey(String(path.at(-1)), readKnown(issue))
  return meant === undefined ? undefined : formatPath([...path.slice(0, -1), meant])
}

// Schemas carry their expectation as message; Valibot's own messages start with “Invalid”.
function readExpected({ message, expected }: BaseIssue<unknown>): string {
  return message.startsWith('Invalid') ? (expected ?? 'valid') : message
}

function showInput(input: unknown): string {
  return typeof input === 'function' || typeof input === 'undefined'
    ? `\`${typeof input}\``
    : showValue(input as Json)
}

function describeMissing(path: ValuePath, tree: SourceNode): Problem {
  const parent = findNode(tree, path.slice(0, -1))
  return {
    code: 'missing-field',
    severity: 'error',
    message: `\`${formatPath(path)}\` is missing.`,
    hint: `Add \`${String(path.at(-1))}\` here.`,
    range: parent.key ?? [parent.range[0], parent.range[0] + 1],
  }
}

function describeUnknown(
  issue: BaseIssue<unknown>,
  node: SourceNode,
  { isLenient }: WordingOptions,
): Problem {
  const path = readPath(issue)
  const [key, owner] = [formatPath(path.slice(-1)), formatPath(path.slice(0, -1))]
  const known = readKnown(issue)
  const nearest = suggestKey(String(path.at(-1)), known)
  const message = `Unknown field \`${key}\`${owner ? ` in \`${owner}\`` : ''}.`
  return {
    code: isLenient ? 'ignored' : 'unknown-field',
    severity: isLenient ? 'warning' : 'error',
    message: isLenient ? `${message} It is ignored.` : message,
    hint:
      (path.at(-2) === 'request' || path.length === 1 ? hintBesideRequest(key) : undefined) ??
      hintSpace(String(path.at(-1))) ??
      hintKey(nearest, known, String(path.at(-2))),
    range: node.key ?? node.range,
  }
}

/** How maps are written whose keys do not explain themselves. */
const EXAMPLES: Readonly<Record<string, string>> = {
  auth: " Write for example `auth: { bearer: '{{token}}' }`.",
  iterate: ' Write `iterate: { over: [a, b], as: item }` or `iterate: { range: "1..5", as: number }`.',
}

function hintKey(nearest: string | undefined, known: readonly string[], owner: string): string {
  if (nearest) return `Did you mean \`${nearest}\`?`
  return `Remove it. Known here: ${known.join(', ')}.${EXAMPLES[owner] ?? ''}`
}

/** `closed` leaves the known entries on the last item of the path. */
function readKnown(issue: BaseIssue<unknown>): string[] {
  const last = issue.path?.at(-1) as { entries?: object } | undefined
  return Object.keys(last?.entries ?? {})
}

/** What authors write in short, by the field: how that is written here. */
const HINTS: Readonly<Record<string, (input: Json) => string | undefined>> = {
  request: (input) => {
    if (typeof input !== 'string') return undefined
    const [, method = 'GET', url = '/'] = /^\s*(?:([A-Z]+)\s+)?(\S*)\s*$/.exec(input) ?? []
    return `Write \`request: { method: ${method}, url: ${/[,[\]{}#]/.test(url) ? `'${url}'` : url} }\`.`
  },
  auth: (input) =>
    typeof input === 'string' ? "Write for example `auth: { bearer: '{{token}}' }`." : undefined,
  basic: (input) => (typeof input === 'string' ? 'Write `basic: { username: …, password: … }`.' : undefined),
  call: (input) => (typeof input === 'string' ? `Write \`call: { suite: ${input} }\`.` : undefined),
  steps: (input) =>
    Array.isArray(input) ? 'Add a step to it.' : 'Start each with a hyphen: `- name: Log in`.',
  capture: (input) =>
    Array.isArray(input) ? 'Name what is captured: `capture: { id: body.id }`.' : undefined,
}

function hintShortForm(path: ValuePath, input: unknown, expected: string): string | undefined {
  const field = String(path.at(-1))
  const hint = Object.hasOwn(HINTS, field) ? HINTS[field]?.(input as Json) : undefined
  if (hint !== undefined || !Array.isArray(input) || /^a list\b/.test(expected)) return hint
  return input.length > 0 && input.every(isEntry) ? 'Remove the hyphens: a map, not a list.' : undefined
}

/** An item of a list that was meant as an entry of a map, also in quotes. */
function isEntry(item: unknown): boolean {
  return isJsonObject(item) || (typeof item === 'string' && /^[\w-]+: /.test(item))
}
