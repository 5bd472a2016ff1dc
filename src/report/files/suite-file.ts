import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseJson } from '../../json.ts'
import type { SuiteResult } from '../../run/result.ts'
import { stringifySafely } from '../../safe-json.ts'
import type { RecordedSuite } from '../step-record.ts'

/** Serialises a suite result as JSON indented by two spaces, step by step, since the texts of many steps together can be longer than a string may be. */
export function* serialiseSuite(suite: RecordedSuite): Generator<string> {
  const text = stringifySafely({ ...suite, steps_results: [] }, 2)
  // Line feeds in values are escaped, so this is found only once.
  const mark = '\n  "steps_results": ['
  const place = text.indexOf(mark) + mark.length
  yield text.slice(0, place)
  for (const [index, step] of suite.steps_results.entries()) yield `${index > 0 ? ',' : ''}\n    ${step.text}`
  if (suite.steps_results.length > 0) yield '\n  '
  yield `${text.slice(place)}\n`
}

export function readSuiteFile(path: string): SuiteResult {
  return parseJson(readFileSync(path, 'utf8')) as unknown as SuiteResult
}

/** Replaces every known secret in data on its way into a file. */
export type Hide = <Value>(value: Value) => Value

const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * Converts any name to a file name that is safe on every system and never a path. Plain names stay; others are reduced to
 * letters, digits, `-` and `_` and get a hash of the whole name, so that two names never collide.
 */
export function nameFile(name: string): string {
  if (/^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,99}$/.test(name) && !name.endsWith('.') && !reserved.test(name))
    return name
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[^a-zA-Z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
  // UTF-16 keeps lone surrogates apart, which UTF-8 would all replace by the same character.
  const digest = hash('sha256', Buffer.from(name, 'utf16le'))
  return `${plain === '' ? 'suite' : plain}-${digest.slice(0, 10)}`
}
