import { escapeControl } from '../../escape-control.ts'
import { MAX_TIMER_DELAY, readMilliseconds } from '../../text/units.ts'
import { readAuth } from '../auth/schemes.ts'
import { RequestProblem, createProblem, readText } from '../request-problem.ts'
import type { RequestSpec } from '../exchange.ts'
import { buildBody, requireObject } from './build-body.ts'
import { buildConnection } from './build-connection.ts'
import { completeHeaders, methods, readHeaders, token } from './build-headers.ts'
import { buildUrl } from './build-url.ts'
import type { BuildContext, RequestInput } from './request-input.ts'

const defaultRedirects = 20

/** Builds a request from interpolated input, or says why that is not possible. */
export async function buildRequest(
  input: RequestInput,
  context: BuildContext,
): Promise<{ spec: RequestSpec } | { problem: string }> {
  try {
    return { spec: await buildSpec(input, context) }
  } catch (error) {
    if (!(error instanceof RequestProblem)) throw error
    return { problem: escapeControl(error.message) }
  }
}

async function buildSpec(input: RequestInput, context: BuildContext): Promise<RequestSpec> {
  checkTypes(input)
  const method = readMethod(input.method === undefined && input.graphql ? 'POST' : input.method)
  const url = buildUrl(readText(input.url, 'url'), input.params, context.baseUrl)
  const authored = readHeaders(input.headers)
  const persistence = authored.named.get('connection') ?? 'close'
  // The client would write `keep-alive` in place of any other.
  if (!context.isHandshake && !/^(close|keep-alive)$/i.test(persistence))
    throw createProblem('headers.connection', '`close` or `keep-alive`', persistence)
  const auth = readAuth(input.auth, context)
  const building = buildBody(input, authored.named.get('content-type') ?? undefined, context)
  // Building is asynchronous only if it reads files.
  const body = building instanceof Promise ? await building : building
  const connection = buildConnection(input, context)
  return {
    method,
    url,
    headers: completeHeaders(authored, body, auth),
    timeout: readTimeout(input.timeout ?? context.defaultTimeout),
    maxRedirects: readRedirects(input.follow_redirects ?? context.defaultRedirects ?? true),
    ...(authored.named.get('cookie') === null && { withoutJar: true }),
    ...(body && { body: body.bytes }),
    ...(auth && { auth }),
    ...(connection && { connection: await connection }),
  }
}

/** Throws a RequestProblem for values of wrong types, which only a hook can put into a request. */
function checkTypes(input: RequestInput): void {
  for (const key of ['params', 'headers', 'graphql', 'tls'] as const)
    if (input[key] !== undefined) requireObject(input[key], key)
  for (const key of ['insecure', 'http2'] as const)
    if (!['boolean', 'undefined'].includes(typeof input[key]))
      throw createProblem(key, 'true or false', input[key])
}

/** Reads the method, by default GET. Common methods are accepted in any case, others are sent as written. */
export function readMethod(written = 'GET'): string {
  const method = readText(written, 'method')
  const upper = method.toUpperCase()
  if (token.test(method) && upper !== 'CONNECT') return methods.has(upper) ? upper : method
  throw createProblem('method', 'an HTTP method such as GET or POST', method)
}

function readTimeout(written: number | string): number {
  const timeout = readMilliseconds(written)
  if (Number.isInteger(timeout) && timeout > 0 && timeout <= MAX_TIMER_DELAY) return timeout
  const wanted = `a positive integer of milliseconds up to ${MAX_TIMER_DELAY}, or a duration such as \`5s\``
  throw createProblem('timeout', wanted, written)
}

function readRedirects(value: boolean | number): number {
  if (typeof value === 'boolean') return value ? defaultRedirects : 0
  if (Number.isInteger(value) && value >= 0) return value
  throw createProblem('follow_redirects', 'true, false or a non-negative integer', value)
}
