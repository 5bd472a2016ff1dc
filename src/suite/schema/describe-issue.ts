import { safeParse, type BaseIssue, type GenericSchema } from 'valibot'
import { showValue } from '../../text/show-value.ts'
import { hintBesideRequest } from '../../text/suggest.ts'
import type { Problem } from '../../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { Place } from '../../source.ts'
import { formatFieldPath } from '../../path/field-path.ts'
import { findNode, type SourceNode } from '../source-tree.ts'
import type { LoadContext } from '../load-context.ts'
import { hintOwner } from './hint-owner.ts'
import { hintValue } from './hint-value.ts'
import { hintElsewhere, hintSpace, isOtherName, suggestKey } from './suggest-key.ts'

type Issue = BaseIssue<unknown>

type Manner = { isLenient?: boolean; isYaml?: boolean }

/** Describes the issues a schema found. A misspelt required field is one problem, not two. With `isLenient`, unknown fields are only warnings; with `isYaml`, hints say how to write lists and maps in YAML. */
export function describeIssues(
  issues: readonly Issue[],
  tree: SourceNode,
  { isLenient = false, isYaml = false }: Manner = {},
): Problem[] {
  const misspelt = new Set(isLenient ? [] : issues.filter(isUnknown).map(findMeant))
  return issues
    .filter((issue) => !isMissing(issue) || !misspelt.has(formatFieldPath(readPath(issue))))
    .filter((issue) => !findNode(tree, readPath(issue)).broken)
    .map((issue) => {
      const problem = isUnknown(issue) ? describeUnknown(issue, isLenient) : describeWrong(issue, isYaml)
      return Object.assign({ severity: 'error' as const, range: findPlace(issue, tree) }, problem)
    })
}

function findPlace(issue: Issue, tree: SourceNode): Place {
  const path = readPath(issue)
  const { key, range } = findNode(tree, isMissing(issue) ? path.slice(0, -1) : path)
  if (isUnknown(issue)) return key ?? range
  return isMissing(issue) ? (key ?? [range[0], range[0] + 1]) : range
}

/** Reports what a schema rejects and removes it, so that the rest matches its types. Unknown fields are removed only in a lenient suite. */
export function keepValid(value: JsonObject, schema: GenericSchema, context: LoadContext): void {
  const { tree, isLenient, problems, source } = context
  // Stops at the first issue of each part.
  const { issues = [] } = safeParse(schema, value, { abortPipeEarly: true })
  const ignored = isLenient ? issues.filter(isUnknown) : []
  const told = ignored.length > 0 ? ignored : issues
  problems.push(...describeIssues(told, tree, { isLenient, isYaml: /\.ya?ml$/.test(source.path) }))
  removeRefused(value, told, context)
  // Missing fields show up only after the ignored ones are removed.
  if (ignored.length > 0) keepValid(value, schema, context)
}

function removeRefused(value: JsonObject, issues: readonly Issue[], { tree, isLenient }: LoadContext): void {
  for (const issue of issues) {
    if (isMissing(issue) || (isUnknown(issue) && !isLenient)) continue
    const path = readPath(issue)
    const owner = path
      .slice(0, -1)
      .reduce<Json | undefined>((part, name) => (part as JsonObject | undefined)?.[name], value)
    const key = String(path.at(-1))
    if (isJsonObject(owner) && isUnknown(issue)) delete owner[key]
    else if (isJsonObject(owner)) owner[key] = undefined as never
    else if (Array.isArray(owner)) {
      // A placeholder stays, so that the other items keep their positions.
      owner[Number(key)] = /^(?:string|check|regex)$/.test(issue.type) ? '' : {}
      findNode(tree, path).broken = true
    }
  }
}

function readPath({ path }: Issue): (string | number)[] {
  return (path ?? []).map((item) => item.key as string | number)
}

function isUnknown({ type, expected }: Issue): boolean {
  return type === 'strict_object' && expected === 'never'
}

function isMissing(issue: Issue): boolean {
  return issue.path?.at(-1)?.origin === 'key' && !isUnknown(issue)
}

/** Path of the known field that an unknown one probably means. */
function findMeant(issue: Issue): string | undefined {
  const path = readPath(issue)
  const meant = suggestKey(String(path.at(-1)), readKnown(issue))
  return meant === undefined ? undefined : formatFieldPath([...path.slice(0, -1), meant])
}

/** Known fields: `closed` puts them on the last item of the path. */
function readKnown(issue: Issue): string[] {
  const last = issue.path?.at(-1) as { entries?: object } | undefined
  return Object.keys(last?.entries ?? {})
}

type Wording = Pick<Problem, 'code' | 'message' | 'hint'> & Partial<Problem>

function describeUnknown(issue: Issue, isLenient: boolean): Wording {
  const path = readPath(issue)
  const [key, owner] = [String(path.at(-1)) || '""', formatFieldPath(path.slice(0, -1))]
  const known = readKnown(issue)
  const nearest = suggestKey(key, known)
  const [above, below] = nearest?.split('.') ?? []
  const isInRequest = path.at(-2) === 'request'
  // Elsewhere, what a key is at another place tells little.
  const isWide = isInRequest || ['base_url', 'step_id', 'extend'].some((one) => known.includes(one))
  const message = `Unknown field \`${key}\`${owner ? ` in \`${owner}\`` : ''}.`
  // The rest of a value that a comma in `{…}` has cut off, such as `condition: Math.max(body.a, 1) > 0`.
  const isRest = /^[^(]*\)|^[^[]*\]/.test(key)
  const hint =
    (isRest
      ? 'In `{…}`, a comma ends a value. Put the whole value, such as a condition, in quotes.'
      : undefined) ??
    (isInRequest || known.includes('steps') ? hintBesideRequest(key) : undefined) ??
    hintSpace(key) ??
    (below ? `Write it below \`${above}\`: \`${above}: { ${below}: … }\`.` : undefined) ??
    (nearest ? `Did you mean \`${nearest}\`?` : hintElsewhere(key)) ??
    (isInRequest ? hintBesideRequest(suggestKey(key, ['assert', 'capture']) ?? '') : undefined) ??
    (isWide && !isOtherName(key) ? hintOwner(key) : undefined) ??
    `Remove it. Known here: ${known.join(', ')}.`
  return isLenient
    ? { code: 'ignored', severity: 'warning', message: `${message} It is ignored.`, hint }
    : { code: 'unknown-field', message, hint }
}

/** Describes a missing or wrong value: the field as written, the rule, and the value found. */
function describeWrong(issue: Issue, isYaml: boolean): Wording {
  const path = readPath(issue)
  const field = formatFieldPath(path)
  if (isMissing(issue))
    return {
      code: 'missing-field',
      message: `\`${field}\` is missing.`,
      hint: `Add \`${String(path.at(-1))}\` here.`,
    }
  const input = issue.input as Json
  // Our schemas have their expectation as message; Valibot's own messages start with “Invalid”.
  const expected = issue.message.startsWith('Invalid') ? (issue.expected ?? 'valid') : issue.message
  const hint = hintValue(path, input, { expected, isYaml })
  return {
    code: 'bad-value',
    message: `Expected \`${field || 'the suite'}\` to be ${expected}, got ${showValue(input)}.`,
    ...(hint && { hint }),
  }
}
