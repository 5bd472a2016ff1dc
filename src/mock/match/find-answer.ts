import { findDifferences } from '../../compare-json.ts'
import { isJsonObject, readOwn, type JsonObject, type Json } from '../../json.ts'
import { copyPath, parseBody, type OutgoingCall } from '../intercept/outgoing-call.ts'
import { describeBroken, placeMock, prepareFill, parseUrlPattern } from '../mock-layer.ts'
import type { ActiveMock, MockLayer, ScopeReport, FillPart } from '../mock-layer.ts'
import type { matchRequestUrl } from 'msw'
import { formatFieldPath } from '../../path/field-path.ts'
import { createProblem, describeValue, readText } from '../../request/build-problem.ts'
import type { Mock, MockCondition } from '../mock.ts'

/** Where to look, innermost layer first, and where to note what is wrong with a mock; MSW is loaded with the first mock. */
export type SearchTools = {
  layers: readonly MockLayer[]
  msw: typeof import('msw')
  /** Gives the report of the scope that is open when something has to be noted. */
  report: { readonly current: ScopeReport }
}

/** What the mocks have for a request. */
export type FoundAnswer =
  | { kind: 'mock'; active: ActiveMock; layer: MockLayer; path: JsonObject }
  | { kind: 'handler'; response: Response; layer: MockLayer }
  /** The only mock for it has been called often enough. */
  | { kind: 'exceeded'; active: ActiveMock; layer: MockLayer }
  /** `misses` says what kept the mocks of the same URL from matching. */
  | { kind: 'none'; misses: string[] }

/** Looks for an answer, innermost layer first, in each layer from the first mock to the last; counts the call of the mock it finds. */
export async function findAnswer(
  call: OutgoingCall,
  { layers, msw, report }: SearchTools,
): Promise<FoundAnswer> {
  const misses: string[] = []
  for (const layer of layers) {
    const found =
      (await findMock(call, layer, { msw, report, misses })) ?? (await askHandlers(call, layer, msw))
    if (found) return found
  }
  return { kind: 'none', misses }
}

async function findMock(
  call: OutgoingCall,
  layer: MockLayer,
  { msw, report, misses }: Omit<SearchTools, 'layers'> & { misses: string[] },
): Promise<FoundAnswer | undefined> {
  const { context } = layer
  let exceeded: ActiveMock | undefined
  for (const active of layer.mocks) {
    const { mock } = active
    const place = placeMock({ mock, file: context.file })
    try {
      const match = await matchMock(mock, call, {
        fill: prepareFill(mock, context, report.current),
        matchUrl: msw.matchRequestUrl,
      })
      if (match === undefined) continue
      if ('reason' in match) misses.push(`the mock at ${place} does not match: ${match.reason}`)
      else if (active.calls >= (mock.times ?? Infinity)) exceeded ??= active
      else {
        active.calls++
        return { kind: 'mock', active, layer, path: match.path }
      }
    } catch (error) {
      // The application has given its request up: its body cannot be read.
      if (call.request.signal.aborted) throw error
      active.broken = true
      report.current.addProblem(describeBroken(mock, error), mock.at)
      misses.push(`the mock at ${place} cannot be used`)
    }
  }
  return exceeded && { kind: 'exceeded', active: exceeded, layer }
}

async function askHandlers(
  call: OutgoingCall,
  layer: MockLayer,
  { getResponse }: SearchTools['msw'],
): Promise<FoundAnswer | undefined> {
  if (layer.handlers.length === 0) return undefined
  const response = await getResponse(layer.handlers, call.request.clone())
  return response && { kind: 'handler', response, layer }
}

/** A match with its path parameters; or why a mock whose URL matches is not meant; or undefined for one that is about something else. */
type MockMatch = { path: JsonObject } | { reason: string } | undefined

/** Compares a request with a mock, whose `{{…}}` are filled in first; throws what is wrong with the mock. */
async function matchMock(
  mock: Mock,
  call: OutgoingCall,
  { fill, matchUrl }: { fill: FillPart; matchUrl: typeof matchRequestUrl },
): Promise<MockMatch> {
  const { pattern, query } = parseUrlPattern(readText(fill('/url', mock.url), 'url'))
  const found = matchUrl(call.url, pattern)
  if (!found.matches) return undefined
  const method =
    mock.method === undefined ? undefined : readText(fill('/method', mock.method), 'method').toUpperCase()
  if (method !== undefined && method !== call.method) return { reason: `its method is ${method}` }
  const wanted: JsonObject = Object.create(null)
  for (const name of new Set(query.keys())) wanted[name] = query.getAll(name)
  const reason =
    findFieldDifference(wanted, call.params, 'url') ??
    (mock.when && (await findConditionDifference(mock.when, call, fill)))
  return reason === undefined ? { path: copyPath(found.params ?? {}) } : { reason }
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
  // A map asks for its own keys only, a list for every element in order; types are strict, as in JSON.
  const [difference] = findDifferences(wanted, parseBody(text, call.contentType), {
    partial: true,
    keep: 1,
  }).kept
  if (difference === undefined) return undefined
  const { path, expected, actual } = difference
  return describeDifference(expected, actual, formatFieldPath(path, 'when.body'))
}

function readMap(value: Json, name: string): JsonObject {
  if (isJsonObject(value)) return value
  throw createProblem(name, 'a map', { got: value })
}

/** Says in words what query parameters or headers lack. Their values are texts: `5` asks for the text `5`, null for the absence of the name. */
function findFieldDifference(expected: JsonObject, actual: JsonObject, path: string): string | undefined {
  for (const [name, value] of Object.entries(expected)) {
    const found = readOwn(actual, name)
    const same =
      value === null ? found === undefined : found !== undefined && listTexts(value) === listTexts(found)
    if (!same) return describeDifference(value, found, `${path}.${name}`)
  }
  return undefined
}

// One text is the same as a list of it: `?tag=a` for `tag: [a]`. What has members is not a text and equals none.
function listTexts(value: Json): string | undefined {
  const items = Array.isArray(value) ? value : [value]
  if (items.some((item) => typeof item === 'object')) return undefined
  return JSON.stringify(items.map(String))
}

function describeDifference(expected: Json | undefined, actual: Json | undefined, path: string): string {
  return `\`${path}\` is ${describeValue(expected)} where the request has ${describeValue(actual)}`
}
