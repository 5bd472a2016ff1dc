import type { RequestHandler } from 'msw'
import { readText } from '../request/build-problem.ts'
import type { Mock, MockContext, MockReport } from './mock.ts'
import { parseUrlPattern, prepareFill } from './match/fill-mock.ts'
import { ScopeReport } from './scope-report.ts'

/** A mock in use, with how often it was called, and whether a call has shown that it cannot be used. */
export type ActiveMock = { mock: Mock; calls: number; broken: boolean }

/** The mocks of one scope. */
export type MockLayer = {
  mocks: ActiveMock[]
  handlers: RequestHandler[]
  context: MockContext
  report: ScopeReport
  /** Aborted when the scope ends: calls that still wait for their answer are cut off. */
  ended: AbortController
  /** Set when the scope has ended. */
  result?: MockReport
}

/** Opens a layer with nothing called yet. */
export function createLayer(
  mocks: readonly Mock[],
  handlers: readonly RequestHandler[],
  context: MockContext,
): MockLayer {
  return {
    mocks: mocks.map((mock) => ({ mock, calls: 0, broken: false })),
    handlers: [...handlers],
    context,
    report: new ScopeReport(),
    ended: new AbortController(),
  }
}

/** True when every mock has been called as often as its `times` says. */
export function isComplete(layer: MockLayer): boolean {
  return layer.mocks.every(({ mock, calls }) => calls >= (mock.times ?? 0))
}

/** Ends a layer and closes its report; checks `times`, and the url of mocks that were never called, if `verify` says so. */
export function endLayer(layer: MockLayer, verify: boolean): MockReport {
  if (layer.result) return layer.result
  if (verify) verifyMocks(layer)
  layer.ended.abort()
  layer.result = layer.report.list(layer.context.at)
  return layer.result
}

function verifyMocks(layer: MockLayer): void {
  for (const active of layer.mocks) {
    const { mock, calls } = active
    if (mock.times !== undefined && calls < mock.times)
      layer.report.addProblem(
        `Expected the mock of ${nameMock(mock)} to be called ${countCalls(mock.times)}, got ${countCalls(calls)}`,
        mock.at,
      )
    if (calls === 0 && !active.broken) checkUrl(mock, layer)
  }
}

function checkUrl(mock: Mock, { context, report }: MockLayer): void {
  try {
    const fill = prepareFill(mock, context, report)
    parseUrlPattern(readText(fill('/url', mock.url), 'url'))
  } catch (error) {
    report.addProblem(describeBroken(mock, error), mock.at)
  }
}

/** Says what is wrong with a mock that cannot be compared with a request. */
export function describeBroken(mock: Mock, error: unknown): string {
  return `The mock of ${nameMock(mock)} cannot be used: ${readMessage(error)}`
}

/** The text of whatever was thrown. */
export function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** A mock as messages name it. */
export function nameMock({ method, url }: Mock): string {
  return `\`${method === undefined ? '' : `${method} `}${url}\``
}

/** Where a mock is written. */
export function placeMock({ mock, file }: { mock: Mock; file: string }): string {
  return `${file}:${mock.at[0]}`
}

function countCalls(count: number): string {
  return count === 1 ? '1 time' : `${count} times`
}
