import { isNumber, type Json } from '../../json.ts'
import { parseDuration } from '../../text/units.ts'
import { showValue } from '../../text/show-value.ts'
import { blame, fail, PASSED, wants, wantsMap, type Operator } from './operator.ts'

const WANTED = '`now` or a time such as `2026-01-31T12:00:00Z`'
// RFC 3339 with its zone, and the one form of HTTP (RFC 9110, 5.6.7).
const ISO = /^(\d{4}-\d\d-\d\d)(?:[Tt ]\d\d:\d\d(?::\d\d(\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:?\d\d))?$/
const HTTP = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
// Seconds or milliseconds since 1970, as headers have them.
const EPOCH = /^\d{10}(?:\d{3})?$/
// The most ms before and after 1970 that a Date can have (ECMAScript, 21.4.1.1).
const MOST = 8.64e15

/** Reads a text as ms since 1970; undefined for one that is no time. A date alone is its first moment in UTC. */
function readTime(text: Json): number | undefined {
  if (typeof text !== 'string') return undefined
  const [, date, fraction = ''] = ISO.exec(text) ?? []
  if (date === undefined)
    return HTTP.test(text) && !Number.isNaN(Date.parse(text)) ? Date.parse(text) : undefined
  // JavaScript reads no more than milliseconds, and a year before 50 only with a `T`.
  const time = Date.parse(text.replace(' ', 'T')) + Number(`0.${fraction.slice(4)}`)
  const day = new Date(`${date}T00:00:00Z`)
  // `2026-02-30` would be March.
  const isReal = !Number.isNaN(day.valueOf()) && day.toISOString().startsWith(date)
  return isReal && !Number.isNaN(time) ? time : undefined
}

/** Reads what answers and operands have for a time as ms since 1970: a text, or the seconds or milliseconds since then. */
function readMoment(value: Json | undefined): number | undefined {
  if (value === undefined) return undefined
  if (!isNumber(value) && !(typeof value === 'string' && EPOCH.test(value))) return readTime(value)
  const count = Number(value)
  // From here on, seconds would be after the year 5000; milliseconds are after 1973.
  const time = Math.abs(count) < 1e11 ? count * 1000 : count
  return Math.abs(time) <= MOST ? time : undefined
}

function readOperand(operand: Json | undefined): number | undefined {
  return operand === 'now' ? Date.now() : readMoment(operand)
}

function isTime(operand: Json | undefined): boolean {
  return readOperand(operand) !== undefined
}

/** An operator that looks at a time; `compare` says whether it holds, and what of. */
function timeOperator<const Kind extends Operator['operand']>(
  described: Pick<Operator, 'about' | 'explainBadOperand' | 'show'> & { operand: Kind },
  compare: (time: number, operand: Json) => { holds: boolean; words: string },
) {
  return {
    ...described,
    takes: ['string', 'number'],
    judge(actual, operand, { check, field }) {
      const time = readMoment(actual)
      if (time === undefined)
        return blame(
          'value',
          `The \`${check.operator}\` check of \`${field}\` works on a time such as \`2026-01-31T12:00:00Z\`, got ${showValue(actual)}`,
        )
      const { holds, words } = compare(time, operand)
      if (holds) return PASSED
      const meant = readTime(actual) === undefined ? `, which is ${new Date(time).toISOString()}` : ''
      return fail(`Expected \`${field}\` to be ${words}, got ${showValue(actual)}${meant}`)
    },
  } satisfies Partial<Operator>
}

function nameTime(operand: Json, time: number): string {
  return readTime(operand) === undefined
    ? `${operand as string} (${new Date(time).toISOString()})`
    : `\`${operand as string}\``
}

function sideOperator(word: 'before' | 'after') {
  return timeOperator(
    {
      about: `The time is ${word} this one: \`is_${word}: now\`, or a time with its zone.`,
      operand: 'time',
      explainBadOperand: wants(WANTED, isTime),
      show: (operand) => `${word} ${operand as string}`,
    },
    (time, operand) => {
      const other = readOperand(operand) as number
      const holds = word === 'before' ? time < other : time > other
      return { holds, words: `${word} ${nameTime(operand, other)}` }
    },
  )
}

type Nearness = { to?: Json; by: string }

const isNear = timeOperator(
  {
    about: 'The time is at most so far from another: `is_near: {to: now, by: 5m}`.',
    operand: 'nearness',
    explainBadOperand: wantsMap('`{to: now, by: 5m}`', ['to', 'by'], ({ to = 'now', by }) => {
      if (!isTime(to)) return `${WANTED} as \`to\``
      return typeof by === 'string' && !Number.isNaN(parseDuration(by))
        ? undefined
        : 'a duration such as `5m` or `30s` as `by`'
    }),
    show: (operand) => `within ${(operand as Nearness).by} of ${(operand as { to?: string }).to ?? 'now'}`,
  },
  (time, operand) => {
    const { to = 'now', by } = operand as Nearness
    const other = readOperand(to) as number
    const holds = Math.abs(time - other) <= parseDuration(by)
    return { holds, words: `at most ${by} from ${nameTime(to, other)}` }
  },
)

/** Operators on times: RFC 3339 texts (a date alone is its first moment in UTC), dates of HTTP headers, seconds and milliseconds since 1970. */
export const timeOperators = {
  is_before: sideOperator('before'),
  is_after: sideOperator('after'),
  is_near: isNear,
}
