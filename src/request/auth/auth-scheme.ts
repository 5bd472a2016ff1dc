import { isJsonObject, readOwn, type Json } from '../../json.ts'
import { createProblem, readText, type RequestProblem } from '../request-problem.ts'
import type { Authorizer, SentRequest } from '../exchange.ts'

/** A way to authorize requests. Its `settings` have their templates filled in. Throws a RequestProblem. */
export type AuthScheme = (settings: Json, context: { baseUrl?: string | undefined }) => Authorizer

/** Reads settings as texts. Throws a RequestProblem if a needed one is missing or null, or one is no text. */
export function readSettings<Needed extends string>(
  settings: Json,
  label: string,
  needed: readonly Needed[],
): Record<Needed, string> & Partial<Record<string, string>> {
  if (!isJsonObject(settings)) throw invalidAuth(label, `a map of ${needed.join(', ')}`, settings)
  const given = Object.keys(settings).filter((name) => settings[name] !== null)
  const texts = [...needed, ...given].map((name) => [
    name,
    readText(readOwn(settings, name) ?? undefined, `auth.${label}.${name}`),
  ])
  return Object.fromEntries(texts) as Record<Needed, string>
}

export function invalidAuth(label: string, wanted: string, got: Json | undefined): RequestProblem {
  return createProblem(`auth.${label}`, wanted, got)
}

/** Returns a copy of the request with this header in place of any others with the same name. */
export function setHeader(request: SentRequest, name: string, value: string): SentRequest {
  const rest = request.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase())
  return { ...request, headers: [...rest, [name, value]] }
}

export function writeHeader(name: string, value: string): Authorizer {
  return { headers: [name.toLowerCase()], authorize: (request) => setHeader(request, name, value) }
}
