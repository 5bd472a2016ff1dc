import { hasTemplate } from '../../interpolation/template.ts'
import { isJsonObject, isNumber, type Json } from '../../json.ts'
import { parseDuration } from '../../text/units.ts'
import { previewValue, showValue } from '../../text/show-value.ts'
import { blame, explainKeys, fail, PASSED, type Judgement, type Operator, type Verdict } from './operator.ts'

const WANTED = '`now` or a time such as `2026-01-31T12:00:00Z`'
// RFC 3339 with its zone, and the one form of HTTP (RFC 9110, 5.6.7).
const ISO = /^(\d{4}-\d\d-\d\d)([Tt ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+-]\d\d:?\d\d))?$/
const HTTP = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
// Seconds or milliseconds since 1970, as headers have them.
const EPOCH = /^\d{10}(\d{3})?$/
// The most ms before and after 1970 that a Date can have (ECMAScript, 21.4.1.1).
const MOST = 8.64e15

/** Reads a time as ms since 1970; undefined for a text that is none. A date alone is its first moment in UTC. */
export function readTime(text: Json): number | undefined {
  if (typeof text !== 'string') return undefined
  const [, date, , , fraction = ''] = ISO.exec(text) ?? []
  if (date === undefined && !HTTP.test(text)) return undefined
  // JavaScript reads no more than milliseconds, and a year before 50 only with a `T`.
  const finer = Number(`0.${fraction.slice(4)}`)
  const time = Date.parse(date === undefined ? text : text.replace(' ', 'T')) + finer
  const day = Date.parse(`${date ?? '2000-01-01'}T00:00:00Z`)
  if (Number.isNaN(time) || Number.isNaN(day)) return undefined
  // `2026-02-30` would be March.
  return date === undefined || new Date(day).toISOString().startsWith(date) ? time : undefined
}

/** Reads what answers have for a time as ms since 1970: a text, or the seconds or milliseconds since then. */
function readMoment(value: Json): number | undefined {
  if (!isNumber(value) && !(typeof value === 'string' && EPOCH.test(value))) return readTime(value)
  const count = Number(value)
  // From here on, seconds would be after the year 5000; milliseconds are after 1973.
  const time = Math.abs(count) < 1e11 ? count * 1000 : count
  return Math.abs(time) <= MOST ? time : undefined
}

function readOperand(operand: Json): number | undefined {
  return operand === 'now' ? Date.now() : readMoment(operand)
}

function explainBadTime(operand: Json): string | undefined {
  return readOperand(operand) === undefined ? WANTED : undefined
}

/** Judges a value that must be a time; `holds` compares ms. */
function judgeTime(
  actual: Json,
  { check, field }: Judgement,
  { holds, words }: { holds: (time: number) => boolean; words: string },
): Verdict {
  const time = readMoment(actual)
  if (time === undefined)
    return blame(
      'value',
      `The \`${check.operator}\` check of \`${field}\` works on a time such as \`2026-01-31T12:00:00Z\`, got ${showValue(actual)}`,
    )
  const meant = readTime(actual) === undefined ? `, which is ${new Date(time).toISOString()}` : ''
  return holds(time) ? PASSED : fail(`Expected \`${field}\` to be ${words}, got ${showValue(actual)}${meant}`)
}

function timeOperator(word: 'before' | 'after') {
  return {
    about: `The time is ${word} this one: \`is_${word}: now\`, or a time with its zone.`,
    operand: 'time',
    explainBadOperand: explainBadTime,
    takes: ['string', 'number'],
    show: (operand) => `${word} ${operand as string}`,
    judge(actual, operand, judgement) {
      const other = readOperand(operand) as number
      const holds = (time: number): boolean => (word === 'before' ? time < other : time > other)
      return judgeTime(actual, judgement, { holds, words: `${word} ${nameTime(operand, other)}` })
    },
  } satisfies Operator
}

function nameTime(operand: Json, time: number): string {
  return typeof operand === 'string' && readTime(operand) !== undefined
    ? `\`${operand}\``
    : `${operand as string} (${new Date(time).toISOString()})`
}

const isNear = {
  about: 'The time is at most so far from another: `is_near: {to: now, by: 5m}`.',
  operand: 'nearness',
  explainBadOperand(operand) {
    if (!isJsonObject(operand)) return '`{to: now, by: 5m}`'
    const wrong = explainKeys(operand, ['to', 'by'])
    if (wrong !== undefined) return wrong
    const { to = 'now', by } = operand
    if (!hasTemplate(to) && explainBadTime(to)) return `${WANTED} as \`to\``
    return hasTemplate(by) || readBy(by) !== undefined
      ? undefined
      : 'a duration such as `5m` or `30s` as `by`'
  },
  takes: ['string', 'number'],
  show: (operand) =>
    `within ${(operand as { by: string }).by} of ${(operand as { to?: string }).to ?? 'now'}`,
  judge(actual, operand, judgement) {
    const { to = 'now', by } = operand as { to?: Json; by: Json }
    const [other, distance] = [explainBadTime(to) ? undefined : readOperand(to), readBy(by)]
    if (other === undefined || distance === undefined)
      return blame(
        'operand',
        `The \`is_near\` check of \`${judgement.field}\` needs ${WANTED} and a duration, got ${previewValue(operand)}`,
      )
    return judgeTime(actual, judgement, {
      holds: (time) => Math.abs(time - other) <= distance,
      words: `at most ${by as string} from ${nameTime(to, other)}`,
    })
  },
} satisfies Operator

function readBy(by: Json | undefined): number | undefined {
  const ms = typeof by === 'string' ? parseDuration(by) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

/** Operators on times: RFC 3339 texts (a date alone is its first moment in UTC), dates of HTTP headers, seconds and milliseconds since 1970. */
export const timeOperators = {
  is_before: timeOperator('before'),
  is_after: timeOperator('after'),
  is_near: isNear,
} satisfies Record<string, Operator>
