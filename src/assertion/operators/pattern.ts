import { parseTemplate } from '../../interpolation/template.ts'
import { stringifyJson, type Json } from '../../json.ts'
import { fail, passWith, type Operator } from './operator.ts'
import { showValue } from '../../text/show-value.ts'

const pattern = {
  about: 'Regular expression, not anchored; `/…/i` sets flags.',
  operand: 'text',
  explainBadOperand: refusePattern,
  takes: ['string'],
  resolve: (operand, interpolate) =>
    typeof operand === 'string' ? resolvePattern(operand, interpolate) : operand,
  judge(actual, operand, { field, tools }) {
    const spec = readPattern(operand as string)
    if (tools.test(spec, actual as string)) return passWith(explainLoose(spec.source, field))
    const failure = fail(
      `Expected \`${field}\` to match the pattern \`${operand as string}\`, got ${showValue(actual)}`,
    )
    const bare = UNFLAGGED.exec(operand as string)?.[1]
    if (bare === undefined || !tools.test({ source: bare, flags: '' }, actual as string)) return failure
    const near = `\`${field}\` matches \`${bare}\`, but not \`${operand as string}\`: slashes without flags behind them are a part of the pattern.`
    return { ...failure, message: `${failure.message}. ${near.slice(0, -1)}`, near }
  },
} satisfies Operator

/** A pattern between slashes as in JavaScript, without the flags that make them more than text. */
const UNFLAGGED = /^\/((?![*+?{])(?:[^/\\]|\\.)+)\/$/s

/** One character or class that need not be there: without an anchor on both sides it is found in every text. */
const LOOSE = /^\^?(?:\\.|\[[^\]]+\]|[^\\^$()|[\]*+?{}])[*?]\$?$/

/** Says of a pattern that every text matches it. */
function explainLoose(source: string, field: string): string | undefined {
  if (!LOOSE.test(source) || (source.startsWith('^') && source.endsWith('$'))) return undefined
  return `\`pattern\` of \`${field}\` says nothing: every text matches \`${source}\`. Write \`^…$\` around it to look at the whole text, or \`type: string\` for any text.`
}

/** Reads a pattern: `/…/flags` with at least one of the flags `imsu`, or anything else as the bare pattern. */
function readPattern(text: string): { source: string; flags: string } {
  const literal = /^\/((?:[^/\\]|\\.)+)\/([imsu]+)$/s.exec(text)
  return literal ? { source: literal[1] as string, flags: literal[2] as string } : { source: text, flags: '' }
}

function refusePattern(operand: Json): string | undefined {
  if (typeof operand !== 'string' || operand === '') return 'a regular expression as text'
  if (/^\/\^.*\/$|^\/.*[^\\]\$\/$/s.test(operand))
    return 'a regular expression without slashes around it (`/…/` is read as a pattern with slashes; `/…/i` sets flags)'
  const other = /^\/(?:[^/\\]|\\.)+\/([a-z]+)$/s.exec(operand)?.[1]?.replaceAll(/[imsu]/g, '')
  if (other) return `a pattern with the flags i, m, s and u only (\`${other}\` is none of them)`
  const { source, flags } = readPattern(operand)
  try {
    new RegExp(source, flags).test('')
    return undefined
  } catch (error) {
    return `a regular expression (${(error as Error).message})`
  }
}

// A value inserted into a longer pattern stands for its characters: text of a server must never become a pattern.
function resolvePattern(operand: string, interpolate: (value: Json) => Json): Json {
  const { parts } = parseTemplate(operand)
  if (parts.length === 1 && parts[0]?.kind !== 'literal') return interpolate(operand)
  const texts = parts.map((part) => {
    if (part.kind === 'literal') return part.text
    const value = interpolate(operand.slice(...part.range))
    const text = typeof value === 'object' ? stringifyJson(value) : String(value)
    return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, escapeSign)
  })
  return texts.join('')
}

// `\-` is refused under the `u` flag outside a class.
function escapeSign(sign: string): string {
  return sign === '-' ? '\\x2d' : `\\${sign}`
}

/** Operators that match text against a regular expression. */
export const patternOperators = { pattern, regex: pattern } satisfies Record<string, Operator>
