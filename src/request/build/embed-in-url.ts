/** All but what may stand in a query value as it is. */
const inQuery = /[^!$'()*,\-./0-9:;=?@A-Z_a-z~[\]]/gu

/** All but what may stand in a path. */
const inPath = /[^!$&'()*+,\-./0-9:;=@A-Z_a-z~[\]]/gu

/**
 * Encodes a value that is inserted into a url, so that it arrives as it is and adds neither parameters nor a fragment
 * (RFC 3986): `before` is the url up to it. At the start, or in the host, a value is part of the address and stays as it is.
 */
export function embedInUrl(text: string, before: string): string {
  if (before.includes('#')) return text
  const isPath = /^(?:[a-z][a-z\d+.-]*:\/\/[^/]*)?\//i.test(before)
  if (!before.includes('?') && !isPath) return text
  return text.toWellFormed().replace(before.includes('?') ? inQuery : inPath, encodeURIComponent)
}
