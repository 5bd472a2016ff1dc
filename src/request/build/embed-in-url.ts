/** All but what may stand in a query value as it is; a valid escape may. */
const IN_QUERY = /[^!$%'()*,\-./0-9:;=?@A-Z_a-z~[\]]|%(?![\da-f]{2})/gi

/** All but what may stand in a path. */
const IN_PATH = /[^!$%&'()*+,\-./0-9:;=@A-Z_a-z~[\]]|%(?![\da-f]{2})/gi

/**
 * Encodes a value that is inserted into a url, so that it can add neither parameters nor a fragment (RFC 3986):
 * `before` is the url up to it. At the start, or in the host, a value is part of the address and stays as it is.
 */
export function embedInUrl(text: string, before: string): string {
  if (before.includes('#')) return text
  if (before.includes('?')) return text.replace(IN_QUERY, encode)
  const path = /^(?:[a-z][a-z\d+.-]*:\/\/[^/]*)?\//i.test(before)
  return path ? text.replace(IN_PATH, encode) : text
}

function encode(character: string, offset: number, text: string): string {
  const code = text.charCodeAt(offset)
  // Both halves of a pair are encoded with the first; a lone half becomes U+FFFD, as everywhere.
  if (isLow(code) && isHigh(text.charCodeAt(offset - 1))) return ''
  const pair = isHigh(code) && isLow(text.charCodeAt(offset + 1))
  return encodeURIComponent((pair ? text.slice(offset, offset + 2) : character).toWellFormed())
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
