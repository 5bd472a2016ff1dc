import { isNumber, type Json } from '../../json.ts'
import { parseDuration } from '../../text/units.ts'
import { showValue } from '../../text/show-value.ts'
import { question, wants, wantsMap, type Question } from './operator.ts'

const WANTED = '`now` or a time such as `2026-01-31T12:00:00Z`'
// RFC 3339 with a time zone, and HTTP's format (RFC 9110, 5.6.7).
const ISO = /^(\d{4}-\d\d-\d\d)(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:?\d\d))?$/
const HTTP = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
// Seconds or milliseconds since 1970, as headers have them.
const EPOCH = /^\d{10}(?:\d{3})?$/

/** Parses a text as ms since 1970; undefined if it is not a time. A date alone is its first moment in UTC. */
export function readTime(text: Json): number | undefined {
  if (typeof text !== 'string') return undefined
  const date = ISO.exec(text)?.[1]
  if (date === undefined)
    return HTTP.test(text) && new Date(text).toUTCString() === text ? Date.parse(text) : undefined
  // JavaScript reads a year before 50 only with a `T`.
  const time = Date.parse(text.replace(' ', 'T'))
  const day = new Date(`${date}T00:00:00Z`)
  const isReal = !Number.isNaN(day.valueOf()) && day.toISOString().startsWith(date)
  return isReal && !Number.isNaN(time) ? time : undefined
}

/** Reads a time as ms since 1970: a text, or seconds or milliseconds since 1970; else undefined. */
function readMoment(value: Json): number | undefined {
  if (!isNumber(value) && !(typeof value === 'string' && EPOCH.test(value))) return readTime(value)
  const count = Number(value)
  // As seconds, larger numbers would be after the year 5000. As milliseconds, they are after 1973.
  return Math.abs(count) < 1e11 ? count * 1000 : count
}

function readOperand(operand: Json): number | undefined {
  return operand === 'now' ? Date.now() : readMoment(operand)
}

/** Milliseconds from the operand's time to the response's. */
function measureGap(actual: Json, operand: Json): number {
  return (readMoment(actual) as number) - (readOperand(operand) as number)
}

function nameTime(time: Json): string {
  return readTime(time) === undefined
    ? `${time as string} (${new Date(readOperand(time) as number).toISOString()})`
    : `\`${time as string}\``
}

const ofTimes = {
  takes: ['string', 'number'],
  explainBadValue: wants(
    'a time such as `2026-01-31T12:00:00Z`',
    (actual) => readMoment(actual) !== undefined,
  ),
  got: (actual) =>
    readTime(actual) === undefined
      ? `${showValue(actual)}, which is ${new Date(readMoment(actual) as number).toISOString()}`
      : showValue(actual),
} satisfies Partial<Question>

function sideOperator(word: 'before' | 'after') {
  return question({
    ...ofTimes,
    about: `The time is ${word} this one: \`is_${word}: now\`, or a time with a time zone.`,
    operand: 'time',
    explainBadOperand: wants(WANTED, (operand) => readOperand(operand) !== undefined),
    show: (operand) => `${word} ${operand as string}`,
    words: (operand) => `to be ${word} ${nameTime(operand)}`,
    holds: (actual, operand) => measureGap(actual, operand) * (word === 'before' ? -1 : 1) > 0,
  })
}

type Nearness = { to?: string; by: string }

const isNear = question({
  ...ofTimes,
  about: 'The time is at most this far from another: `is_near: {to: now, by: 5m}`.',
  operand: 'nearness',
  explainBadOperand: wantsMap('`{to: now, by: 5m}`', ['to', 'by'], ({ to = 'now', by }) => {
    if (readOperand(to) === undefined) return `${WANTED} as \`to\``
    return typeof by === 'string' && !Number.isNaN(parseDuration(by))
      ? undefined
      : 'a duration such as `5m` or `30s` as `by`'
  }),
  show: (operand) => `within ${(operand as Nearness).by} of ${(operand as Nearness).to ?? 'now'}`,
  words: (operand) =>
    `to be at most ${(operand as Nearness).by} from ${nameTime((operand as Nearness).to ?? 'now')}`,
  holds(actual, operand) {
    const { to = 'now', by } = operand as Nearness
    return Math.abs(measureGap(actual, to)) <= parseDuration(by)
  },
})

/** Operators for times: RFC 3339 (a date is its first moment in UTC), HTTP dates, seconds or ms since 1970. */
export const timeOperators = {
  is_before: sideOperator('before'),
  is_after: sideOperator('after'),
  is_near: isNear,
}
