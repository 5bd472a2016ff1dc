import type { IncomingMessage } from 'node:http'

const ANY_ORIGIN = listHeaders('*')
const PREFLIGHT = [
  'Access-Control-Allow-Methods',
  'GET, POST, PUT, DELETE, PATCH, OPTIONS',
  'Access-Control-Max-Age',
  '3600',
]

/** What the headers of an answer depend on. */
export type Asked = Pick<IncomingMessage, 'headers' | 'method'>

/** The headers of every answer, names and values in turn: CORS as httpbin has it, `server`, and no sniffing. */
export function answerHeaders(request?: Asked): readonly string[] {
  const origin = request?.headers.origin
  const headers = origin === undefined ? ANY_ORIGIN : listHeaders(origin)
  if (request?.method !== 'OPTIONS') return headers
  const asked = request.headers['access-control-request-headers']
  return [...headers, ...PREFLIGHT, ...(asked === undefined ? [] : ['Access-Control-Allow-Headers', asked])]
}

function listHeaders(origin: string): string[] {
  return [
    'Access-Control-Allow-Origin',
    origin,
    'Access-Control-Allow-Credentials',
    'true',
    'X-Content-Type-Options',
    'nosniff',
    'Server',
    'suitecase',
  ]
}
