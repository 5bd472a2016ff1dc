import { relative } from 'node:path'
import { types } from 'node:util'
import { giveOperators } from '../../../src/assertion/operators/operators.ts'
import { ANY_TYPE, fail, PASSED, describeOperand } from '../../../src/assertion/operators/operator.ts'
import type { Operator } from '../../../src/assertion/operators/operator.ts'
import { giveFunctions } from '../../../src/interpolation/sandbox/extension-functions.ts'
import type { ExtensionFunction } from '../../../src/interpolation/sandbox/extension-functions.ts'
import { giveSchemes } from '../../../src/request/auth/schemes.ts'
import type { Json, JsonObject } from '../../../src/json.ts'
import type { Hooks } from '../../../src/run/environment.ts'
import { runAsOwnRequest } from '../../../src/mock/intercept/bypass-mocks.ts'
import { formatPath } from '../../../src/suite/source-tree.ts'
import { previewValue, showValue } from '../../../src/text/show-value.ts'
import { copyData, describeThrown, freezeData, refusePromise } from '../copy-data.ts'
import type { Extension, ExtensionOperator, AuthRequest } from './extension.ts'
import { setHeader, type AuthScheme } from '../../../src/request/auth/auth-scheme.ts'
import { readHeaders } from '../../../src/request/build/build-headers.ts'
import { buildUrl } from '../../../src/request/build/build-url.ts'
import type { SentRequest } from '../../../src/request/exchange.ts'

/** Where an extension's module is, and how messages name it. */
type Place = { path: string; shown: string }

let hooks: Hooks = {}

/** The hooks of the extension that was loaded last: a worker has one. */
export function currentHooks(): Hooks {
  return hooks
}

/** Runs the module of the option `extend` and makes known what is in it. Rejects with what is wrong with it. */
export async function loadExtension(
  load: () => Promise<unknown>,
  { path, shownFrom }: { path: string; shownFrom: string },
): Promise<void> {
  const shown = relative(shownFrom, path).replaceAll('\\', '/')
  const place: Place = { path, shown }
  let module: { default?: Extension }
  try {
    module = (await load()) as { default?: Extension }
  } catch (error) {
    throw new Error(`${shown} could not be loaded: ${describe(error, place)}`, { cause: error })
  }
  const { functions = {}, operators = {}, auth = {}, ...given } = module.default ?? {}
  const refuse = (message: string): never => {
    throw new Error(`${shown}: ${message}`)
  }
  for (const [name, value] of [
    ...Object.entries(functions),
    ...Object.entries(auth),
    ...Object.entries(given),
  ])
    if (typeof value !== 'function') refuse(`expected \`${name}\` to be a function, got ${typeof value}.`)
  for (const [name, value] of Object.entries(functions))
    if (types.isAsyncFunction(value))
      refuse(
        `the function \`${name}\` is asynchronous, and expressions cannot wait. Get the value in \`beforeSuite\`, or in a step.`,
      )
  for (const [name, operator] of Object.entries(operators))
    if (typeof operator.judge !== 'function') refuse(`the operator \`${name}\` has no function \`judge\`.`)
  giveFunctions(mapValues(functions, (call, name) => wrapFunction(call as never, { name, place })))
  giveOperators(mapValues(operators, (operator, name) => wrapOperator(operator, { name, place })))
  giveSchemes(mapValues(auth, (scheme, name) => wrapScheme(scheme, { name, place })))
  hooks = mapValues(given, (hook, name) => wrapHook(hook as never, { name, place }))
}

function mapValues<Value, Result>(
  map: Record<string, Value>,
  change: (value: Value, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value, name)]))
}

type Named = { name: string; place: Place }

function wrapFunction(call: (...passed: Json[]) => unknown, { name, place }: Named): ExtensionFunction {
  return (passed) => {
    let result: unknown
    try {
      result = call(...passed)
    } catch (error) {
      throw new Error(describe(error, place), { cause: error })
    }
    if (refusePromise(result)) throw new Error('it gave a promise, and expressions cannot wait')
    return copyJson(result, name)
  }
}

function wrapOperator(operator: ExtensionOperator, { name, place }: Named): Operator {
  const { about, operand = 'any', takes } = operator
  return {
    about,
    ...describeOperand(operand),
    takes: takes ?? ANY_TYPE,
    judge(actual, expected, { field }) {
      let verdict: unknown
      try {
        verdict = operator.judge(freezeData(actual), freezeData(expected))
      } catch (error) {
        throw new Error(describe(error, place), { cause: error })
      }
      if (verdict === true) return PASSED
      if (typeof verdict === 'string' && verdict !== '') return fail(verdict)
      if (verdict === false)
        return fail(
          `Expected \`${field}\` to pass \`${name}: ${previewValue(expected)}\` (${about}), got ${showValue(actual)}`,
        )
      const what = refusePromise(verdict) ? 'a promise' : `\`${String(verdict)}\``
      throw new Error(`it gave ${what} in the place of true, false or a text that says why`)
    },
  }
}

function wrapHook(hook: (context: JsonObject) => unknown, { name, place }: Named) {
  return async (context: JsonObject): Promise<Json | undefined> => {
    try {
      const given = name === 'beforeEach' ? context : freezeData(context)
      await runAsOwnRequest(() => hook(given), 'extension')
      return name === 'beforeEach' ? copyJson(context['request'], 'beforeEach') : undefined
    } catch (error) {
      throw new Error(`\`${name}\` failed: ${describe(error, place)}`, { cause: error })
    }
  }
}

type Scheme = NonNullable<Extension['auth']>[string]

/** What a scheme throws fails the request. */
function wrapScheme(scheme: Scheme, { name, place }: Named): AuthScheme {
  return (settings) => ({
    headers: [],
    async authorize(request) {
      try {
        return await runScheme(scheme, request, settings)
      } catch (error) {
        throw Object.assign(new Error(`\`auth.${name}\` failed: ${describe(error, place)}`), {
          code: 'AUTH_FAILED',
        })
      }
    },
  })
}

async function runScheme(scheme: Scheme, sent: SentRequest, settings: Json): Promise<SentRequest> {
  const { method, body } = sent
  const before = Object.fromEntries(sent.headers.map(([name, value]) => [name.toLowerCase(), value]))
  const given: AuthRequest = Object.seal({
    url: sent.url,
    headers: { ...before },
    // Setting these throws.
    get method() {
      return method
    },
    get body() {
      return body && Uint8Array.from(body)
    },
  })
  await runAsOwnRequest(() => scheme(given, freezeData(settings)), 'extension')
  const [url, { origin }] = [buildUrl(given.url, undefined), new URL(sent.url)]
  if (new URL(url).origin !== origin)
    throw new Error(`expected \`request.url\` to stay at ${origin}, got ${url}`)
  const changed = Object.entries(given.headers).filter(([name, value]) => before[name] !== value)
  const kept = sent.headers.filter(([name]) => Object.hasOwn(given.headers, name.toLowerCase()))
  return readHeaders(Object.fromEntries(changed)).lines.reduce<SentRequest>(
    (request, [name, value]) => setHeader(request, name, value),
    { ...sent, url, headers: kept },
  )
}

/** Data as JSON can carry it, integers of any size included. */
function copyJson(value: unknown, what: string): Json | undefined {
  return copyData(value, {
    levels: 500,
    take: (part) => (typeof part === 'bigint' ? { value: part } : undefined),
    refuse(path, reason) {
      const where = path.length > 0 ? ` at \`${formatPath(path)}\`` : ''
      throw new Error(`expected \`${what}\` to give data that JSON can carry, got ${reason}${where}`)
    },
  })
}

/** What was thrown, and where in the module. */
function describe(error: unknown, { path, shown }: Place): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const at = stack.indexOf(`${path}:`)
  const lines = at === -1 ? undefined : /^:(\d+:\d+)/.exec(stack.slice(at + path.length))?.[1]
  return `${describeThrown(error)}${lines === undefined ? '' : ` (${shown}:${lines})`}`
}
