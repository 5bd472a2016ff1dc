/** Quotes a text as one word for a POSIX shell; nothing in it is expanded. */
export function quoteShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

export function quotePath(path: string): string {
  return /^[\w./:@+-]+$/.test(path) ? path : quoteShell(path)
}

/** A format for the shell's `printf` that prints exactly these bytes: all but printable ASCII are octal. */
export function quotePrintf(bytes: Uint8Array): string {
  let format = ''
  for (const byte of bytes) {
    // A leading dash would be read as an option.
    const dash = byte === 0x2d && format === ''
    if (byte < 0x20 || byte > 0x7e || byte === 0x5c || dash)
      format += `\\${byte.toString(8).padStart(3, '0')}`
    else format += byte === 0x25 ? '%%' : String.fromCharCode(byte)
  }
  return quoteShell(format)
}

/** Bytes as text, if typeable: UTF-8 without control (but LF), direction and private-use characters. */
export function readTypeable(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  return /(?!\n)[\p{C}\u2028\u2029\ufffd]/u.test(text) ? undefined : text
}
