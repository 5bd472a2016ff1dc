import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten'
import { EngineError } from '../errors.ts'
import { loadOptional } from '../load-optional.ts'
import type { Guest, Outcome, Primitive } from './guest.ts'
import { guestSource } from './guest-source.ts'
import type { answerSandbox } from './host-functions.ts'

type Library = typeof import('quickjs-emscripten')
type MemorySize = { initial: number; maximum: number }

/** Not among the types of the language or of Node. */
const { Memory } = (globalThis as unknown as { WebAssembly: { Memory: new (size: MemorySize) => never } })
  .WebAssembly

const pagesPerMegabyte = 16

/** More overflows the host's stack, on which WebAssembly runs, before QuickJS notices. */
const stackSize = 160 * 1024

/**
 * Creates a sandbox in a QuickJS engine compiled to WebAssembly: no heap is shared with the process around it. QuickJS
 * counts no memory of its own there, so the limit in MB is that of the WebAssembly memory.
 */
export async function createQuickjsGuest(answer: typeof answerSandbox, memory: number): Promise<Guest> {
  const library = loadQuickjs()
  const wasmMemory = new Memory({ initial: 16 * pagesPerMegabyte, maximum: memory * pagesPerMegabyte })
  const variant = library.newVariant(library.RELEASE_SYNC, { wasmMemory })
  const runtime = (await library.newQuickJSWASMModuleFromVariant(variant)).newRuntime()
  runtime.setMaxStackSize(stackSize)
  const context = runtime.newContext()
  const calls = run(() => boot(context, answer))
  const send = (name: string, write: () => QuickJSHandle[]): unknown =>
    run(() => callMethod(context, calls, { name, passed: write() }))
  const throwing = new Set<unknown>()
  return {
    define(program, source) {
      if (source.includes('throw')) throwing.add(program)
      else throwing.delete(program)
      send('define', () => [context.newNumber(program), evaluateSource(context, source)])
    },
    load(value, text, marked) {
      send('load', () => [context.newNumber(value), context.newString(text), wrap(context, marked)])
    },
    drop(value) {
      send('drop', () => [context.newNumber(value)])
    },
    evaluate(spec) {
      const outcome = send('evaluate', () => spec.map((item) => wrap(context, item)))
      if (isOutOfMemory(outcome, throwing.has(spec[0]))) throw new EngineError('memory', '')
      return outcome as Outcome
    },
    // It ends with its process.
    dispose() {},
  }
}

function run<Value>(task: () => Value): Value {
  try {
    return task()
  } catch (error) {
    if (error instanceof EngineError) throw error
    const reason = error instanceof RangeError ? 'it nests calls or data too deeply' : String(error)
    throw new EngineError('crashed', `It ended the sandbox: ${reason}`)
  }
}

/** Loads the package; throws an `EngineError` that names the install command when it is absent. */
export function loadQuickjs(): Library {
  const library = loadOptional('quickjs-emscripten') as Library | undefined
  if (library) return library
  const install = 'install it with `npm i -D quickjs-emscripten`'
  throw new EngineError('setup', `The \`quickjs\` sandbox needs the package quickjs-emscripten; ${install}`)
}

function boot(context: QuickJSContext, answer: typeof answerSandbox): QuickJSHandle {
  const answerHandle = context.newFunction('answer', (...handles) => {
    const [name = '', ...passed] = handles.map((handle) => context.getString(handle))
    return context.newString(answer(name, ...passed))
  })
  const program = evaluateSource(context, guestSource)
  const result = context.callFunction(program, context.undefined, answerHandle)
  program.dispose()
  answerHandle.dispose()
  return unwrap(context, result)
}

function callMethod(
  context: QuickJSContext,
  calls: QuickJSHandle,
  { name, passed }: { name: string; passed: QuickJSHandle[] },
): unknown {
  const method = context.getProp(calls, name)
  const result = context.callFunction(method, context.undefined, ...passed)
  for (const handle of [method, ...passed]) handle.dispose()
  return unwrap(context, result).consume((handle) => context.dump(handle) as unknown)
}

function evaluateSource(context: QuickJSContext, source: string): QuickJSHandle {
  return unwrap(context, context.evalCode(source, 'expression', { type: 'global' }))
}

/** The guest catches what an expression throws; an error that arrives here is a limit, or source that does not compile. */
function unwrap(context: QuickJSContext, result: ReturnType<QuickJSContext['callFunction']>): QuickJSHandle {
  if (!result.error) return result.value
  const error = result.error.consume((handle) => context.dump(handle) as unknown) as Partial<Error> | null
  if (!error || error.message === 'out of memory') throw new EngineError('memory', '')
  throw new EngineError('syntax', `It cannot be compiled: ${error.name}: ${error.message}`)
}

/** Memory can end in the expression, or only while its result is copied out of the engine: then no whole outcome comes. */
function isOutOfMemory(outcome: unknown, mayThrow: boolean): boolean {
  if (!Array.isArray(outcome) || outcome[1] === undefined) return true
  if (outcome[0] !== 'threw') return false
  // Without memory for an error QuickJS throws null.
  return outcome[1] === 'InternalError: out of memory' || (outcome[1] === 'null' && !mayThrow)
}

function wrap(context: QuickJSContext, value: Primitive): QuickJSHandle {
  if (typeof value === 'string') return context.newString(value)
  if (typeof value === 'number') return context.newNumber(value)
  if (typeof value === 'boolean') return value ? context.true : context.false
  return value === null ? context.null : context.undefined
}
