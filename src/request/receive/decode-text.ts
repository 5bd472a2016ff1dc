import { TextDecoder } from 'node:util'
import { findHeader, type HeaderLines } from '../exchange.ts'

/** A body as text; `warning` when its charset is unknown. */
export type DecodedText = { text: string; warning?: string }

/** Reads bytes in the charset their head declares, UTF-8 without one; a byte order mark is dropped, invalid bytes become U+FFFD. */
export function decodeText(body: Uint8Array, headers: HeaderLines): DecodedText {
  const declared = readCharset(findHeader(headers, 'content-type'))
  const charset = sniffMark(body, declared) ?? declared ?? 'utf-8'
  const decoder = createDecoder(charset)
  if (decoder !== undefined) return { text: decoder.decode(body) }
  return {
    text: new TextDecoder().decode(body),
    warning: `The charset \`${charset}\` of the response is unknown; its body was read as UTF-8`,
  }
}

function readCharset(contentType: string | undefined): string | undefined {
  const match = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType ?? '')
  return (match?.[1] ?? match?.[2])?.trim() || undefined
}

/** The mark of UTF-8 tells it whatever is declared; those of UTF-16 count where nothing or just UTF-16 is, as other text may start with their bytes. */
function sniffMark([first, second, third]: Uint8Array, declared: string | undefined): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (declared !== undefined && !/^utf-16$/i.test(declared)) return undefined
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return undefined
}

const decoders = new Map<string, TextDecoder | undefined>()

/** Decoders keep no state between whole texts, so one per charset is enough. */
function createDecoder(charset: string): TextDecoder | undefined {
  const label = charset.toLowerCase()
  if (decoders.has(label)) return decoders.get(label)
  let decoder: TextDecoder | undefined
  try {
    decoder = new TextDecoder(label)
  } catch {
    decoder = undefined
  }
  // Labels come from servers: remember a few.
  if (decoders.size < 50) decoders.set(label, decoder)
  return decoder
}
