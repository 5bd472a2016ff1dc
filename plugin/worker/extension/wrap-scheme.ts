import { setHeader, type AuthScheme } from '../../../src/request/auth/auth-scheme.ts'
import { readHeaders } from '../../../src/request/build/build-headers.ts'
import { buildUrl } from '../../../src/request/build/build-url.ts'
import type { SentRequest } from '../../../src/request/exchange.ts'
import type { Json } from '../../../src/json.ts'
import { freezeData } from '../user-code/hand-over.ts'
import type { AuthRequest, Extension } from './extension.ts'

type Scheme = NonNullable<Extension['auth']>[string]

/** A scheme of the user's own as one of ours; what it throws fails the request, in the words of `describe`. */
export function wrapScheme(scheme: Scheme, name: string, describe: (error: unknown) => string): AuthScheme {
  return (settings) => ({
    headers: [],
    async authorize(request) {
      try {
        return await runScheme(scheme, request, settings)
      } catch (error) {
        throw Object.assign(new Error(`\`auth.${name}\` failed: ${describe(error)}`), { code: 'AUTH_FAILED' })
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
  await scheme(given, freezeData(settings))
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
