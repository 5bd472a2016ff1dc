import type { JsonObject } from '../../json.ts'
import { RequestProblem, describeValue, readText } from '../request-problem.ts'

/** Encoded in paths and queries: all but RFC 3986's characters, escapes, and `[` and `]`, as in browsers. */
const unsafe = /%(?![\da-f]{2})|[^!$%&'()*+,\-./0-9:;=?@A-Z[\]_a-z~]/giu
const unresolved = /\{\{.*?\}\}/gs

/** Builds and encodes the URL of a request. Keeps escapes, does not resolve dots, drops a fragment. */
export function buildUrl(written: string, params: JsonObject | undefined, baseUrl?: string): string {
  const [origin, target] = readOrigin(joinUrl(written.trim(), baseUrl?.trim()))
  const rooted = target.startsWith('/') ? target : `/${target}`
  return origin + appendParams(rooted.toWellFormed().replace(unsafe, encodeURIComponent), params)
}

export function toHttpUrl(url: string): string {
  return url.replace(/^\s*ws(?=s?:)/i, 'http')
}

/** Joins base and relative URL with exactly one `/`; an absolute URL is used as is. */
function joinUrl(url: string, base: string | undefined): string {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(url)) return url
  if (/^https?:/i.test(url))
    throw new RequestProblem(`Expected \`url\` to have \`//\` after its scheme, got ${describeValue(url)}`)
  if (base === undefined || base === '')
    throw new RequestProblem(
      `Expected \`url\` to be absolute because \`base_url\` is missing or empty, got ${describeValue(url)}. Add \`base_url\` to the suite, choose an environment that has one (SUITECASE_ENV), or write the full URL`,
    )
  if (/[?#]/.test(base.replace(unresolved, '')))
    throw new RequestProblem(
      `Expected \`base_url\` to have no query or fragment, got ${describeValue(base)}. Put parameters into the \`url\` or \`params\` of the steps`,
    )
  if (url === '' || url.startsWith('?') || url.startsWith('#')) return base + url
  return `${base.replace(/\/+$/, '')}/${url.replace(/^\/+/, '')}`
}

/** Splits a URL into its origin, normalised like WHATWG URLs (punycode, no default port), and its target. */
function readOrigin(written: string): [origin: string, target: string] {
  // Unresolved `{{…}}` are data. They are encoded as a whole, so that the server decodes them unchanged.
  const encoded = written.replace(unresolved, (text) => encodeURIComponent(text.toWellFormed()))
  const parts = /^(https?):\/\/([^/?#]*)([^#]*)/i.exec(encoded)
  if (parts === null)
    throw new RequestProblem(
      `Expected an http or https URL such as \`http://localhost:3000/path\`, got ${describeValue(written)}`,
    )
  const [, scheme, authority, target] = parts as unknown as [string, string, string, string]
  if (authority.includes('@')) {
    const host = authority.replace(/^.*@/s, '')
    throw new RequestProblem(
      `Expected a URL without a user name and password, got one for ${describeValue(host)}. Use \`auth.basic\``,
    )
  }
  const url = /[\s\\]/.test(authority) ? null : URL.parse(`${scheme}://${authority}`)
  // Allows more than DNS does, but nothing that another parser could read differently.
  if (!url || !/^([\w.-]+|\[[\da-f:.]+\])$/i.test(url.hostname))
    throw new RequestProblem(`Expected a URL with a valid host and port, got ${describeValue(written)}`)
  return [url.origin, target]
}

/** The origin of a URL as written. Undefined if it is relative or has a template before its path. */
export function findOrigin(url: string): string | undefined {
  const authority = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i.exec(url.trim())?.[0]
  return authority && !authority.includes('{{') ? URL.parse(authority)?.origin : undefined
}

export function appendParams(target: string, params: JsonObject | undefined): string {
  if (params === undefined) return target
  const pairs = listPairs(params, 'params').map(
    ([name, text]) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(text.toWellFormed())}`,
  )
  if (pairs.length === 0) return target
  const separator = target.includes('?') ? (/[?&]$/.test(target) ? '' : '&') : '?'
  return target + separator + pairs.join('&')
}

/** Lists `params` or a `form` as pairs. A list repeats the name, `null` omits it. Throws for nested data. */
export function listPairs(fields: JsonObject, label: string): [name: string, text: string][] {
  const list: [string, string][] = []
  for (const [name, value] of Object.entries(fields))
    for (const item of Array.isArray(value) ? value : [value]) {
      if (typeof item !== 'object') list.push([name, readText(item, `${label}.${name}`)])
      else if (item !== null)
        throw new RequestProblem(
          `Expected \`${label}.${name}\` to be a string, number, boolean, null or a list of these, got ${describeValue(item)}. ` +
            'Nested values have no standard form here: name the fields one by one, such as `filter[role]`, or send the value as JSON text',
        )
    }
  return list
}

const inQuery = /[^!$'()*,\-./0-9:=?@A-Z_a-z~[\]]/gu

const inPath = /[^!$&'()*+,\-./0-9:=@A-Z_a-z~[\]]/gu

const addressStart = /^\s*(?:(?:http|ws)s?(?::\/{0,2}[^/?]*)?)?$/i

/** Encodes a value inserted into a URL after `before` (RFC 3986); at the start and in the host it stays as it is. */
export function embedInUrl(text: string, before: string): string {
  if (addressStart.test(before)) return text
  return text.toWellFormed().replace(before.includes('?') ? inQuery : inPath, encodeURIComponent)
}
