import type { Json, JsonObject } from '../../json.ts'
import type { Mock, MockContext } from '../mock.ts'
import type { ScopeReport } from '../scope-report.ts'

/** Fills in the `{{…}}` of a part of one mock, given by its place in the mock; throws what fails in them. */
export type FillPart = (pointer: string, value: Json, locals?: JsonObject) => Json

/** Fills in parts of a mock, and notes each `{{…}}` that has no value and stays as written. */
export function prepareFill(mock: Mock, context: MockContext, report: ScopeReport): FillPart {
  return (pointer, value, locals = Object.create(null) as JsonObject) => {
    const filled = context.fillIn({ mock, pointer, value }, locals)
    for (const { message, at } of filled.warnings) report.addWarning(message, at)
    return filled.value
  }
}

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
  // Default ports need not be written.
  const pattern = base.replace(/^(http:\/\/[^/]+):80(?=\/|$)|^(https:\/\/[^/]+):443(?=\/|$)/i, '$1$2')
  return { pattern, query: new URLSearchParams(query) }
}
