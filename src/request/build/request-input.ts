import type { Json, JsonObject } from '../../json.ts'

/** The `request` of a step with its templates filled in. */
export type RequestInput = ConnectionInput & {
  method?: string
  url: string
  /** Appended to the query of the URL. A list repeats the name, `null` omits it. */
  params?: JsonObject
  /** A list sends several lines, `null` sends none and removes a default such as `user-agent`. */
  headers?: JsonObject
  body?: Json
  form?: JsonObject
  multipart?: JsonObject
  file?: string
  graphql?: GraphqlInput
  auth?: Json
  /** Milliseconds, or a duration such as `5s`. */
  timeout?: number | string
  follow_redirects?: boolean | number
}

export const requestKeys: readonly string[] =
  'method url params headers body form multipart file graphql auth timeout follow_redirects insecure http2 proxy tls'.split(
    ' ',
  )

export const handshakeKeys: readonly string[] = 'url params headers timeout insecure proxy tls'.split(' ')

export type GraphqlInput = {
  query?: string
  query_file?: string
  variables?: JsonObject
  operation?: string
}

export type ConnectionInput = { insecure?: boolean; http2?: boolean; proxy?: Json; tls?: JsonObject }

export type BuildContext = {
  baseUrl?: string | undefined
  defaultTimeout: number
  /** Used for requests without `follow_redirects`; true means 20. */
  defaultRedirects?: boolean | number
  /** Reads a file named in the suite; the caller decides what relative paths are relative to. */
  readFile(path: string): Promise<Uint8Array>
  /** True for the request that opens a WebSocket, which has a `connection` header of its own. */
  isHandshake?: boolean
}

export type BuiltBody = { bytes: Uint8Array; contentType: string }
