import { escapeControlInLines } from '../../../escape-control.ts'
import { isJsonObject, stringifyJson, type Json } from '../../../json.ts'
import { formatBytes } from '../../../text/units.ts'
import type { Kind } from './data.ts'
import { kindTable } from './kinds.ts'
import { cut } from '../../../text/show-value.ts'

/** Writes how many there are of a kind: `3 failed`, `1 warning`. */
export function countKind(count: number, kind: Kind): string {
  const { name } = kindTable[kind]
  return `${count.toLocaleString('en')} ${count === 1 ? name.replace(/s$/, '') : name}`
}

/** Says how a flaky step passed. */
export function sayFlaky({ attempts }: { attempts?: number }): string {
  return attempts === undefined ? 'passed when it was run again' : `passed on attempt ${attempts}`
}

/** Writes a count with its noun: `1 step`, `12 steps`. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

/** Writes any JSON value as people read it: text as it is, the rest as indented JSON; bytes that are no text are only counted. */
export function showValue(value: unknown): string {
  if (typeof value !== 'string') return escapeControlInLines(stringifyJson(value, 2) ?? 'undefined')
  const broken = value.match(/[\0\ufffd]/g)?.length ?? 0
  if (value.includes('\0') || broken > 3) return `[binary, ${formatBytes(value.length)}]`
  return escapeControlInLines(value)
}

/** Writes a value in one line, shortened. */
export function showLine(value: unknown): string {
  return cut(showValue(value).replaceAll(/\s+/g, ' '), 200)
}

/** Writes a value so that a text and a number can be told apart, its keys in order; a short one in a line if `isBrief`. */
export function showSorted(value: Json, isBrief = false): string {
  if (typeof value === 'string' && value.includes('\n')) return showValue(value)
  const line = escapeControlInLines(stringifyJson(sort(value)))
  return isBrief && line.length <= 60 ? line : showValue(stringifyJson(sort(value), 2))
}

function sort(value: Json): Json {
  if (Array.isArray(value)) return value.map(sort)
  if (!isJsonObject(value)) return value
  const keys = Object.keys(value).toSorted()
  return Object.fromEntries(keys.map((key) => [key, sort(value[key] as Json)]))
}
