import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { describeValue, readText } from '../../request/build-problem.ts'
import { findDifference, findFieldDifference } from './find-difference.ts'
import type { Mock, MockCondition } from '../mock.ts'
import { parseBody, type OutgoingCall } from '../intercept/outgoing-call.ts'
import type { FillPart } from './prepare-fill.ts'
import { matchPattern, parseUrlPattern, type MatchUrl, type UrlPattern } from './url-pattern.ts'

/** A match with its path parameters; or why a mock whose URL matches is not meant; or undefined for one that is about something else. */
export type MockMatch = { path: JsonObject } | { reason: string } | undefined

/** Compares a request with a mock, whose `{{…}}` are filled in first; throws what is wrong with the mock. */
export async function matchMock(
  mock: Mock,
  call: OutgoingCall,
  { fill, matchUrl }: { fill: FillPart; matchUrl: MatchUrl },
): Promise<MockMatch> {
  const url = parseUrlPattern(readText(fill('/url', mock.url), 'url'))
  const path = matchPattern(matchUrl, call.url, url)
  if (path === undefined) return undefined
  const method =
    mock.method === undefined ? undefined : readText(fill('/method', mock.method), 'method').toUpperCase()
  if (method !== undefined && method !== call.method) return { reason: `its method is ${method}` }
  const reason =
    findQueryDifference(url, call) ?? (mock.when && (await findConditionDifference(mock.when, call, fill)))
  return reason === undefined ? { path } : { reason }
}

function findQueryDifference({ query }: UrlPattern, call: OutgoingCall): string | undefined {
  const wanted: JsonObject = Object.create(null)
  for (const name of new Set(query.keys())) wanted[name] = query.getAll(name)
  return findFieldDifference(wanted, call.params, 'url')
}

async function findConditionDifference(
  when: MockCondition,
  call: OutgoingCall,
  fill: FillPart,
): Promise<string | undefined> {
  if (when.params) {
    const difference = findFieldDifference(
      readMap(fill('/when/params', when.params), 'when.params'),
      call.params,
      'when.params',
    )
    if (difference !== undefined) return difference
  }
  if (when.headers) {
    const wanted: JsonObject = Object.create(null)
    for (const [name, value] of Object.entries(readMap(fill('/when/headers', when.headers), 'when.headers')))
      wanted[name.toLowerCase()] = value
    const difference = findFieldDifference(wanted, call.headers, 'when.headers')
    if (difference !== undefined) return difference
  }
  if (when.body === undefined) return undefined
  const wanted = fill('/when/body', when.body)
  const text = await call.readText()
  if (wanted === text) return undefined
  return findDifference(wanted, parseBody(text, call.contentType), 'when.body')
}

function readMap(value: Json, name: string): JsonObject {
  if (isJsonObject(value)) return value
  throw new TypeError(`Expected \`${name}\` to be a map, got ${describeValue(value)}`)
}
