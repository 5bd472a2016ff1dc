import { formatBytes } from '../text/format-bytes.ts'

/** How many bytes of a body reports keep unless told otherwise: 64 KiB. */
export const defaultKeptBytes = 65_536

/** Shortens a text to about `limit` characters, never inside a surrogate pair, and says how much there was. `size` is the true size in bytes when the text was shortened before. */
export function cutText(text: string, limit: number, size: number = Buffer.byteLength(text)): string {
  const end = /[\ud800-\udbff]/.test(text[limit - 1] ?? '') ? limit - 1 : limit
  return `${text.slice(0, end)}… [cut: ${formatBytes(Math.min(limit, size))} of ${formatBytes(size)} shown]`
}
