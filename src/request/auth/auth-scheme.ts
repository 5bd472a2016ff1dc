import { isJsonObject, readOwn, type Json } from '../../json.ts'
import { createProblem, readText, type RequestProblem } from '../request-problem.ts'
import type { Authorizer, SentRequest } from '../exchange.ts'

/** One way to authorize requests. Receives its settings with templates filled in; throws a RequestProblem if they are wrong. */
export type AuthScheme = (settings: Json, context: { baseUrl?: string | undefined }) => Authorizer

/** Reads a scheme's settings as texts by name; null counts as absent. Throws a RequestProblem if a needed one is missing or a value is not a text. */
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

/** The problem for an invalid setting. */
export function invalidAuth(label: string, wanted: string, got: Json | undefined): RequestProblem {
  return createProblem(`auth.${label}`, wanted, { got, code: 'INVALID_AUTH' })
}

/** A copy of the request with the header set; replaces lines of the same name. */
export function setHeader(request: SentRequest, name: string, value: string): SentRequest {
  const rest = request.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase())
  return { ...request, headers: [...rest, [name, value]] }
}

/** An authorizer that sets the same header on each request. */
export function writeHeader(name: string, value: string): Authorizer {
  return { headers: [name.toLowerCase()], authorize: (request) => setHeader(request, name, value) }
}
