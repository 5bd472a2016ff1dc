import { createRequire } from 'node:module'

/** Content type by file extension, `application/octet-stream` when it is not known. */
export function guessContentType(path: string): string {
  // Loaded when a file is sent: its table takes some milliseconds.
  const { lookup } = createRequire(import.meta.url)('mime-types') as typeof import('mime-types')
  const type = lookup(path) || 'application/octet-stream'
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type
}
