import type { IncomingMessage } from 'node:http'

const ANY_ORIGIN = corsList('*')
const PREFLIGHT = [
  'Access-Control-Allow-Methods',
  'GET, POST, PUT, DELETE, PATCH, OPTIONS',
  'Access-Control-Max-Age',
  '3600',
]

/** The headers of every answer: CORS as httpbin has it, `server`, and no sniffing of echoed content. */
export function corsHeaders(request: Pick<IncomingMessage, 'headers' | 'method'>): readonly string[] {
  const { origin } = request.headers
  const headers = origin === undefined ? ANY_ORIGIN : corsList(origin)
  if (request.method !== 'OPTIONS') return headers
  const asked = request.headers['access-control-request-headers']
  return [...headers, ...PREFLIGHT, ...(asked === undefined ? [] : ['Access-Control-Allow-Headers', asked])]
}

/** The same for an answer to something that could not be read as a request. */
export { ANY_ORIGIN as ANY_ORIGIN_HEADERS }

function corsList(origin: string): string[] {
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
