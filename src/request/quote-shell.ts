/** Quotes a text as one word of a POSIX shell; nothing in it is expanded. */
export function quoteShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** A path as one word of a shell, without quotes where it needs none. */
export function quotePath(path: string): string {
  return /^[\w./:@+-]+$/.test(path) ? path : quoteShell(path)
}

/** Format for the shell's `printf` that prints exactly these bytes: printable ASCII as it is, the rest in octal. */
export function quotePrintf(bytes: Uint8Array): string {
  let format = ''
  for (const byte of bytes) {
    // A dash in front would be read as an option.
    const dash = byte === 0x2d && format === ''
    if (byte < 0x20 || byte > 0x7e || byte === 0x5c || dash)
      format += `\\${byte.toString(8).padStart(3, '0')}`
    else format += byte === 0x25 ? '%%' : String.fromCharCode(byte)
  }
  return quoteShell(format)
}

/** The text of bytes that can be typed into a terminal as they are: UTF-8 without control, direction and private characters except line feeds. */
export function readTypeable(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  if (/(?!\n)[\p{C}\u2028\u2029\ufffd]/u.test(text)) return undefined
  return text
}
