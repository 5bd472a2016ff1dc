/** Decodes percent escapes to bytes and the bytes as UTF-8; bad escapes stay literal, invalid UTF-8 becomes U+FFFD. */
export function decodePercent(text: string): string {
  if (!text.includes('%') && isPlain(text)) return text
  return decodeEscapes(text).toString('utf8')
}

/** Like `decodePercent`, with `+` for a space, as in queries and form bodies. */
export function decodeFormPart(text: string): string {
  return decodePercent(text.includes('+') ? text.replaceAll('+', ' ') : text)
}

/** Replaces `%XX` by its byte; the other characters are taken as latin-1 bytes, as they came from the wire. */
export function decodeEscapes(text: string, isKept?: (byte: number) => boolean): Buffer {
  const bytes = Buffer.from(text, 'latin1')
  let length = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    const decoded = byte === 0x25 ? hexByte(bytes, index + 1) : -1
    if (decoded < 0 || isKept?.(decoded)) {
      bytes[length++] = byte
    } else {
      bytes[length++] = decoded
      index += 2
    }
  }
  return bytes.subarray(0, length)
}

function hexByte(bytes: Buffer, index: number): number {
  const high = hexDigit(bytes[index])
  const low = hexDigit(bytes[index + 1])
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

const NOT_ASCII = /[\x80-\xff]/

function isPlain(text: string): boolean {
  return !NOT_ASCII.test(text)
}
