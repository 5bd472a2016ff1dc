import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten'
import { rememberTexts } from '../../remember.ts'
import { EngineError } from '../errors.ts'
import { loadOptional } from '../load-optional.ts'
import type { Guest, Outcome } from './guest.ts'
import { guestSource } from './guest-source.ts'
import type { answerSandbox } from './host-functions.ts'

type Library = typeof import('quickjs-emscripten')
type MemorySize = { initial: number; maximum: number }

/** Neither the types of the language nor those of Node declare `WebAssembly`. */
const { Memory } = (globalThis as unknown as { WebAssembly: { Memory: new (size: MemorySize) => never } })
  .WebAssembly

const pagesPerMegabyte = 16

/** In bytes. More would overflow the host's stack, on which WebAssembly runs, before QuickJS notices. */
const stackSize = 160 * 1024

/** Creates a sandbox in QuickJS, which shares no heap with its process. It does not count its memory, so `memory`, in MB, bounds that of WebAssembly. */
export async function createQuickjsGuest(answer: typeof answerSandbox, memory: number): Promise<Guest> {
  // The options are refused if it is not installed.
  const library = loadOptional('quickjs-emscripten') as Library
  const wasmMemory = new Memory({ initial: 16 * pagesPerMegabyte, maximum: memory * pagesPerMegabyte })
  const variant = library.newVariant(library.RELEASE_SYNC, { wasmMemory })
  const runtime = (await library.newQuickJSWASMModuleFromVariant(variant)).newRuntime()
  runtime.setMaxStackSize(stackSize)
  const context = runtime.newContext()
  const compile = rememberTexts(5000, (source) => unwrap(context, context.evalCode(source, 'expression')))
  const calls = boot(context, answer)
  const globals = context.getProp(calls, 'globals')
  const evaluateText = context.getProp(calls, 'evaluateText')
  const loadData = context.getProp(calls, 'load')
  return {
    global: rememberTexts(1000, (name) => context.getProp(globals, name)),
    load: (text) =>
      context
        .newString(text)
        .consume((written) => unwrap(context, context.callFunction(loadData, context.undefined, written))),
    evaluate(program, passed) {
      const handles = passed as QuickJSHandle[]
      const result = context.callFunction(evaluateText, context.undefined, compile(program), ...handles)
      const text = unwrap(context, result).consume((handle) => context.getString(handle))
      // Memory can run out while the text is copied out of the engine: then it is empty.
      const outcome = text === '' ? undefined : (JSON.parse(text) as Outcome)
      if (!outcome || isOutOfMemory(outcome, program)) throw new EngineError('memory', '')
      return outcome
    },
  }
}

/** Runs the program of the sandbox; returns its calls. */
function boot(context: QuickJSContext, answer: typeof answerSandbox): QuickJSHandle {
  const host = context.newFunction('answer', (...handles) => {
    const [name = '', ...passed] = handles.map((handle) => context.getString(handle))
    return context.newString(answer(name, ...passed))
  })
  const start = unwrap(context, context.evalCode(guestSource))
  return unwrap(context, context.callFunction(start, context.undefined, host))
}

/** The value of a result. Errors here are limits or bad syntax: the guest catches those of expressions. */
function unwrap(context: QuickJSContext, result: ReturnType<QuickJSContext['callFunction']>): QuickJSHandle {
  if (!result.error) return result.value
  const error = result.error.consume((handle) => context.dump(handle) as unknown) as Partial<Error> | null
  if (!error || error.message === 'out of memory') throw new EngineError('memory', '')
  throw new EngineError('syntax', `It cannot be compiled: ${error.name}: ${error.message}`)
}

/** QuickJS throws null if it has no memory left for an error. */
function isOutOfMemory([kind, payload]: Outcome, program: string): boolean {
  if (kind !== 'threw') return false
  return payload === 'InternalError: out of memory' || (payload === 'null' && !program.includes('throw'))
}
