import { HttpProblem } from '../http-problem.ts'
import { quoteCookie, readCookies } from '../request/cookies.ts'
import { parseFields } from '../request/fields.ts'
import { type Reply, replyEmpty, replyJson } from '../reply.ts'
import type { Route } from '../route.ts'

const EXPIRED = 'Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; Path=/'

/** `/cookies` shows the cookies sent; `/cookies/set` and `/cookies/delete` change them and lead back there. */
export const cookieRoutes: Route[] = [
  {
    methods: ['GET'],
    path: '/cookies',
    handle: ({ message }) => replyJson({ cookies: readCookies(message.headers.cookie) }),
  },
  {
    methods: ['GET'],
    path: '/cookies/set',
    handle: ({ query }) => leadBack(firstValues(query).map(setCookie)),
  },
  {
    methods: ['GET'],
    path: '/cookies/set/:name/:value',
    handle: ({ params }) => leadBack([setCookie([params['name'] ?? '', params['value'] ?? ''])]),
  },
  {
    methods: ['GET'],
    path: '/cookies/delete',
    handle: ({ query }) => leadBack(firstValues(query).map(([name]) => `${checkName(name)}=; ${EXPIRED}`)),
  },
]

function firstValues(query: string): [string, string][] {
  return [...parseFields(query)].map(([name, values]) => [name, values[0] ?? ''])
}

function leadBack(cookies: string[]): Reply {
  return replyEmpty(302, ['Location', '/cookies', ...cookies.flatMap((cookie) => ['Set-Cookie', cookie])])
}

function setCookie([name, value]: [string, string]): string {
  return `${checkName(name)}=${quoteCookie(value)}; Path=/`
}

function checkName(name: string): string {
  if (/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) return name
  throw new HttpProblem(400, `expected the name of a cookie to be a token (RFC 6265), got "${name}"`)
}
