import { validateHeaderName, validateHeaderValue } from 'node:http'
import { HttpProblem } from '../http-problem.ts'
import { type Printable, printJson } from '../json/print-json.ts'
import { type Fields, parseFields } from '../request/fields.ts'
import type { Reply } from '../reply.ts'
import type { Route } from '../route.ts'

/** These frame the answer or belong to the server. */
const REFUSED =
  /^(?:content-length|transfer-encoding|connection|keep-alive|upgrade|trailer|te|date|server|x-content-type-options|access-control-.*)$/i
const SAFE_TYPE = /^(?:application\/(?:[\w.+-]*json|octet-stream)|text\/plain)(?:;[ -~]*)?$/i

/** `/response-headers?Name=value`: the given headers, and all headers of the answer in its body. */
export const responseHeaderRoutes: Route[] = [
  {
    methods: ['GET', 'POST'],
    path: '/response-headers',
    handle: ({ query }) => replyHeaders(parseFields(query)),
  },
]

function replyHeaders(fields: Fields): Reply {
  for (const [name, values] of fields) for (const value of values) checkHeader(name, value)
  const given = [...fields].flatMap(([name, values]) => values.flatMap((value) => [name, value]))
  const hasType = [...fields.keys()].some((name) => name.toLowerCase() === 'content-type')
  const headers = hasType ? given : ['Content-Type', 'application/json', ...given]
  return { status: 200, headers, body: describe(fields, hasType) }
}

function checkHeader(name: string, value: string): void {
  if (REFUSED.test(name)) throw new HttpProblem(400, `the header ${name} cannot be set`)
  if (/^content-type$/i.test(name) && !SAFE_TYPE.test(value)) {
    throw new HttpProblem(400, `expected a content type that no browser renders, got "${value}"`)
  }
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  } catch {
    throw new HttpProblem(400, `"${name}: ${value}" is not a header`)
  }
}

/** The body names its own length: it is printed again until that is right. */
function describe(fields: Fields, hasType: boolean): string {
  const shown = new Map<string, Printable>(
    [...fields].map(([name, values]) => [name, values[1] === undefined ? (values[0] ?? '') : values]),
  )
  if (!hasType) shown.set('Content-Type', 'application/json')
  let body = ''
  do {
    shown.set('Content-Length', String(body.length))
    body = `${printJson(shown)}\n`
  } while (shown.get('Content-Length') !== String(body.length))
  return body
}
