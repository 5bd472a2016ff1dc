import { stringifyJson, type Json } from '../../json.ts'
import { fail, PASSED, type Operator } from './operator.ts'
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
    if (tools.test(spec, actual as string)) return PASSED
    return fail(
      `Expected \`${field}\` to match the pattern \`${operand as string}\`, got ${showValue(actual)}`,
    )
  },
} satisfies Operator

/** Reads a pattern: `/…/flags` with at least one of the flags `imsu`, or anything else as the bare pattern. */
function readPattern(text: string): { source: string; flags: string } {
  const literal = /^\/((?:[^/\\]|\\.)+)\/([imsu]+)$/s.exec(text)
  return literal ? { source: literal[1] as string, flags: literal[2] as string } : { source: text, flags: '' }
}

function refusePattern(operand: Json): string | undefined {
  if (typeof operand !== 'string' || operand === '') return 'a regular expression as text'
  if (/^\/\^.*\/$|^\/.*[^\\]\$\/$/s.test(operand))
    return 'a regular expression without slashes around it (`/…/` is read as a pattern with slashes; `/…/i` sets flags)'
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
  const templates = findTemplates(operand)
  const first = templates[0]
  if (first === undefined) return operand
  if (first[0] === 0 && first[1] === operand.length) return interpolate(operand)
  let resolved = ''
  let at = 0
  for (const [start, end] of templates) {
    const value = interpolate(operand.slice(start, end))
    const text = typeof value === 'object' ? stringifyJson(value) : String(value)
    resolved += operand.slice(at, start) + text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, escapeSign)
    at = end
  }
  return resolved + operand.slice(at)
}

// `}}` inside quotes or braces of an expression does not end it.
function findTemplates(text: string): [start: number, end: number][] {
  const found: [number, number][] = []
  for (let start = text.indexOf('{{'); start !== -1; start = text.indexOf('{{', found.at(-1)?.[1])) {
    const end = findTemplateEnd(text, start + 2)
    if (end === undefined) break
    found.push([start, end])
  }
  return found
}

function findTemplateEnd(text: string, from: number): number | undefined {
  let braces = 0
  for (let at = from; at < text.length; at += 1) {
    const character = text[at] as string
    if (`'"\``.includes(character)) {
      const close = text.indexOf(character, at + 1)
      if (close === -1) return undefined
      at = close
    } else if (character === '{') braces += 1
    else if (character === '}' && braces > 0) braces -= 1
    else if (character === '}' && text[at + 1] === '}') return at + 2
  }
  return undefined
}

// `\-` is refused under the `u` flag outside a class.
function escapeSign(sign: string): string {
  return sign === '-' ? '\\x2d' : `\\${sign}`
}

/** Operators that match text against a regular expression. */
export const patternOperators = { pattern, regex: pattern } satisfies Record<string, Operator>
