import type { QuickJSWASMModule } from 'quickjs-emscripten'
import type { ExpressionEngine } from '../expression-engine.ts'
import { EngineError } from '../errors.ts'
import { loadOptional } from '../load-optional.ts'
import { createPatternTest } from '../pattern.ts'
import { createGuestEngine } from './guest-engine.ts'
import { createQuickjsGuest } from './quickjs-guest.ts'

type Library = typeof import('quickjs-emscripten')

const pagesPerMegabyte = 16

/** Not among the types of the language or of Node. */
const { Memory } = (globalThis as unknown as { WebAssembly: { Memory: new (size: MemorySize) => never } })
  .WebAssembly

type MemorySize = { initial: number; maximum: number }

/**
 * Creates the hard sandbox. `timeout` in ms, `memory` in MB. Patterns run in the host, which they cannot reach.
 * Rejects with an `EngineError` that names the install command when `quickjs-emscripten` is absent.
 */
export async function createQuickjsEngine(timeout: number, memory: number): Promise<ExpressionEngine> {
  const library = loadLibrary()
  // Evaluation is synchronous and loading is not: a spare stands ready for when native code fails.
  const ready = await Promise.all([loadEngine(library, memory), loadEngine(library, memory)])
  let refillError = ''
  const replace = (): void => {
    ready.shift()
    loadEngine(library, memory).then(
      (quickjs) => ready.push(quickjs),
      (error: unknown) => (refillError = error instanceof Error ? error.message : 'loading failed'),
    )
  }
  const createGuest = (): ReturnType<typeof createQuickjsGuest> => {
    const [quickjs] = ready
    if (quickjs) return createQuickjsGuest(quickjs, { timeout, memory }, replace)
    const reason = refillError || 'it ended several times in a row'
    throw new EngineError('crashed', `The sandbox is not ready again: ${reason}`)
  }
  return createGuestEngine(createGuest, createPatternTest(timeout))
}

/** QuickJS counts no memory of its own when compiled to WebAssembly, so the limit is that of the WebAssembly memory. */
function loadEngine(library: Library, memory: number): Promise<QuickJSWASMModule> {
  const wasmMemory = new Memory({ initial: 16 * pagesPerMegabyte, maximum: memory * pagesPerMegabyte })
  return library.newQuickJSWASMModuleFromVariant(library.newVariant(library.RELEASE_SYNC, { wasmMemory }))
}

function loadLibrary(): Library {
  const library = loadOptional('quickjs-emscripten') as Library | undefined
  if (library) return library
  const install = 'install it with `npm i -D quickjs-emscripten`'
  throw new EngineError('setup', `The \`quickjs\` sandbox needs the package quickjs-emscripten; ${install}`)
}
