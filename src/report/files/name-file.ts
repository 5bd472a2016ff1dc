import { createHash } from 'node:crypto'

const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * Converts any name to a file name that is safe on every system and never a path. Plain names stay; others are reduced to
 * letters, digits, `-` and `_` and get a hash of the whole name, so that two names never collide.
 */
export function nameFile(name: string): string {
  if (/^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,99}$/.test(name) && !name.endsWith('.') && !reserved.test(name))
    return name
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[^a-zA-Z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
  // UTF-16 keeps lone surrogates apart, which UTF-8 would all replace by the same character.
  const hash = createHash('sha256').update(Buffer.from(name, 'utf16le')).digest('hex')
  return `${plain === '' ? 'suite' : plain}-${hash.slice(0, 10)}`
}
