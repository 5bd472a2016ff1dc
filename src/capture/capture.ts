import { unwrapExpression } from '../assertion/parse/parse-custom.ts'
import { report, type Reporting } from '../assertion/parse/report-problem.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import type { Locate, NodePath, Problem } from '../problem.ts'
import { languages, type Language } from '../request/markup/languages.ts'
import type { Position } from '../source.ts'
import { checkLiteral } from './check-literal.ts'
import { checkPath, reportNoPath } from './check-path.ts'

/** One capture of a step: a name, and where its value comes from. */
export type Capture = {
  name: string
  at: Position
  /** JMESPath expression over the response. */
  path?: string
  /** What is looked for in an answer in XML or HTML. */
  select?: { language: Language; expression: string }
  /** A value that is not looked up; templates in it are filled in. */
  literal?: Json
  /** Value when nothing is found. */
  default?: Json
  hasDefault: boolean
  /** Finding nothing gives null. */
  optional: boolean
}

/** Keys of a capture with settings; a map with none of them is a literal. */
export const captureKeys: readonly string[] = ['path', 'xpath', 'css', 'default', 'optional']

const SOURCES = ['path', ...(Object.keys(languages) as Language[])] as const

type State = Reporting & { captures: Capture[]; locate: Locate }

/**
 * Turns the value of `capture` into captures; what the schema has refused is left out. A text is a JMESPath expression, unless it is one `{{…}}` or one quoted
 * text (`'"text"'`); a map with `path` may have `default` and `optional`; everything else is taken literally.
 */
export function parseCaptures(
  tree: Json,
  locate: Locate,
  options: Reporting['options'] = {},
): { captures: Capture[]; problems: Problem[] } {
  const state: State = { captures: [], problems: [], locate, options }
  for (const [name, value] of Object.entries(isJsonObject(tree) ? tree : {})) parseCapture(state, name, value)
  return { captures: state.captures, problems: state.problems }
}

function parseCapture(state: State, name: string, value: Json): void {
  if (!/^[^\s.{}[\]"'`|]+$/u.test(name))
    report(state, [name], {
      code: 'bad-value',
      message: `\`${name}\` cannot be the name of a variable.`,
      hint: 'Use letters, digits, `_` and `-`: a dot or bracket could not be read back with `{{…}}`.',
    })
  const capture = { name, at: state.locate([name]), hasDefault: false, optional: false }
  if (typeof value === 'string') addText(state, capture, { text: value, at: [name] })
  else if (isJsonObject(value) && captureKeys.some((key) => Object.hasOwn(value, key)))
    addMap(state, capture, value)
  else if (value === null) reportNoPath(state, [name])
  else {
    checkLiteral(state, value, { name, keys: captureKeys })
    state.captures.push({ ...capture, literal: value })
  }
}

function addText(state: State, capture: Capture, { text, at }: { text: string; at: NodePath }): void {
  const quoted = readQuoted(text)
  if (quoted !== undefined) state.captures.push({ ...capture, literal: quoted })
  else if (isTemplate(text)) state.captures.push({ ...capture, literal: text })
  else if (checkPath(state, text, at)) state.captures.push({ ...capture, path: text })
}

function isTemplate(text: string): boolean {
  return text.trim().startsWith('{{') && text.trim().endsWith('}}') && unwrapExpression(text) !== text.trim()
}

function readQuoted(text: string): string | undefined {
  if (!/^"(?:[^"\\]|\\.)*"$/s.test(text)) return undefined
  try {
    return JSON.parse(text) as string
  } catch {
    return undefined
  }
}

function addMap(state: State, capture: Capture, map: JsonObject): void {
  const { optional } = map
  const given = SOURCES.filter((key) => Object.hasOwn(map, key))
  const key = given[0] ?? 'path'
  const source = map[key]
  const at = [capture.name, key]
  if (given.length > 1)
    return report(state, [capture.name, given[1] as string], {
      code: 'bad-value',
      message: `The capture \`${capture.name}\` has both ${given.map((name) => `\`${name}\``).join(' and ')}.`,
      hint: 'Keep one of them.',
    })
  if (typeof source !== 'string' || (key !== 'path' && source.trim() === '')) return
  if (key === 'path' && !checkPath(state, source, at)) return
  const hasDefault = Object.hasOwn(map, 'default')
  state.captures.push({
    ...capture,
    at: state.locate(at),
    ...(key === 'path' ? { path: source } : { select: { language: key, expression: source } }),
    ...(hasDefault && { default: map['default'] as Json }),
    hasDefault,
    optional: optional === true,
  })
}
