import { escapeControlInLines } from '../../../escape-control.ts'
import { isJsonObject, stringifyJson, type Json } from '../../../json.ts'
import { formatBytes } from '../../../text/units.ts'
import { kindTable, type Kind } from './data.ts'

/** Writes how many there are of a kind: `3 failed`, `1 warning`. */
export function countKind(count: number, kind: Kind): string {
  const { name } = kindTable[kind]
  return `${count.toLocaleString('en')} ${count === 1 ? name.replace(/s$/, '') : name}`
}

/** Says how a flaky step passed. */
export function sayFlaky({ attempts }: { attempts?: number }): string {
  return attempts === undefined ? 'passed when it was run again' : `passed on attempt ${attempts}`
}

/** Writes any JSON value as people read it: text as it is, the rest as indented JSON; bytes that are no text are only counted. */
export function showValue(value: unknown): string {
  if (typeof value !== 'string') return escapeControlInLines(stringifyJson(value, 2) ?? 'undefined')
  const broken = value.match(/[\0\ufffd]/g)?.length ?? 0
  if (value.includes('\0') || broken > 3) return `[binary, ${formatBytes(value.length)}]`
  return escapeControlInLines(value)
}

/** Puts the keys of all objects in a value in order. */
export function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isJsonObject(value)) return value
  const keys = Object.keys(value).toSorted()
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key] as Json)]))
}
