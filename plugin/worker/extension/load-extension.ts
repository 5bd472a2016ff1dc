import { types } from 'node:util'
import { describeThrown } from '../describe-thrown.ts'
import { setUserOperators } from '../../../src/assertion/operators/operators.ts'
import { fail, PASSED, describeOperand, type Operator } from '../../../src/assertion/operators/operator.ts'
import { setUserFunctions } from '../../../src/interpolation/sandbox/extension-functions.ts'
import type { ExtensionFunction } from '../../../src/interpolation/sandbox/extension-functions.ts'
import { setUserSchemes } from '../../../src/request/auth/schemes.ts'
import type { Json } from '../../../src/json.ts'
import type { Hook, Hooks } from '../../../src/run/environment.ts'
import { runAsOwnRequest } from '../../../src/mock/network.ts'
import { within } from '../../../src/run/wait.ts'
import { formatFieldPath } from '../../../src/path/field-path.ts'
import { previewValue, showValue } from '../../../src/text/show-value.ts'
import { loadLimit } from '../app/started-services.ts'
import { copyData, freezeData, isPromise, toPromise } from '../../contract/copy-data.ts'
import type { Extension, ExtensionOperator, AuthRequest } from './extension.ts'
import type { WorkerOptions } from '../../contract/worker-options.ts'
import type { AuthScheme } from '../../../src/request/auth/auth-scheme.ts'
import { readHeaders } from '../../../src/request/build/build-headers.ts'
import { buildUrl } from '../../../src/request/build/build-url.ts'
import { joinHeaders, type SentRequest } from '../../../src/request/exchange.ts'
import { relativePath } from '../../../src/resolve-path.ts'

let hooks: Hooks = {}

export function currentHooks(): Hooks {
  return hooks
}

/** Calls code of the module, and adds to its errors what failed and where. */
type Attempt = <Value>(call: () => Value, what?: string) => Value

/** Runs the module of the option `extend` and registers its contents. Rejects with what is wrong with it. */
export async function loadExtension(
  load: () => Promise<unknown>,
  { path, shownFrom, limits }: { path: string } & Pick<WorkerOptions, 'shownFrom' | 'limits'>,
): Promise<void> {
  const shown = relativePath(shownFrom, path)
  const attempt: Attempt = (call, what = '') => {
    const refuse = (thrown: unknown): never => {
      throw new Error(`${what}${describeThrown(thrown, shownFrom)}`, { cause: thrown })
    }
    try {
      const result = call()
      return result instanceof Promise ? (result.catch(refuse) as typeof result) : result
    } catch (error) {
      return refuse(error)
    }
  }
  const tooLate = `timed out after ${loadLimit} ms. Does it await something that never resolves?`
  const loaded = () => within(load(), { ms: loadLimit }, tooLate)
  const module = await attempt(loaded, `${shown} could not be loaded: `)
  const { default: extension = {} } = module as { default?: Extension }
  const { functions = {}, operators = {}, auth = {}, ...given } = extension
  const judges = Object.entries(operators).map(([name, one]) => [`${name}.judge`, Object(one).judge])
  const members = [functions, auth, given].flatMap((each) => Object.entries<unknown>(each))
  for (const [name, value] of [...judges, ...members])
    if (typeof value !== 'function')
      throw new Error(`${shown}: expected \`${name}\` to be a function, got ${typeof value}.`)
  const { suite: ms } = limits
  const late = `it did not finish within ${ms} ms (option \`limits.suite\`)`
  setUserFunctions(
    mapValues(functions, (call, name): ExtensionFunction => (passed) => {
      const result = attempt(() => runAsOwnRequest(() => toPromise(call(...(passed as never[])))))
      if (!types.isPromise(result)) return copyJson(result, name)
      return within(result, { ms }, late).then((value) => copyJson(value, name))
    }),
  )
  setUserOperators(mapValues(operators, (operator, name) => wrapOperator(operator, name, attempt)))
  const wrapScheme = (scheme: Scheme, name: string): AuthScheme => {
    const failed = `\`auth.${name}\` failed: `
    return (settings) => ({ authorize: (sent) => attempt(() => runScheme(scheme, sent, settings), failed) })
  }
  setUserSchemes(mapValues(auth, wrapScheme))
  hooks = mapValues(given as Record<string, Function>, (hook, name): Hook => {
    const changesRequest = name === 'beforeEach'
    return (context, signal) =>
      attempt(async () => {
        freezeData(changesRequest ? context['variables'] : context)
        await within(
          runAsOwnRequest(async (): Promise<unknown> => hook(context)),
          { ms, signal },
          late,
        )
        return changesRequest ? copyJson(context['request'], name) : undefined
      }, `\`${name}\` failed: `)
  })
}

function mapValues<Value, Result>(
  map: Record<string, Value>,
  change: (value: Value, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value, name)]))
}

function wrapOperator(operator: ExtensionOperator, name: string, attempt: Attempt): Operator {
  const { about, operand = 'any', takes } = operator
  return {
    about,
    ...describeOperand(operand),
    ...(takes && { takes }),
    judge(actual, expected, { field }) {
      const verdict: unknown = attempt(() => operator.judge(freezeData(actual), freezeData(expected)))
      if (verdict === true) return PASSED
      if (typeof verdict === 'string' && verdict !== '') return fail(verdict)
      if (verdict === false)
        return fail(
          `Expected \`${field}\` to pass \`${name}: ${previewValue(expected)}\` (${about}), got ${showValue(actual)}`,
        )
      const what = isPromise(verdict) ? 'a promise' : `\`${String(verdict)}\``
      throw new Error(`it returned ${what} instead of true, false or a string that says why`)
    },
  }
}

type Scheme = NonNullable<Extension['auth']>[string]

async function runScheme(scheme: Scheme, sent: SentRequest, settings: Json): Promise<SentRequest> {
  const { method, body } = sent
  const given: AuthRequest = Object.seal({
    url: sent.url,
    headers: joinHeaders(sent.headers.map(([name, value]) => [name.toLowerCase(), value])),
    // Without a setter, assigning to these throws.
    get method() {
      return method
    },
    get body() {
      return body && Uint8Array.from(body)
    },
  })
  await runAsOwnRequest(() => scheme(given, freezeData(settings)))
  const [url, { origin }] = [buildUrl(given.url, undefined), new URL(sent.url)]
  if (new URL(url).origin !== origin)
    throw new Error(`expected \`request.url\` to keep the origin ${origin}, got ${url}`)
  return { ...sent, url, headers: readHeaders(given.headers).lines }
}

function copyJson(value: unknown, what: string): Json | undefined {
  return copyData(value, {
    refuse(path, reason) {
      const where = path.length > 0 ? ` at \`${formatFieldPath(path)}\`` : ''
      throw new Error(`expected \`${what}\` to return data that fits in JSON, got ${reason}${where}`)
    },
  })
}
