import type { matchRequestUrl } from 'msw'
import type { JsonObject } from '../../json.ts'
import { copyPath } from '../intercept/outgoing-call.ts'

/** MSW's own matching of a URL against a pattern with `*` and `:name`. */
export type MatchUrl = typeof matchRequestUrl

/** A mock's `url`, taken apart: what MSW matches, and the query that is matched like `when.params`. */
export type UrlPattern = { pattern: string; query: URLSearchParams }

/** Takes a mock's `url` apart; throws a `TypeError` for one that no request could match. */
export function parseUrlPattern(url: string): UrlPattern {
  if (!url.startsWith('*') && !/^[^/?#]+:\/\//.test(url))
    throw new TypeError(
      `Expected the mock’s \`url\` to be absolute, such as \`https://host/path\` or \`*/path\`, got \`${url}\``,
    )
  // A final `?` makes the last path parameter optional, as in MSW.
  const [, base = '', query = ''] = /^([^?#]*:\w+\?$|[^?#]*)(?:\?([^#]*))?/.exec(url) ?? []
  return { pattern: dropDefaultPort(base), query: new URLSearchParams(query) }
}

/** Path parameters of a request whose URL matches, else undefined. Hosts match in any case, default ports need not be written. */
export function matchPattern(match: MatchUrl, url: URL, { pattern }: UrlPattern): JsonObject | undefined {
  const found = match(url, pattern)
  return found.matches ? copyPath(found.params ?? {}) : undefined
}

function dropDefaultPort(base: string): string {
  return base.replace(/^(http:\/\/[^/]+):80(?=\/|$)|^(https:\/\/[^/]+):443(?=\/|$)/i, '$1$2')
}
