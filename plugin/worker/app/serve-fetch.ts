import type { RequestListener } from 'node:http'
import { createRequestListener } from '@remix-run/node-fetch-server'

/** A Web-standard request handler. */
export type FetchHandler = (request: Request) => unknown

/** Makes a Node request listener of a Web-standard handler. What goes wrong is printed and answered: 400 for what no `Request` can stand for, else 500. */
export function serveFetch(handler: FetchHandler): RequestListener {
  return createRequestListener((request) => answer(handler, request), {
    onError(error) {
      if (error instanceof TypeError) return new Response(null, { status: 400 })
      console.error(error)
      return new Response(null, { status: 500 })
    },
  })
}

async function answer(handler: FetchHandler, request: Request): Promise<Response> {
  try {
    const response = await handler(request)
    if (isResponse(response)) return response
    throw new TypeError(
      `Expected the app’s fetch handler to return a Response, got ${response === null ? 'null' : typeof response}. ` +
        'A default export with one parameter is called with each request; one that makes the application has none.',
    )
  } catch (error) {
    console.error(error)
    return new Response(null, { status: 500 })
  }
}

// By its members: the application may use a Response of its own.
function isResponse(value: unknown): value is Response {
  return (
    typeof value === 'object' && value !== null && 'status' in value && 'headers' in value && 'body' in value
  )
}
