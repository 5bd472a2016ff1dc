import { parseTemplate } from '../../interpolation/template.ts'
import { toText, type Json } from '../../json.ts'
import { showValue } from '../../text/show-value.ts'
import { question, type Judgement } from './operator.ts'

const pattern = question({
  about: 'Matches this regular expression, which is not anchored; `/…/i` sets flags.',
  operand: 'text',
  explainBadOperand: refusePattern,
  takes: ['string'],
  resolve: (operand, interpolate) =>
    typeof operand === 'string' ? resolvePattern(operand, interpolate) : operand,
  words: (operand) => `to match the pattern \`${operand as string}\``,
  holds: (actual, operand, { tools }) => tools.test(readPattern(operand as string), actual as string),
  doubt: explainLoose,
  nearly: explainStrict,
  got: (actual, operand) =>
    showValue(actual) + (findBare(operand) ? '; without flags, slashes are part of the pattern' : ''),
})

/** What is between the slashes of a pattern without flags. */
function findBare(operand: Json): string | undefined {
  return /^\/(.+)\/$/s.exec(operand as string)?.[1]
}

/** Explains that a text matches but for the slashes around the pattern, or for capitals; else undefined. */
function explainStrict({ field, tools }: Judgement, operand: Json, actual: Json): string | undefined {
  const { source, flags } = readPattern(operand as string)
  const bare = findBare(operand) ?? ''
  const compared = `${showValue(actual)} was compared with \`${operand as string}\``
  if (refusePattern(bare) === undefined && tools.test({ source: bare, flags }, actual as string))
    return `The check of \`${field}\` passed only because the slashes are part of the pattern: ${compared}.`
  // A class may ask for capitals.
  if (
    /[[\\]/.test(source) ||
    flags.includes('i') ||
    !tools.test({ source, flags: `${flags}i` }, actual as string)
  )
    return undefined
  return `The check of \`${field}\` passed only because of upper and lower case: ${compared}.`
}

/** Warns of a pattern that every text matches: it needs no character, and looks at no place. */
function explainLoose(field: string, operand: Json): string | undefined {
  const { source, flags } = readPattern(operand as string)
  if (/[\^$]|\\b|\(\?<?[=!]/i.test(source) || !new RegExp(source, flags).test('')) return undefined
  return `\`pattern\` of \`${field}\` checks nothing: every string matches \`${source}\`. Write \`^…$\` around it to match the whole string, or \`type: string\` for any string.`
}

/** Escapes of other languages, or of the flag `u`, that stand for the letter itself here. */
const FOREIGN = /(?<=(?:^|[^\\])(?:\\\\)*)\\(?:[aeg-jlmopqyzACE-RT-VX-Z]|[ux](?=\{))/

/** Reads `/…/flags` with at least one of the flags `imsu`, or else a bare pattern. */
function readPattern(text: string): { source: string; flags: string } {
  const literal = /^\/((?:[^/\\]|\\.)+)\/([imsu]+)$/s.exec(text)
  return literal ? { source: literal[1] as string, flags: literal[2] as string } : { source: text, flags: '' }
}

function refusePattern(operand: Json): string | undefined {
  if (typeof operand !== 'string' || operand === '') return 'a regular expression in a string'
  if (/^\/\^.*\/$|^\/.*[^\\]\$\/$/s.test(operand))
    return 'a regular expression without slashes around it (`/…/` is read as a pattern with slashes; `/…/i` sets flags)'
  const other = /^\/(?:[^/\\]|\\.)+\/([a-z]+)$/s.exec(operand)?.[1]?.replaceAll(/[imsu]/g, '')
  if (other) return `a pattern with only the flags i, m, s and u (\`${other}\` is not one of them)`
  const { source, flags } = readPattern(operand)
  if (!flags.includes('u') && FOREIGN.test(source))
    return 'a JavaScript regular expression without escapes that mean just the letter (`\\p{…}` needs the flag u: `/…/u`)'
  try {
    new RegExp(source, flags).test('')
    return undefined
  } catch (error) {
    return `a regular expression (${(error as Error).message})`
  }
}

/** A pattern that matches this text only. */
export function quotePattern(text: string): string {
  // The flag `u` refuses `\-` outside a class.
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll('-', '\\x2d')
}

// A value inserted into a longer pattern is taken literally: text from a server must never become a pattern.
function resolvePattern(operand: string, interpolate: (value: Json) => Json): Json {
  const parts = parseTemplate(operand)
  if (parts.length === 1 && parts[0]?.kind !== 'literal') return interpolate(operand)
  const texts = parts.map((part) => {
    if (part.kind === 'literal') return part.text
    return quotePattern(toText(interpolate(operand.slice(...part.range))))
  })
  return texts.join('')
}

/** Operators that match text against a regular expression. */
export const patternOperators = { pattern, regex: pattern }
