import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FetchHandler } from './recognise-app.ts'

/** Methods that the fetch standard forbids (forbidden method). */
const forbidden = new Set(['TRACE', 'TRACK', 'CONNECT'])

/** Makes a Node request listener of a Web-standard handler. What the handler throws is printed and answered with status 500. */
export function serveFetch(handler: FetchHandler): RequestListener {
  return (incoming, outgoing) => {
    answer(handler, incoming, outgoing).catch((error: NodeJS.ErrnoException) => {
      // A client that has gone away is not a failure of the application.
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') console.error(error)
      outgoing.destroy()
    })
  }
}

async function answer(
  handler: FetchHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort()
  })
  const request = forbidden.has(incoming.method ?? '') ? undefined : readRequest(incoming, gone.signal)
  if (request === undefined) return refuse(outgoing, 400)
  let response: unknown
  try {
    response = await handler(request)
    if (!isResponse(response))
      throw new TypeError(
        `Expected the app’s fetch handler to return a Response, got ${response === null ? 'null' : typeof response}`,
      )
  } catch (error) {
    console.error(error)
    return refuse(outgoing, 500)
  }
  await sendResponse(response, incoming, outgoing)
}

/** Undefined for a request that no Request can stand for: a malformed address or header. */
function readRequest(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = 'GET', url = '/', rawHeaders } = incoming
  const secure = 'encrypted' in incoming.socket
  const base = `${secure ? 'https' : 'http'}://${incoming.headers.host ?? 'localhost'}`
  const address = url.startsWith('/') ? `${base}${url}` : url
  if (!URL.canParse(address)) return undefined
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] as string, rawHeaders[at + 1] as string)
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(address, {
    method,
    headers,
    signal,
    ...(hasBody && { body: Readable.toWeb(incoming) as NonNullable<RequestInit['body']>, duplex: 'half' }),
  })
}

async function sendResponse(
  response: Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  // Response.error() stands for a connection that breaks.
  if (response.status === 0) {
    outgoing.destroy()
    return
  }
  outgoing.statusCode = response.status
  if (response.statusText !== '') outgoing.statusMessage = response.statusText
  response.headers.forEach((value, name) => {
    if (name !== 'set-cookie') outgoing.setHeader(name, value)
  })
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies)
  if (response.body === null || incoming.method === 'HEAD') {
    outgoing.end()
    await response.body?.cancel()
    return
  }
  await pipeline(Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]), outgoing)
}

function refuse(outgoing: ServerResponse, status: number): void {
  outgoing.writeHead(status, { 'content-length': 0 }).end()
}

// By its members: the application may use a Response of its own.
function isResponse(value: unknown): value is Response {
  return (
    typeof value === 'object' && value !== null && 'status' in value && 'headers' in value && 'body' in value
  )
}
