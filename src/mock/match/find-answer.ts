import type { JsonObject } from '../../json.ts'
import { matchMock } from './match-mock.ts'
import type { OutgoingCall } from '../intercept/outgoing-call.ts'
import {
  describeBroken,
  placeMock,
  prepareFill,
  type ActiveMock,
  type MockLayer,
  type ScopeReport,
} from '../mock-layer.ts'

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
