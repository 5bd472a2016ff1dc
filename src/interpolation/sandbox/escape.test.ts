import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../json.ts'
import { createEngine } from '../expressions/engine.ts'
import { EngineError, TemplateError } from '../errors.ts'
import { createPlainValues } from '../fixtures/plain-values.ts'
import { markHeaders } from '../header-names.ts'

// Known ways out of node:vm or vm2, each of which gives true, or reaches `process`, if it still works.
const escapes = [
  'Object.getPrototypeOf(headers).constructor?.constructor("return process")()',
  'Object.getPrototypeOf(headers).get?.constructor("return process")()',
  'this.constructor.constructor("return process")()',
  '(() => {}).constructor("return process")()',
  '(function () {}).constructor("return this")()',
  '(function* () {}).constructor("return process")().next().value',
  'Object.getPrototypeOf(function () {}).constructor("return process")()',
  'Object.getPrototypeOf(async () => {}).constructor("return process")()',
  '[].constructor.constructor("return process")()',
  '[].map.constructor("return process")()',
  'data.constructor.constructor("return process")()',
  'data.list.constructor.constructor("return process")()',
  'crypto.randomUUID.constructor("return process")()',
  'crypto.constructor.constructor("return process")()',
  'Object.getPrototypeOf(crypto.randomUUID).constructor("return process")()',
  'JSON.parse.constructor("return process")()',
  'Reflect.construct(Function, ["return process"])()',
  'Error.prototype.constructor.constructor("return process")()',
  '(() => { try { null.x } catch (e) { return e.constructor.constructor("return process")() } })()',
  '(() => { function f() { f() } try { f() } catch (e) { return e.constructor.constructor("return process")() } })()',
  '(() => { const f = () => { try { f() } catch (e) { return e.constructor.constructor("return process")() } }; return f() })()',
  '(() => { const f = () => { try { crypto.randomUUID(); f() } catch (e) { return e.constructor.constructor("return process")() } }; return f() })()',
  '(() => { const f = () => { try { crypto.hash("x", "y"); } catch (e) { return e.constructor.constructor("return process")() } }; return f() })()',
  'crypto.hash({ toString() { return globalThis.process } }, "x")',
  '(() => { Error.prepareStackTrace = (e, frames) => frames; return new Error("x").stack[0].getThis() })()',
  '(() => { Error.prepareStackTrace = (e, frames) => frames.map(f => f.getFunction()); return new Error("x").stack })()',
  '(() => { const o = {}; Error.captureStackTrace(o); return o.stack })()',
  '(() => { Error.stackTraceLimit = 100; return new Error("x").stack.length > 0 && process })()',
  '(function f() { return f.caller.constructor("return process")() })()',
  '(function f() { return f.arguments.callee })()',
  '(() => { const f = function () { return f.caller }; return f().call })()',
  'new Proxy({}, { get: (t, k, r) => r.constructor.constructor("return process")() }).x',
  'new Proxy(data, { getPrototypeOf: () => Array.prototype })',
  '({ toJSON() { return this.constructor.constructor("return process")() } })',
  '({ get [Symbol.toStringTag]() { return process } }) + ""',
  '({ [Symbol.toPrimitive]: () => process }) + ""',
  '({ then(resolve) { resolve(process) } }).then(x => x)',
  'WebAssembly.Module',
  'SharedArrayBuffer && Atomics.wait',
  'new FinalizationRegistry(() => { for (;;); })',
  'new WeakRef({}).deref().constructor.constructor("return process")()',
  'setTimeout(() => {}, 0)',
  'queueMicrotask(() => { for (;;); })',
  'globalThis.process',
  'self.process || window.process || global.process',
  'process.mainModule.require("fs")',
  'require("fs").readFileSync("/etc/passwd", "utf8")',
  'module.exports',
  'console.log("x")',
  'fetch("http://127.0.0.1")',
  'Buffer.from("x")',
  'Function("return process")()',
  'structuredClone(process)',
  'Symbol.for("nodejs.util.inspect.custom").description',
  'RegExp.prototype.exec.call(/x/, { toString() { return process } })',
  '"x".replace(/x/, (...all) => all.constructor.constructor("return process")())',
  '[1].map(function () { return this.process })',
  '[3, 1].sort(function () { return this.process })',
  'Array.from.call(function () { return process }, [])',
  'new (class { static x = process })()',
  '(class { static { throw process } })',
  '(function () { return new.target.constructor("return process")() }).call()',
  'new Intl.NumberFormat("en").format.constructor("return process")()',
  'Object.defineProperty(Object.getPrototypeOf(data), "x", { get: () => process })',
  'Object.setPrototypeOf(data, { x: 1 })',
  'Object.getOwnPropertyDescriptor(Object.getPrototypeOf({}), "__proto__").get.call(data)',
  'Object.getOwnPropertyDescriptor(Function.prototype, "caller").get.call(() => {})',
  'Map.groupBy([1], () => process)',
  'Array.fromAsync([1]).constructor',
  'Iterator.from({ next: () => ({ value: process }) }).next().value',
]

/** Tells whether an escape reached `process`, a function of the host, or an object that leads to one. */
const probe = `(out) => {
  if (out === null || out === undefined) return 'nothing'
  const ways = [() => out.version, () => out.process.version, () => out.constructor('return process.version')()]
  ways.push(() => out.constructor.constructor('return process.version')(), () => String(out))
  return ways.map((way) => { try { return String(way()) } catch (error) { return String(error) } }).join()
}`

/** Ways to leave something behind in the sandbox, and expressions that would find it. */
const traces: readonly (readonly [leave: string, look: string, clean: unknown])[] = [
  ['(() => { Object.getPrototypeOf({}).trace = 1 })()', '({}).trace', undefined],
  ['Object.assign(Object.getPrototypeOf([]), { trace: 1 })', '[].trace', undefined],
  [
    'Object.defineProperty(Object.getPrototypeOf([].values()), "trace", { value: 1 })',
    '[].values().trace',
    undefined,
  ],
  [
    'Object.assign(Object.getPrototypeOf(function* () {}()), { trace: 1 })',
    '(function* () {})().trace',
    undefined,
  ],
  [
    'Object.assign(Object.getPrototypeOf(Object.getPrototypeOf(function* () {}())), { trace: 1 })',
    '(function* () {})().trace',
    undefined,
  ],
  ['Object.assign(Object.getPrototypeOf(/a/), { trace: 1 })', '/a/.trace', undefined],
  ['Object.assign(Object.getPrototypeOf(new Map()), { trace: 1 })', 'new Map().trace', undefined],
  [
    'Object.assign(Object.getPrototypeOf("a".matchAll(/a/g)), { trace: 1 })',
    '"a".matchAll(/a/g).trace',
    undefined,
  ],
  ['Object.assign(Object.getPrototypeOf(new Error()), { trace: 1 })', 'new Error().trace', undefined],
  ['Object.assign(Object.getPrototypeOf(data), { trace: 1 })', 'data.trace', undefined],
  ['Object.assign(Math, { trace: 1 })', 'Math.trace', undefined],
  ['Object.assign(crypto, { trace: 1 })', 'crypto.trace', undefined],
  ['(() => { Math.max = () => 0 })()', 'Math.max(1)', 1],
  ['(() => { trace = 1 })()', 'typeof trace', 'undefined'],
  ['(() => { data = { list: [9] } })()', 'data.list', [1]],
  ['(() => { variables.data = 1 })()', 'variables.data.list', [1]],
  ['data.list.push(2)', 'data.list', [1]],
  [
    'Object.assign(Object.getPrototypeOf([].values().map?.(String)), { trace: 1 })',
    '[].values().map?.(String).trace',
    undefined,
  ],
  // The quickjs sandbox has no Intl.
  [
    'Object.assign(Object.getPrototypeOf(new Intl.Segmenter().segment("a")), { trace: 1 })',
    'typeof Intl === "undefined" ? undefined : new Intl.Segmenter().segment("a").trace',
    undefined,
  ],
  [
    'Object.assign(Object.getPrototypeOf(new Intl.Segmenter().segment("a")[Symbol.iterator]()), { trace: 1 })',
    'typeof Intl === "undefined" ? undefined : new Intl.Segmenter().segment("a")[Symbol.iterator]().trace',
    undefined,
  ],
  ['(() => { headers["X-B"] = 1 })()', '"X-B" in headers', false],
  ['(() => { headers["x-a"].push(2) })()', 'headers["x-a"]', ['1']],
  ...['Object.assign(other, { trace: 1 })', 'Object.setPrototypeOf(other, { trace: 1 })'].map(
    (change): [string, string, unknown] => [
      `((other) => ${change})(Object.getPrototypeOf(headers))`,
      'headers.trace',
      undefined,
    ],
  ),
  ['/(.)/.test("secret")', 'RegExp.$1 ?? RegExp.lastMatch ?? "none"', 'none'],
  ['(() => { JSON.stringify = () => "no" })()', 'JSON.stringify([1])', '[1]'],
  ['(() => { Date.now = () => 0 })()', 'Date.now() > 1e12', true],
]

describe.each(['vm', 'quickjs'] as const)('in the %s sandbox', async (sandbox) => {
  const engine = createEngine({ sandbox, timeout: 20_000 })
  const data: JsonObject = { list: [1] }
  const values = createPlainValues({ data, headers: markHeaders({ 'x-a': ['1'] }) })
  const before = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace')
  let hostCalls = 0

  beforeAll(() => {
    // A host function that V8 would call with an error of the sandbox; test runners install such a function.
    Error.prepareStackTrace = (error) => {
      hostCalls += 1
      return `${error.name} at`
    }
  })
  afterAll(() => {
    if (before) Object.defineProperty(Error, 'prepareStackTrace', before)
    else Reflect.deleteProperty(Error, 'prepareStackTrace')
    engine.dispose()
  })

  test.each(escapes)('%s leads nowhere', (source) => {
    const found = [source, `(${probe})(${source})`].map((each) => tell(() => engine.evaluate(each, values)))
    expect(found.join()).not.toContain(process.version)
    expect(found.join()).not.toMatch(/root:|\[object process\]/)
    expect(data).toEqual({ list: [1] })
    expect(engine.evaluate('data.list[0]', values)).toBe(1)
  })

  test.each(traces)('%s leaves nothing behind', (leave, look, clean) => {
    tell(() => engine.evaluate(leave, values))
    expect(engine.evaluate(look, values)).toEqual(clean)
    expect(data).toEqual({ list: [1] })
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test('an error inside never calls into the host', () => {
    hostCalls = 0
    engine.evaluate(
      '(() => { try { null.x } catch (e) { return [e.stack, new Error("x").stack].length } })()',
      values,
    )
    expect(hostCalls).toBe(0)
  })
})

/** The outcome in words: the value, or the error as the host sees it. */
function tell(evaluate: () => unknown): string {
  try {
    return JSON.stringify(evaluate()) ?? 'undefined'
  } catch (error) {
    if (error instanceof EngineError || error instanceof TemplateError) return error.message
    throw error
  }
}
