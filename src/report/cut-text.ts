/** How many bytes of a body reports keep unless told otherwise: 64 KiB. */
export const defaultKeptBytes = 65_536

/** Shortens a text to about `limit` characters, never inside a surrogate pair, and says how much there was. `size` is the true size in bytes when the text was shortened before. */
export function cutText(text: string, limit: number, size: number = Buffer.byteLength(text)): string {
  const end = /[\ud800-\udbff]/.test(text[limit - 1] ?? '') ? limit - 1 : limit
  return `${text.slice(0, end)}… [cut: ${formatBytes(Math.min(limit, size))} of ${formatBytes(size)} shown]`
}

/** Writes a number of bytes for people: `512 B`, `64 KiB`, `19.1 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const unit = bytes < 1024 ** 2 ? 'KiB' : bytes < 1024 ** 3 ? 'MiB' : 'GiB'
  const value = bytes / 1024 ** (['KiB', 'MiB', 'GiB'].indexOf(unit) + 1)
  return `${value % 1 === 0 ? value : value.toFixed(1)} ${unit}`
}
