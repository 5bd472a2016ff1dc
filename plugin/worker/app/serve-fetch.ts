import type { RequestListener } from 'node:http'
import { createRequestListener } from '@remix-run/node-fetch-server'

export type FetchHandler = (request: Request) => unknown

/** Turns a web-standard handler into a Node listener. Logs errors; answers 500, or 400 for a bad request. */
export function serveFetch(handler: FetchHandler): RequestListener {
  return (request, response) => {
    let isTaken = false
    const take = (one: Request): Promise<Response> => {
      isTaken = true
      return answer(handler, one)
    }
    const listener = createRequestListener(take, {
      onError(error) {
        console.error(error)
        return new Response(null, { status: isTaken ? 500 : 400 })
      },
    })
    // The part of the body that the handler has not read would keep the connection's next request waiting.
    response.once('finish', () => request.removeAllListeners('data').resume())
    listener(request, response)
  }
}

async function answer(handler: FetchHandler, request: Request): Promise<Response> {
  const response = await handler(request)
  // Judged by its members, since the application may have its own Response class.
  if (['status', 'headers', 'body'].every((name) => name in Object(response))) return response as Response
  throw new TypeError(
    `Expected the app’s fetch handler to return a Response, got ${response === null ? 'null' : typeof response}. ` +
      'A default export with one parameter is called with each request; a function that creates the application must have none.',
  )
}
