import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { NodePath } from '../../problem.ts'
import type { ParseState } from './parse-state.ts'
import { hasMisspelt, report, reportUnknownKeys } from './report-problem.ts'
import { showValue } from '../../text/show-value.ts'

const KEYS = ['name', 'condition', 'message']

/** Parses `custom`: a list of `{name, condition, message}`; the JavaScript syntax of each condition is checked here. */
export function parseCustom(state: ParseState, tree: Json, at: NodePath): void {
  if (!Array.isArray(tree) || tree.length === 0)
    return report(state, at, {
      code: 'bad-check',
      message: `Expected \`custom\` to be a list of {name, condition, message}, got ${showValue(tree)}.`,
      hint: 'Start each entry with a hyphen: `- name: …`.',
    })
  for (const [index, entry] of tree.entries()) parseEntry(state, entry, [...at, index])
}

function parseEntry(state: ParseState, entry: Json, at: NodePath): void {
  if (!isJsonObject(entry))
    return report(state, at, {
      code: 'bad-check',
      message: `Expected a custom check {name, condition, message}, got ${showValue(entry)}.`,
    })
  reportUnknownKeys(state, entry, { at, known: KEYS, owner: 'a custom check' })
  for (const key of ['name', 'message'])
    if (Object.hasOwn(entry, key) && (typeof entry[key] !== 'string' || entry[key] === ''))
      report(state, [...at, key], {
        code: 'bad-value',
        message: `Expected \`${key}\` of a custom check to be text, got ${showValue(entry[key] as Json)}.`,
      })
  const condition = readCondition(state, entry, at)
  if (condition === undefined) return
  state.checks.push({
    target: 'custom',
    field: typeof entry['name'] === 'string' && entry['name'] !== '' ? entry['name'] : condition,
    path: [],
    operator: 'condition',
    expected: condition,
    ...(typeof entry['message'] === 'string' && { message: entry['message'] }),
    at: state.locate([...at, 'condition']),
  })
}

function readCondition(state: ParseState, entry: JsonObject, at: NodePath): string | undefined {
  const written = Object.hasOwn(entry, 'condition') ? entry['condition'] : undefined
  if (written === undefined && hasMisspelt(state, entry, { key: 'condition', known: KEYS })) return undefined
  if (typeof written !== 'string' || written.trim() === '') {
    const got = written === undefined ? 'it is missing' : `got ${showValue(written)}`
    report(state, written === undefined ? at : [...at, 'condition'], {
      code: written === undefined ? 'missing-field' : 'bad-check',
      message: `Expected \`condition\` of a custom check to be a JavaScript condition in quotes; ${got}.`,
      hint: 'For example `condition: "body.items.length > 0"`.',
    })
    return undefined
  }
  const source = unwrapExpression(written)
  const problem = findProblem(source, state)
  if (problem === undefined) return source
  report(state, [...at, 'condition'], { code: 'bad-expression', ...problem })
  return undefined
}

/** Takes the JavaScript out of a text that is one `{{js: …}}`, `{{…}}` or `js: …`; other text is JavaScript already. */
export function unwrapExpression(text: string): string {
  const inner = /^\s*\{\{\s*(?:js:)?(.*)\}\}\s*$/s.exec(text)?.[1] ?? /^\s*js:(.*)$/s.exec(text)?.[1]
  return (inner === undefined || inner.includes('{{') ? text : inner).trim()
}

function findProblem(source: string, state: ParseState): { message: string; hint?: string } | undefined {
  if (source.includes('{{'))
    return {
      message: `The condition \`${source}\` has a template inside, which is not filled in here.`,
      hint: 'Write the name alone, for example `variables.id` instead of `{{id}}`.',
    }
  const problem = state.options.validateExpression?.(source)
  return (
    problem && {
      message: `The condition does not parse at character ${problem.offset + 1}: ${problem.message}`,
    }
  )
}
