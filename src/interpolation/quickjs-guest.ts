import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from 'quickjs-emscripten'
import { EngineError } from './errors.ts'
import type { Guest, Outcome, Primitive } from './guest.ts'
import { guestSource } from './guest-source.ts'
import { answerSandbox } from './host-functions.ts'

/** Limits of one sandbox: `timeout` in ms per evaluation, `memory` in MB. */
export type QuickjsLimits = { timeout: number; memory: number }

/** Creates a sandbox in a QuickJS engine compiled to WebAssembly: no heap is shared with the host. */
export function createQuickjsGuest(quickjs: QuickJSWASMModule, limits: QuickjsLimits): Guest {
  const runtime = quickjs.newRuntime()
  runtime.setMemoryLimit(limits.memory * 1024 * 1024)
  runtime.setMaxStackSize(256 * 1024)
  let deadline = Infinity
  runtime.setInterruptHandler(() => performance.now() > deadline)
  const context = runtime.newContext()
  const answer = context.newFunction('answer', (...handles) =>
    context.newString(answerSandbox(...(handles.map((handle) => context.getString(handle)) as [string]))),
  )
  const call = (target: QuickJSHandle, passed: readonly QuickJSHandle[]): QuickJSHandle => {
    deadline = performance.now() + limits.timeout
    const result = context.callFunction(target, context.undefined, ...passed)
    deadline = Infinity
    if (!result.error) return result.value
    throw describeFailure(
      result.error.consume((error) => context.dump(error) as unknown),
      limits,
    )
  }
  const boot = evaluateSource(context, guestSource, limits)
  const calls = call(boot, [answer])
  boot.dispose()
  answer.dispose()
  const send = (name: string, passed: readonly QuickJSHandle[]): unknown => {
    const target = context.getProp(calls, name)
    try {
      return call(target, passed).consume((result) => context.dump(result) as unknown)
    } finally {
      for (const handle of [target, ...passed]) handle.dispose()
    }
  }
  return {
    define(program, source) {
      send('define', [context.newNumber(program), evaluateSource(context, source, limits)])
    },
    load(value, text) {
      send('load', [context.newNumber(value), context.newString(text)])
    },
    drop(value) {
      send('drop', [context.newNumber(value)])
    },
    evaluate: (spec) =>
      send(
        'evaluate',
        spec.map((item) => wrap(context, item)),
      ) as Outcome,
    dispose() {
      calls.dispose()
      context.dispose()
      runtime.dispose()
    },
  }
}

function wrap(context: QuickJSContext, value: Primitive): QuickJSHandle {
  if (typeof value === 'string') return context.newString(value)
  if (typeof value === 'number') return context.newNumber(value)
  if (typeof value === 'boolean') return value ? context.true : context.false
  return value === null ? context.null : context.undefined
}

function evaluateSource(context: QuickJSContext, source: string, limits: QuickjsLimits): QuickJSHandle {
  const result = context.evalCode(source, 'expression', { type: 'global' })
  if (!result.error) return result.value
  const error = describeFailure(
    result.error.consume((handle) => context.dump(handle) as unknown),
    limits,
  )
  throw error.code === 'threw' ? new EngineError('syntax', `It cannot be compiled: ${error.message}`) : error
}

/** The guest catches what an expression throws; what arrives here ended the guest itself. */
function describeFailure(error: unknown, { timeout, memory }: QuickjsLimits): EngineError {
  const { name = '', message = '' } = (error ?? {}) as { name?: string; message?: string }
  if (message === 'interrupted') {
    return new EngineError('timeout', `It ran longer than ${timeout} ms (option \`limits.expression\`)`)
  }
  if (message === 'out of memory' || error === null) {
    return new EngineError('memory', `It needs more than ${memory} MB (option \`limits.memory\`)`)
  }
  return new EngineError('threw', `${name}: ${message}`)
}
