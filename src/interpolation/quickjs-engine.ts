import type { ExpressionEngine } from './engine.ts'
import { EngineError } from './errors.ts'
import { createGuestEngine } from './guest-engine.ts'
import { createPatternTest } from './pattern.ts'
import { createQuickjsGuest } from './quickjs-guest.ts'

/**
 * Creates the hard sandbox. `timeout` in ms, `memory` in MB. Patterns run in the host, which they cannot reach.
 * Rejects with an `EngineError` that names the install command when `quickjs-emscripten` is absent.
 */
export async function createQuickjsEngine(timeout: number, memory: number): Promise<ExpressionEngine> {
  const { getQuickJS } = await importQuickjs()
  const quickjs = await getQuickJS()
  return createGuestEngine(() => createQuickjsGuest(quickjs, { timeout, memory }), createPatternTest(timeout))
}

async function importQuickjs(): Promise<typeof import('quickjs-emscripten')> {
  try {
    return await import('quickjs-emscripten')
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    const message =
      'The `quickjs` sandbox needs the package quickjs-emscripten; install it with `npm i -D quickjs-emscripten`'
    throw new EngineError('syntax', message)
  }
}
