/** Parses a `Cookie` header (RFC 6265, 5.4); of repeated names the first counts, quoted values are unquoted. */
export function readCookies(header: string | undefined): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=')
    const name = (equals < 0 ? pair : pair.slice(0, equals)).trim()
    if (name === '' || cookies.has(name)) continue
    cookies.set(name, equals < 0 ? '' : unquoteCookie(pair.slice(equals + 1).trim()))
  }
  return cookies
}

/** Quotes a cookie value as Python does, where it has characters that RFC 6265 does not allow as they are. */
export function quoteCookie(value: string): string {
  if (/^[!#-+\--:<-[\]-~]*$/.test(value)) return value
  const bytes = Buffer.from(value, 'utf8').toString('latin1')
  const escaped = bytes.replace(/["\\]/g, '\\$&').replace(/[^ !#-+\--:<-~"\\]/g, escapeOctal)
  return `"${escaped}"`
}

function escapeOctal(character: string): string {
  return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`
}

function unquoteCookie(value: string): string {
  if (value.length < 2 || !value.startsWith('"') || !value.endsWith('"'))
    return Buffer.from(value, 'latin1').toString('utf8')
  const bytes = value
    .slice(1, -1)
    .replace(/\\(?:([0-3][0-7]{2})|([^]))/g, (_, octal?: string, other?: string) => {
      return octal === undefined ? (other ?? '') : String.fromCharCode(Number.parseInt(octal, 8))
    })
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
