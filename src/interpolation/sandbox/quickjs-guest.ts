import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from 'quickjs-emscripten'
import { EngineError } from '../errors.ts'
import type { Guest, Outcome, Primitive } from './guest.ts'
import { guestSource } from './guest-source.ts'
import { answerSandbox } from './host-functions.ts'

/** Milliseconds in which the engine itself starts. */
const longestBoot = 10_000

/** Limits of one sandbox: `timeout` in ms per evaluation, `memory` in MB (set when its engine was loaded). */
export type QuickjsLimits = { timeout: number; memory: number }

/** More overflows the host's stack, on which WebAssembly runs, before QuickJS notices. */
const stackSize = 160 * 1024

/**
 * Creates a sandbox in a QuickJS engine compiled to WebAssembly: no heap is shared with the host. When its native code
 * fails, `onCrash` is told and the whole engine is unusable.
 */
export function createQuickjsGuest(
  quickjs: QuickJSWASMModule,
  limits: QuickjsLimits,
  onCrash: () => void,
): Guest {
  const runtime = quickjs.newRuntime()
  runtime.setMaxStackSize(stackSize)
  let deadline = Infinity
  runtime.setInterruptHandler(() => performance.now() > deadline)
  const context = runtime.newContext()
  let isCrashed = false
  const timed = <Value>(task: () => Value, timeout = limits.timeout): Value => {
    deadline = performance.now() + timeout
    try {
      return task()
    } catch (error) {
      if (error instanceof EngineError) throw error
      isCrashed = true
      onCrash()
      throw describeCrash(error)
    } finally {
      deadline = Infinity
    }
  }
  // Starting is ours: a short limit on expressions must not end it on a busy machine.
  const calls = timed(() => boot(context, limits), Math.max(limits.timeout, longestBoot))
  const send = (name: string, write: () => QuickJSHandle[]): unknown =>
    timed(() => callMethod(context, limits, { calls, name, write }))
  return {
    define(program, source) {
      send('define', () => [context.newNumber(program), evaluateSource(context, source, limits)])
    },
    load(value, text) {
      send('load', () => [context.newNumber(value), context.newString(text)])
    },
    drop(value) {
      send('drop', () => [context.newNumber(value)])
    },
    evaluate(spec) {
      const outcome = send('evaluate', () => spec.map((item) => wrap(context, item)))
      if (isOutOfMemory(outcome)) throw describeMemory(limits)
      return outcome as Outcome
    },
    dispose() {
      // A crashed engine is dropped whole: freeing parts of it would fail again.
      if (isCrashed) return
      calls.dispose()
      context.dispose()
      runtime.dispose()
    },
  }
}

function boot(context: QuickJSContext, limits: QuickjsLimits): QuickJSHandle {
  const answer = context.newFunction('answer', (...handles) => {
    const [name = '', ...passed] = handles.map((handle) => context.getString(handle))
    return context.newString(answerSandbox(name, ...passed))
  })
  const program = evaluateSource(context, guestSource, limits)
  const result = context.callFunction(program, context.undefined, answer)
  program.dispose()
  answer.dispose()
  return unwrap(context, result, limits)
}

type Message = { calls: QuickJSHandle; name: string; write: () => QuickJSHandle[] }

function callMethod(
  context: QuickJSContext,
  limits: QuickjsLimits,
  { calls, name, write }: Message,
): unknown {
  const passed = write()
  const method = context.getProp(calls, name)
  const result = context.callFunction(method, context.undefined, ...passed)
  for (const handle of [method, ...passed]) handle.dispose()
  return unwrap(context, result, limits).consume((handle) => context.dump(handle) as unknown)
}

function evaluateSource(context: QuickJSContext, source: string, limits: QuickjsLimits): QuickJSHandle {
  return unwrap(context, context.evalCode(source, 'expression', { type: 'global' }), limits)
}

type Result = ReturnType<QuickJSContext['callFunction']>

/** The guest catches what an expression throws; an error that arrives here is a limit, or source that does not compile. */
function unwrap(context: QuickJSContext, result: Result, limits: QuickjsLimits): QuickJSHandle {
  if (!result.error) return result.value
  const error = result.error.consume((handle) => context.dump(handle) as unknown) as {
    name?: string
    message?: string
  } | null
  if (error?.message === 'interrupted') {
    throw new EngineError('timeout', `It ran longer than ${limits.timeout} ms (option \`limits.expression\`)`)
  }
  if (!error || error.message === 'out of memory') throw describeMemory(limits)
  throw new EngineError('syntax', `It cannot be compiled: ${error.name}: ${error.message}`)
}

/** Memory can end in the expression, or only while its result is copied out of the engine: then no whole outcome comes. */
function isOutOfMemory(outcome: unknown): boolean {
  if (!Array.isArray(outcome) || outcome[1] === undefined) return true
  return outcome[0] === 'threw' && outcome[1] === 'InternalError: out of memory'
}

function wrap(context: QuickJSContext, value: Primitive): QuickJSHandle {
  if (typeof value === 'string') return context.newString(value)
  if (typeof value === 'number') return context.newNumber(value)
  if (typeof value === 'boolean') return value ? context.true : context.false
  return value === null ? context.null : context.undefined
}

function describeMemory({ memory }: QuickjsLimits): EngineError {
  return new EngineError('memory', `It needs more than ${memory} MB (option \`limits.memory\`)`)
}

function describeCrash(error: unknown): EngineError {
  const reason = error instanceof RangeError ? 'it nests calls or data too deeply' : String(error)
  return new EngineError('crashed', `It ended the sandbox: ${reason}`)
}
