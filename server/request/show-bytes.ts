import { isUtf8 } from 'node:buffer'

/** Bytes as text, or as a data URI (RFC 2397) of the given type when they are not UTF-8. */
export function showBytes(bytes: Buffer, type = 'application/octet-stream'): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : `data:${type};base64,${bytes.toString('base64')}`
}
