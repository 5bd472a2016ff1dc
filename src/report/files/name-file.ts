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
  return `${plain === '' ? 'suite' : plain}-${hashText(name)}`
}

/** First 10 hex digits of the SHA-256 of a text (lone surrogates included). */
export function hashText(text: string): string {
  return createHash('sha256').update(Buffer.from(text, 'utf16le')).digest('hex').slice(0, 10)
}

/** File names for a suite: the plain one, then others that no other key has, for when it is taken. */
export function* listFileNames(key: string, name: string): Generator<string> {
  const wanted = nameFile(name)
  yield wanted
  for (let count = 0; ; count += 1) yield `${wanted}-${hashText(`${count}${key}`)}`
}
