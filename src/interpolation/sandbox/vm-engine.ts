import type { ExpressionEngine } from '../expression-engine.ts'
import { createGuestEngine } from './guest-engine.ts'
import { createPatternTest } from '../pattern.ts'
import { createVmGuest } from './vm-guest.ts'

/** Creates the default engine, on `node:vm`. `timeout` in ms. The sandbox itself is made on first use. */
export function createVmEngine(timeout: number): ExpressionEngine {
  return createGuestEngine(() => createVmGuest(timeout), createPatternTest(timeout))
}
