import type { Json, JsonObject } from '../../json.ts'
import { rememberTexts } from '../../remember.ts'
import { BuildProblem, describeValue, readText } from '../build-problem.ts'

/** Characters that stay as written in a path and query (RFC 3986, plus `[` and `]` as browsers send them). */
const unsafe = /%(?![\da-f]{2})|[^!$%&'()*+,\-./0-9:;=?@A-Z[\]_a-z~]/giu
const unresolved = /\{\{.*?\}\}/gs

/** Joins, encodes and completes the URL of a request; existing escapes are kept, dots are not resolved, a fragment is not sent. */
export function buildUrl(written: string, params: JsonObject | undefined, baseUrl?: string): string {
  const whole = joinUrl(written.trim(), baseUrl?.trim())
  const [origin, target] = readOrigin(whole)
  return origin + appendParams(encodeTarget(target), params)
}

/** The url of a WebSocket, which begins as a request over HTTP. */
export function toHttpUrl(url: string): string {
  return url.replace(/^\s*ws(?=s?:)/i, 'http')
}

/** Puts exactly one `/` between base and relative url; an absolute url is used as is. */
function joinUrl(url: string, base: string | undefined): string {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(url)) return url
  if (/^https?:/i.test(url))
    throw invalidUrl(`Expected \`url\` to have // after its scheme, got ${describeValue(url)}`)
  if (base === undefined || base === '') {
    throw invalidUrl(
      `Expected \`url\` to be absolute because there is no \`base_url\`, got ${describeValue(url)}. ` +
        'Add `base_url` to the suite, or write the whole address',
    )
  }
  if (/[?#]/.test(base.replace(unresolved, ''))) {
    throw invalidUrl(
      `Expected \`base_url\` to be without query and fragment, got ${describeValue(base)}. ` +
        'Put parameters into the `url` or the `params` of the steps',
    )
  }
  if (url === '' || url.startsWith('?') || url.startsWith('#')) return base + url
  return `${base.replace(/\/+$/, '')}/${url.replace(/^\/+/, '')}`
}

/** Unresolved `{{…}}` are data: encoded as a whole, the server sees the braces and what is between them after decoding. */
function encodeUnresolved(url: string): string {
  return url.includes('{{') ? url.replace(unresolved, (text) => encodeURIComponent(text.toWellFormed())) : url
}

/** What to write where an address is expected. */
function hintAddress(written: string): string {
  if (written.includes('{{')) return '. A variable in it has no value'
  const variable = /^\$\{?(\w+)/.exec(written)?.[1]
  if (variable) return `. Write \`{{$env.${variable}}}\` for the environment variable`
  if (written.startsWith('/')) return `. Write the whole address, such as \`http://localhost:3000${written}\``
  return written.includes('://') ? '' : '. Write http:// or https:// before it'
}

/** Scheme, host and port as WHATWG URLs normalise them (punycode, no default port), and the rest without fragment. */
function readOrigin(written: string): [origin: string, target: string] {
  const parts = /^(https?):\/\/([^/?#]*)([^#]*)/i.exec(encodeUnresolved(written))
  if (parts === null)
    throw invalidUrl(`Expected an http or https URL, got ${describeValue(written)}${hintAddress(written)}`)
  const [, scheme, authority, target] = parts as unknown as [string, string, string, string]
  if (authority.includes('@')) {
    const host = authority.replace(/^.*@/s, '')
    throw invalidUrl(
      `Expected a URL without user name and password, got one for ${describeValue(host)}. Use \`auth.basic\``,
    )
  }
  const origin = parseOrigin(`${scheme}://${authority}`)
  if (origin === '')
    throw invalidUrl(
      `Expected a URL with a valid host and port, got ${describeValue(written)}${hintAddress(written)}`,
    )
  return [origin, target]
}

/** The origin of a scheme, host and port; empty when they are not valid. The steps of a suite mostly go to the same place. */
const parseOrigin = rememberTexts(100, (text) => {
  const url = /:\/\/$|[\s\\]/.test(text) ? null : URL.parse(text)
  // More than DNS allows, but nothing that could mean something else to another parser.
  return url && /^([\w.-]+|\[[\da-f:.]+\])$/i.test(url.hostname) ? url.origin : ''
})

/** The origin of a url as it is written; undefined if it is relative, or has a template in its host. */
export function findOrigin(url: string): string | undefined {
  const authority = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i.exec(url.trim())?.[0]
  return authority && !authority.includes('{{') ? URL.parse(authority)?.origin : undefined
}

function encodeTarget(target: string): string {
  const rooted = target.startsWith('/') ? target : `/${target}`
  return rooted.toWellFormed().replace(unsafe, encodeURIComponent)
}

/** Adds parameters to the query of a url. */
export function appendParams(target: string, params: JsonObject | undefined): string {
  if (params === undefined) return target
  const pairs = listFields(params, 'params').map(
    ([name, text]) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(text.toWellFormed())}`,
  )
  if (pairs.length === 0) return target
  const separator = target.includes('?') ? (/[?&]$/.test(target) ? '' : '&') : '?'
  return target + separator + pairs.join('&')
}

function invalidUrl(message: string): BuildProblem {
  return new BuildProblem(message, 'INVALID_URL')
}

/** Flattens `params` or `form` to name and text: a list repeats the name, `null` leaves the field out, nested values are refused. */
export function listFields(fields: JsonObject, label: string): [name: string, text: string][] {
  const list: [string, string][] = []
  for (const [name, value] of Object.entries(fields))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== null) list.push([name, readScalar(item, `${label}.${name}`)])
  return list
}

function readScalar(value: Json, label: string): string {
  if (typeof value !== 'object') return readText(value, label)
  throw new BuildProblem(
    `Expected \`${label}\` to be a text, number, boolean, null or a list of these, got ${describeValue(value)}. ` +
      'Nested values have no standard form here: name the fields one by one, or send the value as JSON text',
  )
}

/** All but what may be in a query value as it is. */
const inQuery = /[^!$'()*,\-./0-9:;=?@A-Z_a-z~[\]]/gu

/** All but what may be in a path. */
const inPath = /[^!$&'()*+,\-./0-9:;=@A-Z_a-z~[\]]/gu

/**
 * Encodes a value that is inserted into a url, so that it arrives as it is and adds neither parameters nor a fragment
 * (RFC 3986): `before` is the url up to it. At the start, or in the host, a value is part of the address and stays as it is.
 */
export function embedInUrl(text: string, before: string): string {
  if (before.includes('#')) return text
  const isPath = /^(?:[a-z][a-z\d+.-]*:\/\/[^/]*)?\//i.test(before)
  if (!before.includes('?') && !isPath) return text
  return text.toWellFormed().replace(before.includes('?') ? inQuery : inPath, encodeURIComponent)
}

/** The path of a url as it is written, without query and fragment; a NUL stands for each template. */
export function readWrittenPath(url: string): string {
  return url.replaceAll(unresolved, '\0').split(/[?#]/, 1)[0] ?? ''
}
