/** A member of `headers` or `request.headers` whose name is written out. */
const member = /(?<![\w$.\]])(?:request\??\.)?headers(?:\??\.\w+|(?:\?\.)?\[\s*(?:'[^']*'|"[^"]*")\s*\])/g

/**
 * Writes the header names of a condition in lower case, as the response has them: `headers['Content-Type']` and
 * `request.headers.Accept` mean the header, however it is spelt (RFC 9110 5.1). Offsets stay the same.
 */
export function lowerHeaderNames(source: string): string {
  // ASCII only, which keeps every offset.
  return source.replaceAll(member, (text) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()))
}
