import type { EngineErrorCode } from '../errors.ts'
import type { Guest, Outcome, Primitive } from './guest.ts'

/** How an expression process is set up: `timeout` in ms for an evaluation, `memory` in MB. */
export type ProcessOptions = { sandbox: 'vm' | 'quickjs'; timeout: number; memory: number }

/** What a guest is to do before an evaluation. */
export type Preparation = {
  [Name in 'define' | 'load' | 'drop']: readonly [Name, ...Parameters<Guest[Name]>]
}['define' | 'load' | 'drop']

/** One evaluation; `now` is what the time is for it, in ms since 1970. */
export type Request = { preparations: readonly Preparation[]; spec: readonly Primitive[]; now: number }

/** `ended`: the process is gone, `elapsed` ms after it got the request. */
export type Answer =
  | { kind: 'outcome'; outcome: Outcome }
  | { kind: 'failed'; code: EngineErrorCode; message: string }
  | { kind: 'ended'; elapsed: number; reason: string }
