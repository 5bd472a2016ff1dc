import type { Position } from '../../source.ts'
import type { MswTools } from './find-answer.ts'
import type { MockCall, UnhandledPolicy } from '../mock.ts'
import type { MockLayer } from '../mock-layer.ts'
import type { ScopeReport } from '../scope-report.ts'

/** What becomes of a request. */
export type Decision = {
  note: MockCall
  /** Without `action` the request goes to the network. */
  action?: { response: Response } | { error: Error } | 'never'
  /** Wait before the action in ms. */
  delay: number
  /** Its end cuts the wait short. */
  layer?: MockLayer
}

/** What a decision needs beside the request: the layers, innermost first, and MSW. */
export type DecisionTools = {
  layers: readonly MockLayer[]
  msw: MswTools
  policy: UnhandledPolicy
  /** Gives the report of the scope that is open when something has to be noted. */
  report: { readonly current: ScopeReport }
  /** Place of problems that belong to no mock. */
  at: Position
}
