import leven from 'leven'
import type { BaseIssue } from 'valibot'
import type { Problem } from '../errors.ts'
import { findNode, formatPath, type SourceNode, type ValuePath } from './source-tree.ts'

/** Words a schema issue: the field as the author wrote it, the rule, the value it got, the nearest known key. */
export function describeIssue(issue: BaseIssue<unknown>, tree: SourceNode): Problem {
  const path = (issue.path ?? []).map((item) => item.key as string | number)
  const node = findNode(tree, path)
  if (issue.type === 'strict_object' && issue.expected === 'never')
    return describeUnknown({ issue, path, node })
  if (
    issue.path?.at(-1)?.origin === 'key' ||
    (issue.type === 'strict_object' && issue.received === 'undefined')
  ) {
    const parent = findNode(tree, path.slice(0, -1))
    const field = formatPath(path)
    return {
      code: 'missing-field',
      severity: 'error',
      message: `\`${field}\` is missing.`,
      hint: `Add \`${String(path.at(-1))}\` here.`,
      range: parent.key ?? [parent.range[0], parent.range[0] + 1],
    }
  }
  return {
    code: 'bad-value',
    severity: 'error',
    message: `Expected \`${formatPath(path) || 'the suite'}\` to be ${expectation(issue)}, got ${showValue(issue.input)}.`,
    range: node.range,
  }
}

function expectation(issue: BaseIssue<unknown>): string {
  const { message } = issue
  // Schemas carry their expectation as message; Valibot's own messages start with “Invalid”.
  if (message.startsWith('Invalid')) return issue.expected ?? 'valid'
  return message
}

function describeUnknown({
  issue,
  path,
  node,
}: {
  issue: BaseIssue<unknown>
  path: ValuePath
  node: SourceNode
}): Problem {
  const key = String(path.at(-1))
  const owner = formatPath(path.slice(0, -1))
  const known = Object.keys(knownKeys(issue))
  const nearest = findNearest(key, known)
  const list = known.length > 0 ? ` Known here: ${known.join(', ')}.` : ''
  return {
    code: 'unknown-field',
    severity: 'error',
    message: `Unknown field \`${key}\`${owner ? ` in \`${owner}\`` : ''}.`,
    hint: nearest ? `Did you mean \`${nearest}\`?` : `Remove it.${list}`,
    range: node.key ?? node.range,
  }
}

/** `closed` leaves the known entries on the last item of the path. */
function knownKeys(issue: BaseIssue<unknown>): object {
  const last = issue.path?.at(-1) as { entries?: object } | undefined
  return last?.entries ?? {}
}

/** The known name nearest to a misspelt one, or undefined when none is near. */
export function findNearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(name.length / 2)) + 1
  for (const candidate of known) {
    const distance = leven(name.toLowerCase(), candidate.toLowerCase(), { maxDistance: bestDistance })
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best
}

/** Shows a value in a message: short, one line, with its JSON type. */
export function showValue(value: unknown): string {
  const json = JSON.stringify(value) ?? String(value)
  const cut = json.length > 60 ? `${json.slice(0, 59)}…` : json
  return `\`${cut}\` (${typeName(value)})`
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'object') return 'map'
  return typeof value === 'string' ? 'text' : typeof value
}
